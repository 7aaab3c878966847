// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QLocale>
#include <QSignalSpy>

#include "gui_fixture.h"
#include "ui/devices/catalog_model.h"
#include "ui/memory/memory_series.h"
#include "ui/models/device_catalog.h"
#include "ui/models/document.h"
#include "ui/models/node_filter_proxy.h"
#include "ui/models/node_table_model.h"
#include "ui/models/reason_text.h"
#include "ui/models/run_list_model.h"
#include "ui/models/theme.h"
#include "ui/shell/query_result_model.h"

using namespace hs;
using namespace hs::ui;

class ShellModelsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        m_trap = std::make_unique<WarningTrap>();
        isolate(m_folder);
        QLocale::setDefault(QLocale(QStringLiteral("en_US")));
    }
    void cleanupTestCase() { m_trap.reset(); }
    void cleanup() { QCOMPARE(WarningTrap::take(), QStringList()); }

    void numbers() {
        QCOMPARE(formatDuration(42), QStringLiteral("42 ns"));
        QCOMPARE(formatDuration(318'400), QStringLiteral("318 µs"));
        QCOMPARE(formatDuration(1'240'318), QStringLiteral("1.24 ms"));
        QCOMPARE(formatDuration(999'600), QStringLiteral("1.00 ms"));
        QCOMPARE(formatBytes(1'572'864), QStringLiteral("1.50 MiB"));
        QCOMPARE(formatBytes(1023), QStringLiteral("1,023 B"));
        QCOMPARE(formatCount(25'600'000), QStringLiteral("25.6 M"));
        QCOMPARE(formatPercent(0.1234), QStringLiteral("12.3 %"));
        QCOMPARE(exactDuration(1'240'318), QStringLiteral("1,240,318 ns"));
        QLocale::setDefault(QLocale(QStringLiteral("de_DE")));
        QCOMPARE(formatDuration(1'240'318), QStringLiteral("1,24 ms"));
        QLocale::setDefault(QLocale(QStringLiteral("en_US")));
    }

    void themeTablesAreComplete() {
        Theme theme;
        for (const Theme::Mode mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
            theme.setMode(mode);
            for (int token = 0; token <= static_cast<int>(Token::GridLine); ++token)
                QVERIFY2(theme.color(static_cast<Token>(token)).isValid(), qPrintable(QString::number(token)));
            QVERIFY(theme.deviceColor(0) != theme.deviceColor(1));
            QVERIFY(theme.deviceColor(-1).isValid());
            QVERIFY(theme.heat(0) != theme.heat(1));
            // Text must be readable: WCAG AA asks for 4.5 to 1.
            QVERIFY(contrast(theme.color(Token::Text), theme.color(Token::Surface)) >= 4.5);
            QVERIFY(contrast(theme.color(Token::MutedText), theme.color(Token::Background)) >= 4.5);
            QVERIFY(contrast(theme.color(Token::AccentText), theme.color(Token::Accent)) >= 4.5);
            QVERIFY(contrast(theme.color(Token::Warning), theme.color(Token::Surface)) >= 4.5);
            QVERIFY(contrast(theme.color(Token::Error), theme.color(Token::Surface)) >= 4.5);
        }
        QCOMPARE(theme.opTypeColor(QStringLiteral("Conv")), theme.opTypeColor(QStringLiteral("Conv")));
    }

    void everyReasonCanBeTranslated() {
        QStringList core;
        for (const ReasonTemplate& entry : reasonTemplates())
            core.append(QString::fromUtf8(entry.english.data(), static_cast<qsizetype>(entry.english.size())));
        QCOMPARE(translatableReasons(), core);
        QCOMPARE(reasonText({"plan.pinned", {"3"}}), QStringLiteral("pinned by rule 3 of the config"));
        QCOMPARE(reasonText({"of.the.future", {}}, QStringLiteral("as stored")), QStringLiteral("as stored"));
    }

    void nodeTableOfAModel() {
        const QString path = writeZooModel(m_folder, "mlp");
        QVERIFY(!path.isEmpty());
        Document document;
        Theme theme;
        NodeTableModel nodes(&document, &theme);
        QAbstractItemModelTester tester(&nodes, QAbstractItemModelTester::FailureReportingMode::QtTest);
        NodeFilterProxy proxy(&nodes);
        QAbstractItemModelTester proxyTester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
        OpTypeModel types(&nodes);
        QAbstractItemModelTester typesTester(&types, QAbstractItemModelTester::FailureReportingMode::QtTest);
        RunListModel runs(&document);
        QAbstractItemModelTester runsTester(&runs, QAbstractItemModelTester::FailureReportingMode::QtTest);

        QSignalSpy changed(&document, &Document::modelChanged);
        document.open(path);
        QVERIFY(changed.wait(10'000));
        QVERIFY(document.model());
        QCOMPARE(nodes.rowCount(), static_cast<int>(document.model()->nodes().size()));
        QVERIFY(nodes.rowCount() > 1);
        const QString type = nodes.index(0, NodeTableModel::OpType).data().toString();
        proxy.setFilterText(QStringLiteral("op:") + type);
        QVERIFY(proxy.rowCount() >= 1);
        for (int row = 0; row < proxy.rowCount(); ++row)
            QCOMPARE(proxy.index(row, NodeTableModel::OpType).data().toString(), type);
        proxy.setFilterText(QStringLiteral("no-such-node"));
        QCOMPARE(proxy.rowCount(), 0);
        proxy.setFilterText({});
        QCOMPARE(proxy.rowCount(), nodes.rowCount());
        int sum = 0;
        for (int row = 0; row < types.rowCount(); ++row)
            sum += types.index(row, OpTypeModel::Nodes).data(NodeTableModel::SortRole).toInt();
        QCOMPARE(sum, nodes.rowCount());
        document.close();
        QCOMPARE(nodes.rowCount(), 0);
    }

    void brokenFileIsAnErrorNotACrash() {
        const QString path = m_folder.filePath(QStringLiteral("broken.onnx"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("this is no protobuf");
        file.close();
        Document document;
        QSignalSpy failed(&document, &Document::failed);
        document.open(path);
        QVERIFY(failed.wait(10'000));
        QVERIFY(!document.model());
        QTRY_VERIFY(!document.loading());
    }

    void catalogAndQueryModels() {
        DeviceCatalog catalog;
        Theme theme;
        CatalogModel model(&catalog, &theme);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QueryResultModel rows;
        QAbstractItemModelTester rowsTester(&rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
        rows.setResult({{"name", "ns"}, {{std::string("a"), std::int64_t{1500}}, {std::monostate{}, 2.5}}, false});
        QCOMPARE(rows.index(0, 1).data().toString(), QStringLiteral("1,500"));
        QCOMPARE(rows.index(1, 0).data().toString(), QStringLiteral("NULL"));
        QCOMPARE(rows.index(0, 1).data(Qt::EditRole).toLongLong(), 1500);
    }

    void memorySeries() {
        const std::vector<MemoryRecord> events = {{1, 10, 100, 1, true, "a"}, {1, 20, 50, 2, true, "b"}, {1, 30, 0, 1, false, "a"}, {2, 15, 999, 1, true, "x"}};
        const StepSeries series = measuredSeries(events, 1);
        QCOMPARE(series.bytes, (std::vector<double>{100, 150, 50}));
        QCOMPARE(series.peak(), 150.0);
        const auto live = liveAt(events, 1, 25, 10);
        QCOMPARE(live.size(), std::size_t{2});
        QCOMPARE(live[0].name, std::string("a"));
        QCOMPARE(liveAt(events, 1, 30, 10).size(), std::size_t{1});
        const std::vector<PlannedSlotRecord> kSlots = {{1, "a", 0, 64, 0, 2}, {1, "b", 64, 32, 1, 1}};
        QCOMPARE(plannedSeries(kSlots, 1).bytes, (std::vector<double>{64, 96, 64, 0}));
        QCOMPARE(plannedArenaBytes(kSlots, 1), std::int64_t{96});
        QCOMPARE(plannedAt(kSlots, 1, 1, 10).size(), std::size_t{2});
        QCOMPARE(plannedAt(kSlots, 1, 2, 10).size(), std::size_t{1});
    }

private:
    static double luminance(const QColor& c) {
        const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
    }
    static double contrast(const QColor& a, const QColor& b) {
        const double x = luminance(a), y = luminance(b);
        return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
    }
    QTemporaryDir m_folder;
    std::unique_ptr<WarningTrap> m_trap;
};

QTEST_MAIN(ShellModelsTest)
#include "shell_models_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QProcess>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QTreeView>
#include <csignal>

#include "gui_fixture.h"
#include "ui/graph/graph_view.h"
#include "ui/models/node_table_model.h"
#include "ui/models/run_list_model.h"
#include "ui/shell/banner.h"
#include "ui/shell/central_tabs.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/file_commands.h"
#include "ui/shell/inspector_panel.h"
#include "ui/shell/log_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/model_panel.h"
#include "ui/shell/operator_table.h"
#include "ui/shell/query_panel.h"
#include "ui/shell/query_result_model.h"
#include "ui/shell/run_bar.h"
#include "ui/shell/run_controller.h"
#include "ui/shell/start_page.h"

using namespace hs;
using namespace hs::ui;

#define NEED_RUNNER() \
    if (builtRunner().isEmpty()) QSKIP("hscope is not built: build the target hscope to test runs")

class ShellWindowTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_trap = std::make_unique<WarningTrap>();
        isolate(m_folder);
        m_model = writeZooModel(m_folder, "mlp");
        QVERIFY(!m_model.isEmpty());
        m_theme = std::make_unique<Theme>();
        m_theme->setMode(Theme::Mode::Light);
        m_language.set(QStringLiteral("en"));
    }
    void init() {
        m_language.set(QStringLiteral("en"));
        m_window = std::make_unique<MainWindow>(m_theme.get(), &m_language);
        m_window->resize(1400, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->activateWindow();
    }
    void cleanupTestCase() { m_trap.reset(); }
    void cleanup() {
        m_window.reset();
        QCOMPARE(WarningTrap::take(), QStringList());
    }

    void startPageTeaches() {
        QVERIFY(m_window->startPage()->isVisible());
        QVERIFY(!action(ActionId::Run)->isEnabled());
        QVERIFY(!action(ActionId::Stop)->isEnabled());
    }

    void dropOpensAModel() {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(m_model)});
        QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &drop);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->document()->model(), 10'000);
        QVERIFY(m_window->tabs()->isVisible());
        QVERIFY(action(ActionId::Run)->isEnabled());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("mlp.onnx")));
    }

    void searchAndSelectUpdateTheInspector() {
        open();
        QLineEdit* search = m_window->modelPanel()->search();
        QTreeView* list = m_window->modelPanel()->nodeList();
        const QString wanted = m_window->nodes()->row(1).name;
        search->setFocus();
        QTest::keyClicks(search, QStringLiteral("name:") + wanted);
        QTRY_VERIFY(list->model()->rowCount() >= 1 && list->model()->rowCount() < m_window->nodes()->rowCount());
        QCOMPARE(list->model()->index(0, 0).data().toString(), wanted);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::NoModifier, list->visualRect(list->model()->index(0, 0)).center());
        QCOMPARE(m_window->selection()->current(), NodeId(m_window->nodes()->row(1).node));
        QVERIFY(m_window->inspector()->plainText().contains(wanted));
        QVERIFY(m_window->inspector()->plainText().contains(m_window->nodes()->row(1).opType));
        // And the other way: a selection made elsewhere stands in the tables.
        m_window->selection()->select(NodeId(m_window->nodes()->row(0).node));
        QTableView* table = m_window->tabs()->table()->table();
        QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(table->selectionModel()->selectedRows()[0].data().toString(), m_window->nodes()->row(0).name);
    }

    void tableFiltersGroupsAndSums() {
        open();
        OperatorTable* table = m_window->tabs()->table();
        m_window->tabs()->setCurrentWidget(table);
        const int all = table->table()->model()->rowCount();
        QVERIFY(table->summary().contains(QString::number(all)));
        table->setGrouped(true);
        QVERIFY(table->groupTable()->isVisible());
        const QModelIndex first = table->groupTable()->model()->index(0, 0);
        const int nodesOfType = first.siblingAtColumn(OpTypeModel::Nodes).data(NodeTableModel::SortRole).toInt();
        const QPoint at = table->groupTable()->visualRect(first).center();
        QTest::mouseClick(table->groupTable()->viewport(), Qt::LeftButton, Qt::NoModifier, at);
        QTest::mouseDClick(table->groupTable()->viewport(), Qt::LeftButton, Qt::NoModifier, at);
        QCOMPARE(static_cast<int>(m_window->selection()->nodes().size()), nodesOfType);
        QVERIFY(table->table()->isVisible());
        QCOMPARE(table->table()->model()->rowCount(), nodesOfType);
        const QString csv = table->toCsv();
        QCOMPARE(csv.count(u'\n'), nodesOfType + 1);
        QVERIFY(csv.startsWith(QStringLiteral("name,op_type,")));
    }

    void badFileShowsABannerAndTheLog() {
        const QString path = m_folder.filePath(QStringLiteral("bad.onnx"));
        QVERIFY(FileCommands::writeFile(path, "nothing like a model"));
        m_window->openPath(path);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->banner()->isVisible(), 10'000);
        QVERIFY(m_window->banner()->text().contains(QStringLiteral("bad.onnx")));
        QVERIFY(m_window->log()->plainText().contains(QStringLiteral("bad.onnx")));
        QTRY_VERIFY(m_window->startPage()->isVisible());
    }

    void languageAndThemeSwitchAtOnce() {
        open();
        action(ActionId::LanguageChinese)->trigger();
        QTRY_COMPARE(m_window->tabs()->tabText(1), QStringLiteral("时间线"));
        QTRY_VERIFY(action(ActionId::Run)->text().startsWith(QStringLiteral("运行")));
        QTRY_COMPARE(m_window->nodes()->headerData(NodeTableModel::Name, Qt::Horizontal).toString(), QStringLiteral("节点"));
        action(ActionId::LanguageEnglish)->trigger();
        QTRY_COMPARE(m_window->tabs()->tabText(1), QStringLiteral("Timeline"));
        const QColor light = m_window->palette().color(QPalette::Window);
        action(ActionId::ThemeDark)->trigger();
        QTRY_VERIFY(m_window->palette().color(QPalette::Window) != light);
        QTRY_VERIFY(m_window->palette().color(QPalette::Window).lightness() < 80);
        action(ActionId::ThemeLight)->trigger();
        QTRY_COMPARE(m_window->palette().color(QPalette::Window), light);
    }

    void commandPaletteRunsACommand() {
        open();
        action(ActionId::CommandPalette)->trigger();
        auto* palette = m_window->findChild<CommandPalette*>();
        QVERIFY(palette);
        auto* input = palette->findChild<QLineEdit*>();
        QTest::keyClicks(input, QStringLiteral("timeline"));
        QTest::keyClick(input, Qt::Key_Return);
        QTRY_COMPARE(m_window->tabs()->currentIndex(), 1);
    }

    void runFillsEveryView() {
        NEED_RUNNER();
        open();
        m_window->runBar()->runs()->setValue(5);
        QSignalSpy finished(m_window->runs(), &RunController::finished);
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        QVERIFY(m_window->runs()->running());
        QVERIFY(action(ActionId::Stop)->isEnabled());
        QVERIFY(finished.wait(120'000));
        const auto outcome = qvariant_cast<RunOutcome>(finished[0][0]);
        QVERIFY2(outcome.kind == RunOutcome::Kind::Finished, qPrintable(outcome.message));
        Document* document = m_window->document();
        QTRY_COMPARE_WITH_TIMEOUT(document->stats()->info.status, std::string("finished"), 10'000);
        QVERIFY(medianNs(document->stats()->info) > 0);
        QVERIFY(m_window->runBar()->latencyText().contains(QStringLiteral("median")));
        QCOMPARE(m_window->modelPanel()->runList()->model()->rowCount(), 1);
        int measured = 0;
        for (int row = 0; row < m_window->nodes()->rowCount(); ++row)
            measured += m_window->nodes()->stat(m_window->nodes()->row(row).node) != nullptr ? 1 : 0;
        QVERIFY(measured > 0);
        m_window->selection()->select(NodeId(m_window->nodes()->row(0).node));
        QVERIFY(m_window->inspector()->plainText().contains(QStringLiteral("Executor")));
        QueryPanel* query = m_window->tabs()->query();
        query->setSql(QStringLiteral("SELECT count(*) FROM op_stats"));
        query->runQuery();
        QTRY_COMPARE_WITH_TIMEOUT(query->results()->rowCount(), 1, 10'000);
        query->setSql(QStringLiteral("DELETE FROM run"));
        query->runQuery();
        QTRY_VERIFY_WITH_TIMEOUT(!query->status().isEmpty() && !query->status().contains(QStringLiteral("row")), 10'000);
        const QString copy = m_folder.filePath(QStringLiteral("copy.hscope"));
        QVERIFY(FileCommands::copySession(document->sessionPath(), copy));
        m_window->openPath(copy);
        QTRY_VERIFY_WITH_TIMEOUT(document->hasRun() && document->model(), 10'000);
    }

    void stopEndsARunCleanly() {
        NEED_RUNNER();
        open();
        m_window->runBar()->runs()->setValue(1'000'000);
        QSignalSpy finished(m_window->runs(), &RunController::finished);
        action(ActionId::Run)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->document()->running(), 60'000);
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(finished.wait(30'000));
        QCOMPARE(qvariant_cast<RunOutcome>(finished[0][0]).kind, RunOutcome::Kind::Cancelled);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->document()->stats()->info.status, std::string("cancelled"), 10'000);
        QVERIFY(action(ActionId::Run)->isEnabled());
    }

    void killedRunnerLeavesTheWindowAndSaysSo() {
        NEED_RUNNER();
        open();
        m_window->runBar()->runs()->setValue(1'000'000);
        QSignalSpy finished(m_window->runs(), &RunController::finished);
        action(ActionId::Run)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->document()->running() && m_window->document()->stats()->lastNs > 0, 60'000);
        QCOMPARE(::kill(static_cast<pid_t>(m_window->runs()->runner().processId()), SIGKILL), 0);
        QVERIFY(finished.wait(30'000));
        QCOMPARE(qvariant_cast<RunOutcome>(finished[0][0]).kind, RunOutcome::Kind::Crashed);
        QVERIFY(m_window->banner()->isVisible());
        QVERIFY(m_window->banner()->text().contains(QStringLiteral("signal 9")));
        QVERIFY(m_window->log()->plainText().contains(QStringLiteral("signal 9")));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->document()->stats()->info.status, std::string("interrupted"), 10'000);
        QVERIFY(m_window->document()->hasRun());
        QVERIFY(action(ActionId::Run)->isEnabled());
    }

    void sessionWithoutItsModelStillShows() {
        NEED_RUNNER();
        const QString model = m_folder.filePath(QStringLiteral("gone.onnx"));
        const QString session = m_folder.filePath(QStringLiteral("gone.hscope"));
        QVERIFY(QFile::copy(m_model, model));
        QCOMPARE(QProcess::execute(builtRunner(), {QStringLiteral("run"), model, QStringLiteral("--session"), session, QStringLiteral("--runs"),
                                                   QStringLiteral("3"), QStringLiteral("--json")}),
                 0);
        QVERIFY(QFile::remove(model));
        m_window->openPath(session);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->document()->hasRun() && !m_window->document()->loading(), 10'000);
        QVERIFY(!m_window->document()->model());
        QVERIFY(m_window->nodes()->rowCount() > 0);
        QVERIFY(m_window->banner()->text().contains(QStringLiteral("gone.onnx")));
        QVERIFY(!action(ActionId::Run)->isEnabled());
        QVERIFY(action(ActionId::SaveSessionAs)->isEnabled());
        QCOMPARE(m_window->tabs()->currentIndex(), 1);
    }

private:
    QAction* action(ActionId id) const { return m_window->actions()[id]; }
    void open() {
        m_window->openPath(m_model);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->document()->model() && !m_window->document()->loading(), 10'000);
    }

    QTemporaryDir m_folder;
    QString m_model;
    std::unique_ptr<WarningTrap> m_trap;
    Language m_language;
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(ShellWindowTest)
#include "shell_window_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QXmlStreamReader>

#include "gui_fixture.h"
#include "ui/shell/language.h"

using namespace hs::ui;

namespace {

struct Entry {
    QString source;
    QStringList forms;
    bool finished = true;
    bool numerus = false;
};

QHash<QString, Entry> readCatalog(const QString& path) {
    QHash<QString, Entry> out;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return out;
    QXmlStreamReader xml(&file);
    QString context;
    Entry entry;
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::EndElement && xml.name() == QLatin1String("message")) out.insert(context + u'|' + entry.source, entry);
        if (!xml.isStartElement()) continue;
        if (xml.name() == QLatin1String("name")) context = xml.readElementText();
        if (xml.name() == QLatin1String("message")) {
            entry = {};
            entry.numerus = xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes");
        }
        if (xml.name() == QLatin1String("source")) entry.source = xml.readElementText();
        if (xml.name() == QLatin1String("translation")) {
            entry.finished = xml.attributes().value(QLatin1String("type")).isEmpty();
            if (!entry.numerus) entry.forms = {xml.readElementText()};
        }
        if (xml.name() == QLatin1String("numerusform")) entry.forms << xml.readElementText();
    }
    return out;
}

QSet<QString> places(const QString& text) {
    static const QRegularExpression kPlace(QStringLiteral("%(L?[1-9]|n)"));
    QSet<QString> out;
    for (auto it = kPlace.globalMatch(text); it.hasNext();)
        out.insert(it.next().captured());
    return out;
}

}  // namespace

/// Every string of the sources is in the catalogs, finished, with the same places.
class ShellTranslationsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const QString lupdate = QStringLiteral(HS_LUPDATE);
        QVERIFY2(QFileInfo(lupdate).isExecutable(), "lupdate is part of Qt's tools: install qt6-l10n-tools");
        QProcess process;
        process.setWorkingDirectory(QStringLiteral(HS_SOURCE_DIR));
        process.start(lupdate, {QStringLiteral("-silent"), QStringLiteral("-locations"), QStringLiteral("none"), QStringLiteral("-I"), QStringLiteral("."),
                                QStringLiteral("ui"), QStringLiteral("app/gui"), QStringLiteral("-ts"), m_folder.filePath(QStringLiteral("found.ts"))});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(QString::fromUtf8(process.readAllStandardError()), QString());
        m_found = readCatalog(m_folder.filePath(QStringLiteral("found.ts")));
        QVERIFY(m_found.size() > 100);
    }

    void chineseIsComplete() {
        const auto catalog = readCatalog(QStringLiteral(HS_SOURCE_DIR "/translations/heteroscope_zh_CN.ts"));
        checkAgainst(catalog, [](const Entry&) { return true; });
        for (auto it = catalog.begin(); it != catalog.end(); ++it)
            QVERIFY2(m_found.contains(it.key()), qPrintable(QStringLiteral("no longer in the sources, run lupdate: ") + it.key()));
    }

    void englishPluralsAreComplete() {
        const auto catalog = readCatalog(QStringLiteral(HS_SOURCE_DIR "/translations/heteroscope_en.ts"));
        checkAgainst(catalog, [](const Entry& entry) { return entry.numerus; });
    }

    void catalogsAreInTheProgram() {
        Language language;
        language.set(QStringLiteral("zh_CN"));
        QCOMPARE(QCoreApplication::translate("hs::ui::CentralTabs", "Timeline"), QStringLiteral("时间线"));
        language.set(QStringLiteral("en"));
        QCOMPARE(QCoreApplication::translate("hs::ui::CentralTabs", "Timeline"), QStringLiteral("Timeline"));
        QCOMPARE(QCoreApplication::translate("hs::ui::OperatorTable", "%n call(s)", nullptr, 1), QStringLiteral("1 call"));
        QCOMPARE(QCoreApplication::translate("hs::ui::OperatorTable", "%n call(s)", nullptr, 3), QStringLiteral("3 calls"));
    }

private:
    template <class Wanted>
    void checkAgainst(const QHash<QString, Entry>& catalog, Wanted wanted) {
        for (auto it = m_found.begin(); it != m_found.end(); ++it) {
            if (!wanted(*it)) continue;
            const QByteArray key = it.key().toUtf8();
            QVERIFY2(catalog.contains(it.key()), ("missing in the catalog: " + key).constData());
            const Entry& entry = catalog[it.key()];
            QVERIFY2(entry.finished && !entry.forms.isEmpty() && !entry.forms.contains(QString()), ("unfinished: " + key).constData());
            for (const QString& form : entry.forms)
                QVERIFY2(places(form) == places(entry.source), ("other places: " + key + " -> " + form.toUtf8()).constData());
        }
    }

    QTemporaryDir m_folder;
    QHash<QString, Entry> m_found;
};

QTEST_MAIN(ShellTranslationsTest)
#include "shell_translations_test.moc"

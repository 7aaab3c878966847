// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

namespace hs::ui {

void Language::set(const QString& code) {
    m_code = code;
    const QLocale locale = code.isEmpty() ? QLocale::system() : QLocale(code);
    m_effective = locale.language() == QLocale::Chinese ? QStringLiteral("zh_CN") : QStringLiteral("en");
    QLocale::setDefault(locale);
    QCoreApplication::removeTranslator(&m_own);
    QCoreApplication::removeTranslator(&m_qt);
    // Qt's own words (dialog buttons) come from Qt's installation, where it has them.
    if (m_qt.load(QStringLiteral("qtbase_") + m_effective, QLibraryInfo::path(QLibraryInfo::TranslationsPath))) QCoreApplication::installTranslator(&m_qt);
    if (m_own.load(QStringLiteral(":/i18n/heteroscope_%1.qm").arg(m_effective)))
        QCoreApplication::installTranslator(&m_own);
    else
        qWarning("the catalog of language %s is missing from the program", qPrintable(m_effective));
}

}  // namespace hs::ui

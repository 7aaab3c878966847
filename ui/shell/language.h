// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTranslator>

namespace hs::ui {

/// Installs the catalogs of a language; open windows retranslate themselves on the LanguageChange event that follows.
class Language : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// "en", "zh_CN", or empty for the system's. Also sets the locale of numbers.
    void set(const QString& code);
    QString code() const { return m_code; }
    /// The language in use: "en" or "zh_CN".
    QString effective() const { return m_effective; }

private:
    QString m_code;
    QString m_effective;
    QTranslator m_own;
    QTranslator m_qt;
};

}  // namespace hs::ui

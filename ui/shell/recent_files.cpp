// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace hs::ui {
namespace {

constexpr qsizetype kMost = 12;
const QString kKey = QStringLiteral("recentFiles");

}  // namespace

RecentFiles::RecentFiles(QObject* parent) : QObject(parent), m_files(QSettings().value(kKey).toStringList()) {}

QStringList RecentFiles::files() const {
    QStringList out;
    for (const QString& path : m_files)
        if (QFileInfo::exists(path)) out.append(path);
    return out;
}

void RecentFiles::add(const QString& path) {
    const QString full = QFileInfo(path).absoluteFilePath();
    m_files.removeAll(full);
    m_files.prepend(full);
    m_files.resize(std::min(m_files.size(), kMost));
    QSettings().setValue(kKey, m_files);
    emit changed();
}

void RecentFiles::clear() {
    m_files.clear();
    QSettings().remove(kKey);
    emit changed();
}

}  // namespace hs::ui

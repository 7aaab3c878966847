// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/reason_text.h"

#include <QCoreApplication>
#include <algorithm>

namespace hs::ui {
namespace {

// The templates of core/base/reason.cpp once more, where lupdate finds them; a test compares the two lists.
constexpr const char* kTemplates[] = {
    QT_TRANSLATE_NOOP("Reason", "plugin was built for ABI %1, this program has ABI %2: rebuild the plugin"),
    QT_TRANSLATE_NOOP("Reason", "library %1 is missing (needed for %2): %3"),
    QT_TRANSLATE_NOOP("Reason", "disabled in the settings"),
    QT_TRANSLATE_NOOP("Reason", "the plugin file could not be loaded: %1"),
    QT_TRANSLATE_NOOP("Reason", "the plugin's metadata is not valid: %1"),
    QT_TRANSLATE_NOOP("Reason", "no device of this kind was found: %1"),
    QT_TRANSLATE_NOOP("Reason", "not part of this build: %1"),
    QT_TRANSLATE_NOOP("Reason", "probing for devices failed: %1"),
    QT_TRANSLATE_NOOP("Reason", "%1 is not offered by this machine: %2"),
    QT_TRANSLATE_NOOP("Reason", "executor %1 has no kernel for %2 with attribute %3"),
    QT_TRANSLATE_NOOP("Reason", "executor %1 could not compile %2: %3"),
    QT_TRANSLATE_NOOP("Reason", "executor %1 has no kernel for %2 on %3"),
    QT_TRANSLATE_NOOP("Reason", "executor %1 needs static shapes for %2"),
    QT_TRANSLATE_NOOP("Reason", "executor %1 has no kernel for operator %2"),
    QT_TRANSLATE_NOOP("Reason", "executor %1 does not support the shape of %2: %3"),
    QT_TRANSLATE_NOOP("Reason", "highest-ranked executor that supports the node"),
    QT_TRANSLATE_NOOP("Reason", "control flow is driven by the host"),
    QT_TRANSLATE_NOOP("Reason", "device %1 takes part only when it is named"),
    QT_TRANSLATE_NOOP("Reason", "its outputs are not used, or equal its input"),
    QT_TRANSLATE_NOOP("Reason", "no executor of device %1 supports it: runs on %2"),
    QT_TRANSLATE_NOOP("Reason", "computed once while planning: its result does not depend on the inputs' values"),
    QT_TRANSLATE_NOOP("Reason", "no executor supports operator %1 (domain %2)"),
    QT_TRANSLATE_NOOP("Reason", "pinned by rule %1 of the config"),
    QT_TRANSLATE_NOOP("Reason", "needs no kernel: its output is its input under another shape"),
};

}  // namespace

QString reasonText(const Reason& reason, const QString& fallback) {
    if (reason.empty()) return fallback;
    const auto& all = reasonTemplates();
    const auto it = std::find_if(all.begin(), all.end(), [&](const ReasonTemplate& t) { return t.code == reason.code; });
    if (it == all.end()) return fallback.isEmpty() ? QString::fromStdString(reason.text()) : fallback;
    const QString pattern = QCoreApplication::translate("Reason", std::string(it->english).c_str());
    return QString::fromStdString(fillTemplate(pattern.toStdString(), reason.args));
}

QStringList translatableReasons() {
    QStringList out;
    for (const char* pattern : kTemplates)
        out.append(QString::fromUtf8(pattern));
    return out;
}

}  // namespace hs::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/counter_text.h"

#include <QCoreApplication>

#include "ui/models/theme.h"

namespace hs::ui {
namespace {

struct CounterText {
    Q_DECLARE_TR_FUNCTIONS(hs::ui::CounterText)
};

/// "3.80 G" and "Hz" to "3.80 GHz"; "42" and "Hz" to "42 Hz".
QString scaled(double value, const QString& unit) {
    const QString number = formatCount(value);
    return number.contains(u' ') ? number + unit : number + u' ' + unit;
}

}  // namespace

QString counterName(const QString& name) {
    if (name == QLatin1String("RSS")) return CounterText::tr("Memory (RSS)");
    if (name == QLatin1String("peak RSS")) return CounterText::tr("Peak memory (RSS)");
    if (name == QLatin1String("process CPU")) return CounterText::tr("CPU use, process");
    if (name == QLatin1String("CPU clock")) return CounterText::tr("CPU clock");
    bool numbered = false;
    const int core = name.startsWith(QLatin1String("cpu")) ? name.mid(3).toInt(&numbered) : 0;
    if (numbered) return CounterText::tr("CPU use, core %1").arg(core);
    if (name.startsWith(QLatin1String("energy "))) return CounterText::tr("Energy, %1").arg(name.mid(7));
    if (name.startsWith(QLatin1String("temperature "))) return CounterText::tr("Temperature, %1").arg(name.mid(12));
    return name;
}

QString formatCounter(double value, const QString& unit) {
    if (unit == QLatin1String("bytes") || unit == QLatin1String("B")) return formatBytes(value);
    if (unit == QLatin1String("ns")) return formatDuration(value);
    if (unit == QLatin1String("fraction")) return formatPercent(value);
    if (unit == QLatin1String("%") || unit == QLatin1String("percent")) return formatPercent(value / 100.0);
    if (unit == QLatin1String("MHz")) return scaled(value * 1e6, QStringLiteral("Hz"));
    if (unit == QLatin1String("Hz") || unit == QLatin1String("J") || unit == QLatin1String("W")) return scaled(value, unit);
    return unit.isEmpty() ? formatCount(value) : formatCount(value) + u' ' + unit;
}

}  // namespace hs::ui

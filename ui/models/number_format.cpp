// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLocale>
#include <array>
#include <cmath>

#include "ui/models/theme.h"

namespace hs::ui {
namespace {

/// Three significant digits, without an exponent.
QString threeDigits(double value) {
    const double size = std::abs(value);
    const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return QLocale().toString(value, 'f', decimals);
}

struct Unit {
    double factor;
    const char* name;
};

template <std::size_t N>
QString withUnit(double value, const std::array<Unit, N>& units) {
    if (!std::isfinite(value)) return QStringLiteral("–");
    for (std::size_t i = 0; i < N; ++i) {
        // 999.6 rounds to 1000: that is one of the next unit.
        if (std::abs(value) >= units[i].factor * 0.9995 || i + 1 == N) return threeDigits(value / units[i].factor) + u' ' + QString::fromUtf8(units[i].name);
    }
    return {};
}

constexpr std::array<Unit, 4> kTimes = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};
constexpr std::array<Unit, 5> kBytes = {{{1099511627776.0, "TiB"}, {1073741824.0, "GiB"}, {1048576.0, "MiB"}, {1024.0, "KiB"}, {1, "B"}}};
constexpr std::array<Unit, 4> kCounts = {{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};

QString whole(double value) {
    return QLocale().toString(static_cast<qlonglong>(std::llround(value)));
}

}  // namespace

QString formatDuration(double ns) {
    if (std::isfinite(ns) && std::abs(ns) < 999.5) return whole(ns) + QStringLiteral(" ns");
    return withUnit(ns, kTimes);
}

QString formatBytes(double bytes) {
    if (std::isfinite(bytes) && std::abs(bytes) < 1023.5) return whole(bytes) + QStringLiteral(" B");
    return withUnit(bytes, kBytes);
}

QString formatCount(double count) {
    if (std::isfinite(count) && std::abs(count) < 999.5) return count == std::floor(count) ? whole(count) : threeDigits(count);
    return withUnit(count, kCounts);
}

QString formatPercent(double fraction) {
    return std::isfinite(fraction) ? threeDigits(fraction * 100.0) + QStringLiteral(" %") : QStringLiteral("–");
}

QString exactDuration(double ns) {
    return whole(ns) + QStringLiteral(" ns");
}

QString exactBytes(double bytes) {
    return whole(bytes) + QStringLiteral(" B");
}

}  // namespace hs::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/viewport.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace hs::ui {
namespace {

constexpr double kAir = 0.02;    ///< Left free on each side by fit().
constexpr double kSlack = 0.25;  ///< How far beyond the extent the view may go, as a share of what is shown.

struct Unit {
    double ns;
    std::string_view name;
};
constexpr std::array kUnits = {Unit{1e9, "s"}, Unit{1e6, "ms"}, Unit{1e3, "µs"}, Unit{1, "ns"}};

}  // namespace

void TimeViewport::setExtent(std::int64_t firstNs, std::int64_t lastNs) {
    m_first = firstNs;
    m_last = std::max(lastNs, firstNs + 1);
}

void TimeViewport::show(double fromNs, double toNs) {
    const double extent = static_cast<double>(m_last - m_first);
    const double span = std::clamp(toNs - fromNs, kMinSpanNs, std::max(extent * (1 + 2 * kAir), kMinSpanNs));
    const double middle = (fromNs + toNs) / 2;
    const double low = static_cast<double>(m_first) - std::max(span * kSlack, extent * kAir);
    const double high = static_cast<double>(m_last) + std::max(span * kSlack, extent * kAir);
    m_from = std::clamp(middle - span / 2, low, std::max(low, high - span));
    m_to = m_from + span;
}

void TimeViewport::fit() {
    const double air = static_cast<double>(m_last - m_first) * kAir;
    show(static_cast<double>(m_first) - air, static_cast<double>(m_last) + air);
}

void TimeViewport::zoomBy(double factor, double x) {
    const double at = toNsAt(x);
    const double span = std::max(spanNs() / factor, kMinSpanNs);
    const double share = x / m_width;
    show(at - span * share, at + span * (1 - share));
}

void TimeViewport::reveal(std::int64_t fromNs, std::int64_t toNs) {
    const auto from = static_cast<double>(fromNs), to = static_cast<double>(toNs);
    if (from >= m_from && to <= m_to) return;
    const double span = std::max(spanNs(), (to - from) * 1.5);
    const double middle = (from + to) / 2;
    show(middle - span / 2, middle + span / 2);
}

std::int64_t TimeViewport::tickStepNs(double minPixels) const {
    const double wanted = std::max(1.0, nsPerPixel() * minPixels);
    std::int64_t step = 1;
    for (;;) {
        for (const std::int64_t factor : {1, 2, 5})
            if (static_cast<double>(step * factor) >= wanted) return step * factor;
        step *= 10;
    }
}

std::vector<TimeTick> TimeViewport::ticks(double minPixels) const {
    const std::int64_t major = tickStepNs(minPixels);
    const std::int64_t minor = std::max<std::int64_t>(1, major / 5);
    std::vector<TimeTick> out;
    const auto first = static_cast<std::int64_t>(std::floor(m_from / static_cast<double>(minor)));
    for (std::int64_t i = first; static_cast<double>(i) * static_cast<double>(minor) <= m_to; ++i) {
        const std::int64_t ns = i * minor;
        if (static_cast<double>(ns) >= m_from) out.push_back({ns, toX(static_cast<double>(ns)), ns % major == 0});
    }
    return out;
}

std::string tickLabel(std::int64_t ns, std::int64_t stepNs) {
    const double magnitude = std::max(std::abs(static_cast<double>(ns)), static_cast<double>(stepNs));
    const auto unit = std::find_if(kUnits.begin(), kUnits.end() - 1, [&](const Unit& u) { return magnitude >= u.ns; });
    int decimals = 0;
    for (double step = static_cast<double>(stepNs) / unit->ns; step < 0.9999 && decimals < 9; step *= 10)
        ++decimals;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f %.*s", decimals, static_cast<double>(ns) / unit->ns, static_cast<int>(unit->name.size()), unit->name.data());
    return text.data();
}

}  // namespace hs::ui

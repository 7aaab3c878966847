// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hs::ui {

/// A mark of the time axis.
struct TimeTick {
    std::int64_t ns = 0;
    double x = 0;  ///< Pixels from the left edge.
    bool major = false;
};

/// The visible stretch of time and its mapping to pixels, from single nanoseconds to minutes. Times are run nanoseconds.
class TimeViewport {
public:
    static constexpr double kMinSpanNs = 20;

    void setWidth(double pixels) { m_width = pixels < 1 ? 1 : pixels; }
    void setExtent(std::int64_t firstNs, std::int64_t lastNs);
    /// Shows [fromNs, toNs), at least kMinSpanNs of it and never much more than the extent.
    void show(double fromNs, double toNs);
    void fit();  ///< The whole extent with a little air.
    void panBy(double pixels) { show(m_from + pixels * nsPerPixel(), m_to + pixels * nsPerPixel()); }
    /// factor > 1 magnifies; the time under `x` stays where it is.
    void zoomBy(double factor, double x);
    /// Brings a stretch into view: pans when it fits, zooms out when it does not.
    void reveal(std::int64_t fromNs, std::int64_t toNs);

    double fromNs() const { return m_from; }
    double toNs() const { return m_to; }
    double spanNs() const { return m_to - m_from; }
    double width() const { return m_width; }
    std::int64_t firstNs() const { return m_first; }
    std::int64_t lastNs() const { return m_last; }
    double nsPerPixel() const { return (m_to - m_from) / m_width; }
    double toX(double ns) const { return (ns - m_from) / nsPerPixel(); }
    double toNsAt(double x) const { return m_from + x * nsPerPixel(); }

    /// Distance of major ticks: 1, 2 or 5 times a power of ten ns, at least `minPixels` apart.
    std::int64_t tickStepNs(double minPixels = 90) const;
    std::vector<TimeTick> ticks(double minPixels = 90) const;

private:
    double m_from = 0, m_to = 1e6, m_width = 1000;
    std::int64_t m_first = 0, m_last = 1'000'000;
};

/// "12.5 ms" with as many decimals as ticks `stepNs` apart need to differ.
std::string tickLabel(std::int64_t ns, std::int64_t stepNs);

}  // namespace hs::ui

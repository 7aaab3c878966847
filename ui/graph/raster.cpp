// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/raster.h"

#include <array>
#include <cmath>

namespace hs::ui {

void Raster::fill(std::uint32_t rgb) {
    for (int y = m_y0; y < m_y1; ++y)
        std::fill(m_pixels + std::ptrdiff_t{y} * m_stride + m_x0, m_pixels + std::ptrdiff_t{y} * m_stride + m_x1, rgb | 0xFF000000U);
}

inline void Raster::blend(int x, int y, std::uint32_t rgb, std::uint32_t a) {
    if (x < m_x0 || x >= m_x1 || y < m_y0 || y >= m_y1) return;
    std::uint32_t& p = m_pixels[std::ptrdiff_t{y} * m_stride + x];
    const std::uint32_t rb = (((rgb & 0xFF00FFU) * a + (p & 0xFF00FFU) * (256 - a)) >> 8U) & 0xFF00FFU;
    const std::uint32_t g = (((rgb & 0xFF00U) * a + (p & 0xFF00U) * (256 - a)) >> 8U) & 0xFF00U;
    p = 0xFF000000U | rb | g;
}

void Raster::box(const Box& b, std::uint32_t rgb, double alpha) {
    const double x0 = std::max<double>(b.x0, m_x0), y0 = std::max<double>(b.y0, m_y0), x1 = std::min<double>(b.x1, m_x1), y1 = std::min<double>(b.y1, m_y1);
    if (x1 <= x0 || y1 <= y0) return;
    const int firstX = static_cast<int>(std::floor(x0)), lastX = static_cast<int>(std::ceil(x1)), lastY = static_cast<int>(std::ceil(y1));
    for (int y = static_cast<int>(std::floor(y0)); y < lastY; ++y) {
        const double coverY = std::min<double>(y + 1, y1) - std::max<double>(y, y0);
        for (int x = firstX; x < lastX; ++x) {
            const double coverX = std::min<double>(x + 1, x1) - std::max<double>(x, x0);
            blend(x, y, rgb, static_cast<std::uint32_t>(256 * alpha * coverX * coverY + 0.5));
        }
    }
}

/// Liang-Barsky, with a pixel of margin for the soft edge.
bool Raster::clip(Vec2& a, Vec2& b) const {
    double t0 = 0, t1 = 1;
    const double dx = b.x - a.x, dy = b.y - a.y;
    const std::array<std::array<double, 2>, 4> sides = {{{-dx, a.x - (m_x0 - 1)}, {dx, m_x1 + 1 - a.x}, {-dy, a.y - (m_y0 - 1)}, {dy, m_y1 + 1 - a.y}}};
    for (const auto& [p, q] : sides) {
        if (p == 0) {
            if (q < 0) return false;
        } else if (p < 0) {
            t0 = std::max(t0, q / p);
        } else {
            t1 = std::min(t1, q / p);
        }
    }
    if (t0 > t1) return false;
    const Vec2 start = a;
    a = {start.x + t0 * dx, start.y + t0 * dy};
    b = {start.x + t1 * dx, start.y + t1 * dy};
    return true;
}

void Raster::line(Vec2 a, Vec2 b, std::uint32_t rgb, double alpha) {
    if (!clip(a, b)) return;
    const auto strength = static_cast<float>(256 * alpha);
    const bool steep = std::abs(b.y - a.y) > std::abs(b.x - a.x);
    if (steep) {
        std::swap(a.x, a.y);
        std::swap(b.x, b.y);
    }
    if (a.x > b.x) std::swap(a, b);
    const double length = b.x - a.x;
    const double slope = length > 0 ? (b.y - a.y) / length : 0;
    const int first = static_cast<int>(std::floor(a.x)), last = static_cast<int>(std::floor(b.x));
    for (int i = first; i <= last; ++i) {
        // The piece of this pixel's column that the line covers; its ends may be fractions.
        const double from = std::max<double>(i, a.x), to = std::min<double>(i + 1, b.x);
        const float part = strength * static_cast<float>(length > 1 ? to - from : std::max(to - from, 0.35));
        const double across = a.y + ((from + to) / 2 - a.x) * slope - 0.5;
        const int row = static_cast<int>(std::floor(across));
        const auto second = static_cast<float>(across - row);
        const auto w0 = static_cast<std::uint32_t>(part * (1 - second)), w1 = static_cast<std::uint32_t>(part * second);
        if (steep) {
            blend(row, i, rgb, w0);
            blend(row + 1, i, rgb, w1);
        } else {
            blend(i, row, rgb, w0);
            blend(i, row + 1, rgb, w1);
        }
    }
}

void Raster::curve(Vec2 a, Vec2 b, std::uint32_t rgb, double alpha) {
    const double dx = std::abs(b.x - a.x), dy = std::abs(b.y - a.y);
    if (dx < 1 || dy < 6) return line(a, b, rgb, alpha);
    const int pieces = std::clamp(static_cast<int>((dx + dy) / 8), 4, 20);
    Vec2 last = a;
    for (int i = 1; i <= pieces; ++i) {
        const double t = static_cast<double>(i) / pieces;
        const double s = t * t * (3 - 2 * t);  // x of the cubic with vertical tangents; y as for control points at half height
        const double u = 1 - t;
        const double y = a.y + (b.y - a.y) * (1.5 * u * u * t + 1.5 * u * t * t + t * t * t);
        const Vec2 p{a.x + (b.x - a.x) * s, y};
        line(last, p, rgb, alpha);
        last = p;
    }
}

}  // namespace hs::ui

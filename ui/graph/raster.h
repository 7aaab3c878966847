// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "ui/graph/geometry.h"

namespace hs::ui {

/// Draws thousands of thin lines and small boxes into a 32-bit image (0xffRRGGBB), where a general painter would be too slow.
/// Coverage is blended, so that crowds of things smaller than a pixel turn into density. Coordinates in pixels.
class Raster {
public:
    /// `stride` in pixels. Only the window [clip) is touched.
    Raster(std::uint32_t* pixels, int stride, int clipX0, int clipY0, int clipX1, int clipY1)
        : m_pixels(pixels), m_stride(stride), m_x0(clipX0), m_y0(clipY0), m_x1(clipX1), m_y1(clipY1) {}

    void fill(std::uint32_t rgb);
    /// A box with soft edges; alpha 0 … 1.
    void box(const Box& b, std::uint32_t rgb, double alpha = 1);
    /// An anti-aliased line one pixel wide (X. Wu, "An Efficient Antialiasing Technique", SIGGRAPH 1991).
    void line(Vec2 a, Vec2 b, std::uint32_t rgb, double alpha = 1);
    /// A curve that leaves a and arrives at b vertically.
    void curve(Vec2 a, Vec2 b, std::uint32_t rgb, double alpha = 1);

private:
    void blend(int x, int y, std::uint32_t rgb, std::uint32_t alpha256);
    bool clip(Vec2& a, Vec2& b) const;

    std::uint32_t* m_pixels;
    int m_stride;
    int m_x0, m_y0, m_x1, m_y1;
};

}  // namespace hs::ui

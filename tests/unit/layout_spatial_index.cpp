// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <random>
#include <set>

#include "ui/graph/spatial_index.h"

namespace hs::ui {
namespace {

TEST(SpatialIndex, AnswersLikeALinearSearch) {
    std::mt19937 rng(5);
    std::uniform_real_distribution<double> at(0, 1000), size(0, 60);
    std::vector<Box> boxes;
    for (int i = 0; i < 3000; ++i) {
        const Vec2 p{at(rng), at(rng)};
        boxes.push_back({p.x, p.y, p.x + size(rng), p.y + size(rng)});
    }
    const SpatialIndex index(boxes);
    for (int q = 0; q < 100; ++q) {
        const Vec2 p{at(rng), at(rng)};
        const Box window{p.x, p.y, p.x + size(rng), p.y + size(rng)};
        std::set<std::uint32_t> expected, found;
        for (std::uint32_t i = 0; i < boxes.size(); ++i)
            if (boxes[i].intersects(window)) expected.insert(i);
        index.query(window, [&](std::uint32_t i) { EXPECT_TRUE(found.insert(i).second); });
        EXPECT_EQ(found, expected);
        EXPECT_EQ(index.count(window, 1'000'000), expected.size());
    }
}

TEST(SpatialIndex, CountsUpToTheLimit) {
    const SpatialIndex index(std::vector<Box>(500, Box{0, 0, 1, 1}));
    EXPECT_EQ(index.count({0, 0, 1, 1}, 20), 20U);
    EXPECT_EQ(index.count({5, 5, 6, 6}, 20), 0U);
}

TEST(SpatialIndex, EmptyIndexFindsNothing) {
    SpatialIndex(std::vector<Box>{}).query({0, 0, 1, 1}, [](std::uint32_t) { FAIL(); });
    EXPECT_EQ(SpatialIndex().count({0, 0, 1, 1}, 5), 0U);
}

}  // namespace
}  // namespace hs::ui

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <thread>

#include "core/trace/ring.h"

namespace hs {
namespace {

TEST(SpscRing, RefusesWhenFullAndTakesAgainAfterDraining) {
    SpscRing<int> ring(5);
    EXPECT_EQ(ring.capacity(), 8U);
    for (int i = 0; i < 8; ++i)
        EXPECT_TRUE(ring.tryPush(i));
    EXPECT_FALSE(ring.tryPush(8));
    EXPECT_EQ(ring.used(), 8U);
    int next = 0;
    EXPECT_EQ(ring.drain([&](int v) { EXPECT_EQ(v, next++); }), 8U);
    EXPECT_TRUE(ring.tryPush(8));
    EXPECT_EQ(ring.drain([&](int v) { EXPECT_EQ(v, 8); }), 1U);
}

TEST(SpscRing, TwoThreadsLoseNothingAndKeepTheOrder) {
    struct Item {
        std::uint64_t value = 0, check = 0;
    };
    SpscRing<Item> ring(1024);
    constexpr std::uint64_t kItems = 2'000'000;
    std::thread producer([&] {
        for (std::uint64_t i = 0; i < kItems;)
            if (ring.tryPush({i, ~i}))
                ++i;
            else
                std::this_thread::yield();
    });
    std::uint64_t next = 0, wrong = 0;
    while (next < kItems) {
        const std::size_t got = ring.drain([&](const Item& item) {
            wrong += item.value != next || item.check != ~next ? 1 : 0;
            ++next;
        });
        if (got == 0) std::this_thread::yield();
    }
    producer.join();
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(ring.used(), 0U);
}

}  // namespace
}  // namespace hs

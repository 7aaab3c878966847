// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/graph/element.h"

namespace hs {
namespace {

Element s(const char* text) {
    return Element(std::string(text));
}

TEST(Element, KeepsExpressionsShort) {
    EXPECT_EQ(add(add(s("H"), Element(3)), Element(-3)), s("H"));
    EXPECT_EQ(add(s("H"), Element(-1)), s("H-1"));
    EXPECT_EQ(add(s("b"), s("a")), add(s("a"), s("b")));
    EXPECT_EQ(sub(add(s("H"), Element(4)), s("H")), Element(4));
    EXPECT_EQ(mul(s("N"), Element(1)), s("N"));
    EXPECT_EQ(mul(Element(12), s("N")), s("12*N"));
    EXPECT_EQ(floorDiv(floorDiv(s("W"), Element(2)), Element(4)), s("W/8"));
    EXPECT_EQ(floorDiv(mul(s("W"), Element(4)), Element(4)), s("W"));
    EXPECT_EQ(add(floorDiv(add(s("H"), Element(-1)), Element(2)), Element(1)), s("(H-1)/2+1"));
}

TEST(Element, NumbersRoundDownAndNeverOverflow) {
    EXPECT_EQ(floorDiv(Element(-7), Element(2)), Element(-4));
    EXPECT_EQ(ceilDiv(Element(7), 2), Element(4));
    EXPECT_EQ(add(Element(INT64_MAX), Element(1)), Element());
    EXPECT_EQ(mul(Element(INT64_MAX), Element(2)), Element());
    EXPECT_EQ(floorDiv(Element(INT64_MIN), Element(-1)), Element());
    EXPECT_EQ(floorDiv(Element(4), Element(0)), Element());
}

TEST(Element, NegativeNumbersAreNoSizes) {
    EXPECT_TRUE(Element(-1).known());
    EXPECT_TRUE(Element(-1).dim().unknown());
}

TEST(Element, ExpressionsAreBounded) {
    Element e = s("x");
    for (int i = 0; i < 1000; ++i)
        e = add(e, s("y"));
    EXPECT_EQ(e, Element());
}

}  // namespace
}  // namespace hs

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

#include "tests/unit/onednn_harness.h"

namespace hs::test {
namespace {

struct Accumulator {
    double sum = 0, absolute = 0, square = 0, product = 1;
    int count = 0;
    void add(double x) {
        sum += x;
        absolute += std::abs(x);
        square += x * x;
        product *= x;
        ++count;
    }
};

TEST(OneDnnReduction, EqualsTheDefinition) {
    const std::pair<const char*, std::function<double(const Accumulator&)>> ops[] = {
        {"ReduceSum", [](const Accumulator& a) { return a.sum; }},
        {"ReduceMean", [](const Accumulator& a) { return a.sum / a.count; }},
        {"ReduceProd", [](const Accumulator& a) { return a.product; }},
        {"ReduceL1", [](const Accumulator& a) { return a.absolute; }},
        {"ReduceL2", [](const Accumulator& a) { return std::sqrt(a.square); }},
        {"ReduceSumSquare", [](const Accumulator& a) { return a.square; }},
    };
    const Tensor x = random({3, 1, 4, 5}, 1);
    for (const std::vector<std::int64_t>& axes : {std::vector<std::int64_t>{3}, {-1, -2}, {0}, {0, 2}, {1}, {2}, {}})
        for (const auto& [op, finish] : ops) {
            Dims kept = x.dims();
            for (const std::int64_t axis : axes.empty() ? std::vector<std::int64_t>{0, 1, 2, 3} : axes)
                kept[static_cast<std::size_t>((axis + 4) % 4)] = 1;
            std::vector<Accumulator> cells(static_cast<std::size_t>(*elementCount(kept)));
            forEachIndex(x.dims(), [&](const Dims& i) {
                Dims at = i;
                for (std::size_t k = 0; k < at.size(); ++k)
                    if (kept[k] == 1) at[k] = 0;
                cells[flatIndex(kept, at)].add(spreadAt(x, i));
            });
            std::vector<float> want;
            for (const Accumulator& cell : cells)
                want.push_back(static_cast<float>(finish(cell)));
            SCOPED_TRACE(fmt::format("{} axes {}", op, toString(axes)));
            NodeCase asAttribute(op, {variable(x)}, {kept});
            if (!axes.empty()) asAttribute.ints("axes", axes);
            expectClose(valuesOf(asAttribute.opset(11)), want);
            if (axes.empty()) continue;
            NodeCase asInput(op, {variable(x), constant(ints64({static_cast<std::int64_t>(axes.size())}, axes))}, {kept});
            expectClose(valuesOf(asInput.opset(18)), want);
        }
    NodeCase unknownAxes("ReduceSum", {variable(x), variable(ints64({1}, {0}))}, {{1, 1, 4, 5}});
    EXPECT_THAT(ask(unknownAxes).reason.text(), ::testing::HasSubstr("axes"));
}

TEST(OneDnnLayout, TransposesAnyPermutation) {
    const Tensor x = random({2, 3, 4, 5}, 1);
    std::vector<std::int64_t> perm = {0, 1, 2, 3};
    do {
        Dims out(4);
        for (std::size_t i = 0; i < 4; ++i)
            out[i] = x.dims()[static_cast<std::size_t>(perm[i])];
        std::vector<float> want;
        forEachIndex(out, [&](const Dims& to) {
            Dims from(4);
            for (std::size_t i = 0; i < 4; ++i)
                from[static_cast<std::size_t>(perm[i])] = to[i];
            want.push_back(spreadAt(x, from));
        });
        SCOPED_TRACE(toString(perm));
        expectClose(valuesOf(NodeCase("Transpose", {variable(x)}, {out}).ints("perm", perm)), want, 0, 0);
    } while (std::next_permutation(perm.begin(), perm.end()));
    const Tensor matrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});
    expectClose(valuesOf({"Transpose", {variable(matrix)}, {{3, 2}}}), {1, 4, 2, 5, 3, 6}, 0, 0);
    EXPECT_FALSE(ask(NodeCase("Transpose", {variable(matrix)}, {{3, 2}}).ints("perm", {0, 0})).supported);
}

TEST(OneDnnLayout, ConcatenatesAlongAnyAxis) {
    for (std::int64_t axis = -3; axis < 3; ++axis) {
        const auto position = static_cast<std::size_t>((axis + 3) % 3);
        Dims out = {2, 3, 4};
        std::vector<Operand> parts;
        std::vector<std::int64_t> starts;
        out[position] = 0;
        for (const std::int64_t length : {2, 0, 1, 5}) {
            Dims dims = {2, 3, 4};
            dims[position] = length;
            starts.push_back(out[position]);
            out[position] += length;
            parts.push_back(variable(random(dims, static_cast<unsigned>(length + 1))));
        }
        std::vector<float> want;
        forEachIndex(out, [&](const Dims& to) {
            std::size_t part = parts.size() - 1;
            while (starts[part] > to[position] || parts[part].tensor.count() == 0)
                --part;
            Dims from = to;
            from[position] -= starts[part];
            want.push_back(parts[part].tensor.data<float>()[flatIndex(parts[part].tensor.dims(), from)]);
        });
        SCOPED_TRACE(axis);
        expectClose(valuesOf(NodeCase("Concat", parts, {out}).with("axis", axis)), want, 0, 0);
    }
}

NodeCase resize(const Tensor& x, const Dims& out, const std::vector<float>& scales, const char* mode, const char* transform, const char* nearest = "floor") {
    NodeCase c("Resize", {variable(x), absent(), constant(floats({static_cast<std::int64_t>(scales.size())}, scales))}, {out});
    c.with("mode", std::string(mode)).with("coordinate_transformation_mode", std::string(transform)).with("nearest_mode", std::string(nearest));
    return c;
}

std::vector<float> naiveLinear(const Tensor& x, const Dims& out) {
    std::vector<float> want;
    const auto position = [&](std::int64_t o, std::size_t axis) {
        const double p = (static_cast<double>(o) + 0.5) * static_cast<double>(x.dims()[axis]) / static_cast<double>(out[axis]) - 0.5;
        return std::clamp(p, 0.0, static_cast<double>(x.dims()[axis] - 1));
    };
    forEachIndex(out, [&](const Dims& o) {
        const double h = position(o[2], 2);
        const double w = position(o[3], 3);
        double sum = 0;
        for (const double ph : {std::floor(h), std::floor(h) + 1})
            for (const double pw : {std::floor(w), std::floor(w) + 1}) {
                const double weight = (1 - std::abs(h - ph)) * (1 - std::abs(w - pw));
                if (weight > 0) sum += weight * spreadAt(x, {o[0], o[1], static_cast<std::int64_t>(ph), static_cast<std::int64_t>(pw)});
            }
        want.push_back(static_cast<float>(sum));
    });
    return want;
}

TEST(OneDnnResize, EqualsTheDefinitionWhereItsRuleIsTheSame) {
    const Tensor x = random({2, 3, 4, 5}, 1);
    std::vector<float> want;
    const Dims out = {2, 3, 8, 15};
    forEachIndex(out, [&](const Dims& o) { want.push_back(spreadAt(x, {o[0], o[1], o[2] / 2, o[3] / 3})); });
    expectClose(valuesOf(resize(x, out, {1, 1, 2, 3}, "nearest", "asymmetric")), want, 0, 0);
    expectClose(valuesOf(resize(x, out, {1, 1, 2, 3}, "nearest", "half_pixel", "round_prefer_floor")), want, 0, 0);
    NodeCase upsample("Upsample", {variable(x), constant(floats({4}, {1, 1, 2, 3}))}, {out});
    expectClose(valuesOf(upsample.opset(9)), want, 0, 0);
    NodeCase sizes("Resize", {variable(x), absent(), absent(), constant(ints64({4}, {2, 3, 8, 15}))}, {out});
    sizes.with("mode", std::string("linear"));
    expectClose(valuesOf(sizes), naiveLinear(x, out));
    const Dims odd = {2, 3, 7, 3};
    NodeCase oddSizes("Resize", {variable(x), absent(), absent(), constant(ints64({4}, {2, 3, 7, 3}))}, {odd});
    oddSizes.with("mode", std::string("linear")).with("coordinate_transformation_mode", std::string("pytorch_half_pixel"));
    expectClose(valuesOf(oddSizes), naiveLinear(x, odd));
}

TEST(OneDnnResize, RefusesWhereTheRuleDiffers) {
    const Tensor x = random({1, 1, 4, 4}, 1);
    EXPECT_FALSE(ask(resize(x, {1, 1, 8, 8}, {1, 1, 2, 2}, "linear", "align_corners")).supported);
    EXPECT_FALSE(ask(resize(x, {1, 1, 8, 8}, {1, 1, 2, 2}, "linear", "asymmetric")).supported);
    EXPECT_FALSE(ask(resize(x, {1, 1, 8, 8}, {1, 1, 2, 2}, "cubic", "half_pixel")).supported);
    EXPECT_FALSE(ask(resize(x, {1, 1, 2, 2}, {1, 1, 0.5, 0.5}, "nearest", "half_pixel", "round_prefer_floor")).supported) << "ties";
    EXPECT_FALSE(ask(resize(x, {1, 2, 4, 4}, {1, 2, 1, 1}, "nearest", "asymmetric")).supported) << "channels";
    EXPECT_FALSE(ask(resize(x, {1, 1, 2, 2}, {1, 1, 0.6F, 0.6F}, "linear", "half_pixel")).supported) << "2 of 4 is not a scale of 0.6";
    EXPECT_FALSE(ask(resize(x, {1, 1, 2, 2}, {1, 1, 0.6F, 0.6F}, "linear", "half_pixel_symmetric")).supported);
    NodeCase unknown("Resize", {variable(x), absent(), variable(floats({4}, {1, 1, 0.6F, 0.6F}))}, {{1, 1, 2, 2}});
    EXPECT_FALSE(ask(unknown.with("mode", std::string("linear"))).supported) << "the scale may not be 2 / 4";
    EXPECT_FALSE(runCase(resize(x, {1, 1, 8, 8}, {1, 1, 2, 2}, "linear", "align_corners"))) << "compile must not accept what supports() refuses";
}

}  // namespace
}  // namespace hs::test

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/unit/onednn_harness.h"

namespace hs::test {
namespace {

/// numpy.matmul by its definition. `out` has the result's sizes with both matrix axes (those of vectors as 1).
std::vector<float> naiveMatMul(const Tensor& a, const Tensor& b, const Dims& out) {
    Dims da = a.dims();
    Dims db = b.dims();
    if (da.size() == 1) da.insert(da.begin(), 1);
    if (db.size() == 1) db.push_back(1);
    const Tensor ta = a.reshaped(da);
    const Tensor tb = b.reshaped(db);
    std::vector<float> y;
    forEachIndex(out, [&](const Dims& index) {
        double sum = 0;
        for (std::int64_t k = 0; k < da.back(); ++k) {
            Dims ia = index;
            Dims ib = index;
            ia.back() = k;
            ib[ib.size() - 2] = k;
            sum += static_cast<double>(spreadAt(ta, ia)) * spreadAt(tb, ib);
        }
        y.push_back(static_cast<float>(sum));
    });
    return y;
}

struct Sizes {
    Dims a, b, out, fullOut;
};

class MatMul : public ::testing::TestWithParam<Sizes> {};

TEST_P(MatMul, EqualsTheDefinition) {
    const Sizes& s = GetParam();
    const Tensor a = random(s.a, 1);
    const Tensor b = random(s.b, 2);
    const auto want = naiveMatMul(a, b, s.fullOut);
    for (const bool known : {false, true})
        expectClose(valuesOf({"MatMul", {variable(a), {b, known}}, {s.out}}), want);
    expectClose(valuesOf({"MatMul", {constant(a), variable(b)}, {s.out}}), want);
}

INSTANTIATE_TEST_SUITE_P(OneDnn, MatMul,
                         ::testing::Values(Sizes{{5, 7}, {7, 3}, {5, 3}, {5, 3}}, Sizes{{64, 96}, {96, 80}, {64, 80}, {64, 80}},
                                           Sizes{{2, 3, 5, 7}, {7, 4}, {2, 3, 5, 4}, {2, 3, 5, 4}}, Sizes{{4, 5, 7}, {4, 7, 3}, {4, 5, 3}, {4, 5, 3}},
                                           Sizes{{5, 7}, {4, 7, 3}, {4, 5, 3}, {4, 5, 3}}, Sizes{{2, 1, 5, 7}, {3, 7, 4}, {2, 3, 5, 4}, {2, 3, 5, 4}},
                                           Sizes{{2, 3, 5, 7}, {2, 1, 7, 4}, {2, 3, 5, 4}, {2, 3, 5, 4}}, Sizes{{7}, {7}, {}, {1, 1}},
                                           Sizes{{7}, {7, 3}, {3}, {1, 3}}, Sizes{{5, 7}, {7}, {5}, {5, 1}}, Sizes{{2, 5, 7}, {7}, {2, 5}, {2, 5, 1}},
                                           Sizes{{7}, {3, 7, 4}, {3, 4}, {3, 1, 4}}, Sizes{{1, 1}, {1, 1}, {1, 1}, {1, 1}},
                                           Sizes{{2, 12, 17, 64}, {2, 12, 64, 17}, {2, 12, 17, 17}, {2, 12, 17, 17}}));

std::vector<float> naiveGemm(const Tensor& a, const Tensor& b, const Tensor& c, bool transA, bool transB, float alpha, float beta, std::int64_t m,
                             std::int64_t n) {
    const std::int64_t k = a.dims()[transA ? 0 : 1];
    std::vector<float> y;
    forEachIndex({m, n}, [&](const Dims& p) {
        double sum = 0;
        for (std::int64_t i = 0; i < k; ++i)
            sum += static_cast<double>(spreadAt(a, transA ? Dims{i, p[0]} : Dims{p[0], i})) * spreadAt(b, transB ? Dims{p[1], i} : Dims{i, p[1]});
        sum *= alpha;
        if (c.valid()) sum += beta * spreadAt(c, p);
        y.push_back(static_cast<float>(sum));
    });
    return y;
}

TEST(OneDnnGemm, EqualsTheDefinition) {
    const std::int64_t m = 5;
    const std::int64_t n = 6;
    const std::int64_t k = 7;
    const std::vector<Dims> addends = {{}, {1}, {n}, {1, n}, {m, 1}, {m, n}};
    for (int variant = 0; variant < 4; ++variant) {
        const bool transA = (variant & 1) != 0;
        const bool transB = (variant & 2) != 0;
        const Tensor a = random(transA ? Dims{k, m} : Dims{m, k}, 1);
        const Tensor b = random(transB ? Dims{n, k} : Dims{k, n}, 2);
        for (const auto& [alpha, beta] : {std::pair{1.0F, 1.0F}, {0.5F, 2.0F}, {1.0F, 0.0F}, {2.0F, 1.0F}})
            for (std::size_t i = 0; i <= addends.size(); ++i)
                for (const bool known : {false, true}) {
                    const Tensor c = i < addends.size() ? random(addends[i], 3) : Tensor();
                    NodeCase node("Gemm", {variable(a), {b, known}}, {{m, n}});
                    if (c.valid()) node.inputs.push_back({c, known});
                    node.with("transA", std::int64_t{transA}).with("transB", std::int64_t{transB}).with("alpha", alpha).with("beta", beta);
                    SCOPED_TRACE(fmt::format("transA {} transB {} alpha {} beta {} C {} constant {}", transA, transB, alpha, beta, i, known));
                    expectClose(valuesOf(node), naiveGemm(a, b, c, transA, transB, alpha, beta, m, n));
                }
    }
}

TEST(OneDnnMatMul, RefusesOtherTypesWithAReason) {
    NodeCase c("MatMul", {variable(ints64({2, 2}, {1, 2, 3, 4})), variable(ints64({2, 2}, {1, 2, 3, 4}))}, {{2, 2}});
    EXPECT_THAT(ask(c).reason.text(), ::testing::HasSubstr("int64"));
}

}  // namespace
}  // namespace hs::test

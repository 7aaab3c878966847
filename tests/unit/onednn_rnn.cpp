// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <gmock/gmock.h>

#include "tests/unit/onednn_harness.h"

namespace hs::test {
namespace {

constexpr std::int64_t kTime = 5, kBatch = 3, kInputs = 4, kHidden = 6;

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

struct Weights {
    Tensor w, r, b;
};

struct State {
    std::vector<double> h, c;
};

/// Gate `g` of one cell: W·x + Wb and R·h + Rb apart (the GRU variants differ in how they join them).
class Cell {
public:
    Cell(const Weights& weights, std::int64_t direction, std::int64_t gates) : m_weights(weights), m_direction(direction), m_gates(gates) {}
    double input(std::int64_t g, std::int64_t unit, const float* x) const {
        double sum = bias(g, unit, false);
        for (std::int64_t i = 0; i < kInputs; ++i)
            sum += static_cast<double>(spreadAt(m_weights.w, {m_direction, g * kHidden + unit, i})) * x[i];
        return sum;
    }
    double recurrent(std::int64_t g, std::int64_t unit, const std::vector<double>& h) const {
        double sum = bias(g, unit, true);
        for (std::int64_t i = 0; i < kHidden; ++i)
            sum += spreadAt(m_weights.r, {m_direction, g * kHidden + unit, i}) * h[static_cast<std::size_t>(i)];
        return sum;
    }
    double bias(std::int64_t g, std::int64_t unit, bool recurrent) const {
        return m_weights.b.valid() ? spreadAt(m_weights.b, {m_direction, (recurrent ? m_gates * kHidden : 0) + g * kHidden + unit}) : 0;
    }

private:
    const Weights& m_weights;
    std::int64_t m_direction;
    std::int64_t m_gates;
};

/// The equations of the operators' documentation, one step.
void step(const std::string& op, bool resetAfter, const Cell& cell, const float* x, State& s) {
    const State before = s;
    std::vector<double> reset(kHidden);
    for (std::int64_t u = 0; op == "GRU" && u < kHidden; ++u)
        reset[static_cast<std::size_t>(u)] = sigmoid(cell.input(1, u, x) + cell.recurrent(1, u, before.h));
    for (std::int64_t u = 0; u < kHidden; ++u) {
        const auto k = static_cast<std::size_t>(u);
        const auto gate = [&](std::int64_t g) { return cell.input(g, u, x) + cell.recurrent(g, u, before.h); };
        if (op == "LSTM") {
            s.c[k] = sigmoid(gate(2)) * before.c[k] + sigmoid(gate(0)) * std::tanh(gate(3));
            s.h[k] = sigmoid(gate(1)) * std::tanh(s.c[k]);
        } else if (op == "GRU") {
            std::vector<double> scaled = before.h;
            for (std::size_t i = 0; i < scaled.size(); ++i)
                scaled[i] *= reset[i];
            const double hidden = resetAfter ? std::tanh(cell.input(2, u, x) + reset[k] * cell.recurrent(2, u, before.h))
                                             : std::tanh(cell.input(2, u, x) + cell.recurrent(2, u, scaled));
            const double z = sigmoid(gate(0));
            s.h[k] = (1 - z) * hidden + z * before.h[k];
        } else {
            s.h[k] = std::tanh(gate(0));
        }
    }
}

struct Results {
    std::vector<float> y, h, c;
};

Results naive(const std::string& op, bool resetAfter, const Tensor& x, const Weights& weights, const Tensor& h0, const Tensor& c0, std::int64_t directions,
              bool reverse) {
    const std::int64_t gates = weights.w.dims()[1] / kHidden;
    Results out;
    out.y.resize(static_cast<std::size_t>(kTime * directions * kBatch * kHidden));
    for (std::int64_t d = 0; d < directions; ++d)
        for (std::int64_t b = 0; b < kBatch; ++b) {
            const Cell cell(weights, d, gates);
            State s{std::vector<double>(kHidden), std::vector<double>(kHidden)};
            for (std::int64_t u = 0; h0.valid() && u < kHidden; ++u)
                s.h[static_cast<std::size_t>(u)] = spreadAt(h0, {d, b, u});
            for (std::int64_t u = 0; c0.valid() && u < kHidden; ++u)
                s.c[static_cast<std::size_t>(u)] = spreadAt(c0, {d, b, u});
            for (std::int64_t i = 0; i < kTime; ++i) {
                const std::int64_t t = reverse || d == 1 ? kTime - 1 - i : i;
                step(op, resetAfter, cell, x.data<float>().data() + (t * kBatch + b) * kInputs, s);
                for (std::int64_t u = 0; u < kHidden; ++u)
                    out.y[flatIndex({kTime, directions, kBatch, kHidden}, {t, d, b, u})] = static_cast<float>(s.h[static_cast<std::size_t>(u)]);
            }
            out.h.insert(out.h.end(), s.h.begin(), s.h.end());
            out.c.insert(out.c.end(), s.c.begin(), s.c.end());
        }
    return out;
}

struct Variant {
    const char* op;
    std::int64_t gates;
    bool resetAfter;
};

class Recurrent : public ::testing::TestWithParam<Variant> {};

TEST_P(Recurrent, EqualsTheEquations) {
    const Variant& v = GetParam();
    const bool lstm = v.gates == 4;
    const Tensor x = random({kTime, kBatch, kInputs}, 1);
    for (const std::string direction : {"forward", "reverse", "bidirectional"})
        for (const bool full : {true, false}) {  // with biases and initial states, or without
            const std::int64_t d = direction == "bidirectional" ? 2 : 1;
            const Weights weights{random({d, v.gates * kHidden, kInputs}, 2), random({d, v.gates * kHidden, kHidden}, 3),
                                  full ? random({d, 2 * v.gates * kHidden}, 4) : Tensor()};
            const Tensor h0 = full ? random({d, kBatch, kHidden}, 5) : Tensor();
            const Tensor c0 = full && lstm ? random({d, kBatch, kHidden}, 6) : Tensor();
            std::vector<Operand> operands = {variable(x), constant(weights.w), constant(weights.r), constant(weights.b), absent(), variable(h0)};
            std::vector<Dims> outputs = {{kTime, d, kBatch, kHidden}, {d, kBatch, kHidden}};
            if (lstm) {
                operands.push_back(variable(c0));
                outputs.push_back({d, kBatch, kHidden});
            }
            NodeCase c(v.op, operands, outputs);
            c.with("direction", direction).with("hidden_size", kHidden);
            if (v.resetAfter) c.with("linear_before_reset", std::int64_t{1});
            const Results want = naive(v.op, v.resetAfter, x, weights, h0, c0, d, direction == "reverse");
            SCOPED_TRACE(fmt::format("{} {} {}", v.op, direction, full));
            expectClose(valuesOf(c, 0), want.y);
            expectClose(valuesOf(c, 1), want.h);
            if (lstm) expectClose(valuesOf(c, 2), want.c);
            c.wanted[0] = false;
            expectClose(valuesOf(c, 1), want.h);
        }
}

INSTANTIATE_TEST_SUITE_P(OneDnn, Recurrent,
                         ::testing::Values(Variant{"LSTM", 4, false}, Variant{"GRU", 3, false}, Variant{"GRU", 3, true}, Variant{"RNN", 1, false}));

TEST(OneDnnRecurrent, SaysWhatItCannot) {
    const auto node = [](bool known) {
        return NodeCase("LSTM", {variable(random({2, 1, 3})), {random({1, 8, 3}), known}, constant(random({1, 8, 2}))}, {{2, 1, 1, 2}});
    };
    EXPECT_TRUE(ask(node(true)).supported);
    EXPECT_THAT(ask(node(false)).reason.text(), ::testing::HasSubstr("not constant"));
    EXPECT_FALSE(ask(node(true).with("activations", std::vector<std::string>{"Relu", "Tanh", "Tanh"})).supported);
    EXPECT_TRUE(ask(node(true).with("activations", std::vector<std::string>{"sigmoid", "tanh", "tanh"})).supported);
    EXPECT_FALSE(ask(node(true).with("clip", 1.0F)).supported);
    EXPECT_FALSE(ask(node(true).with("layout", std::int64_t{1})).supported);
}

}  // namespace
}  // namespace hs::test

// SPDX-License-Identifier: Apache-2.0
// Nodes with seeded random sizes and attributes, compared with the reference executor.
#include <algorithm>
#include <numeric>
#include <random>

#include "tests/unit/onednn_harness.h"

namespace hs::test {
namespace {

class Dice {
public:
    explicit Dice(unsigned seed) : m_generator(seed) {}
    std::int64_t in(std::int64_t low, std::int64_t high) { return low + static_cast<std::int64_t>(m_generator() % static_cast<std::uint64_t>(high - low + 1)); }
    bool coin() { return in(0, 1) == 1; }
    Dims dims(std::int64_t rank, std::int64_t low, std::int64_t high) {
        Dims out(static_cast<std::size_t>(rank));
        for (auto& size : out)
            size = in(low, high);
        return out;
    }
    Tensor tensor(const Dims& dims) { return random(dims, static_cast<unsigned>(m_generator())); }
    Operand operand(const Dims& dims) { return {tensor(dims), coin()}; }
    /// `dims` with some sizes 1 and some leading ones left out: spreads to `dims`.
    Dims spread(const Dims& dims) {
        Dims out = dims;
        for (auto& size : out)
            if (in(0, 2) == 0) size = 1;
        out.erase(out.begin(), out.begin() + in(0, static_cast<std::int64_t>(out.size())));
        return out;
    }
    template <class T>
    T oneOf(std::initializer_list<T> values) {
        return *(values.begin() + in(0, static_cast<std::int64_t>(values.size()) - 1));
    }

private:
    std::mt19937 m_generator;
};

Dims joined(Dims front, const Dims& tail) {
    front.insert(front.end(), tail.begin(), tail.end());
    return front;
}

Tensor positive(Tensor t) {
    for (float& x : t.data<float>())
        x = std::abs(x) + 0.1F;
    return t;
}

/// Window attributes and an input that the window fits.
struct RandomWindow {
    Dims kernel, strides, dilations, pads, input;
};

RandomWindow window(Dice& d, std::int64_t rank, bool dilated) {
    RandomWindow w{d.dims(rank, 1, 4), d.dims(rank, 1, 3), d.dims(rank, 1, dilated ? 2 : 1), {}, {}};
    for (std::size_t end = 0; end < 2; ++end)
        for (const auto k : w.kernel)
            w.pads.push_back(d.in(0, k - 1));
    for (std::size_t i = 0; i < w.kernel.size(); ++i)
        w.input.push_back((w.kernel[i] - 1) * w.dilations[i] + d.in(1, rank == 3 ? 4 : 9));
    return w;
}

NodeCase convolution(Dice& d, const char* op, bool transposed) {
    const RandomWindow w = window(d, d.in(1, 3), true);
    const std::int64_t in = d.in(1, 9), out = d.in(1, 9);
    const std::int64_t groups = d.oneOf<std::int64_t>({1, 1, 2, 3, 17});
    const bool depthwise = groups == 17;
    const Dims front = transposed ? Dims{groups * (depthwise ? 1 : in), out} : Dims{groups * out, depthwise ? 1 : in};
    const std::int64_t bias = transposed ? groups * out : front[0];
    const Dims x = joined({d.in(1, 3), groups * (depthwise ? 1 : in)}, w.input);
    NodeCase c(op, {variable(d.tensor(x)), d.operand(joined(front, w.kernel))}, {{}});
    if (d.coin()) c.inputs.push_back(d.operand({bias}));
    c.with("group", groups).ints("kernel_shape", w.kernel).ints("strides", w.strides).ints("dilations", w.dilations);
    if (d.in(0, 4) == 0)
        c.with("auto_pad", std::string(d.oneOf({"SAME_UPPER", "SAME_LOWER", "VALID"})));
    else
        c.ints("pads", w.pads);
    if (transposed && d.coin()) {
        Dims more;
        for (const auto stride : w.strides)
            more.push_back(d.in(0, stride - 1));
        c.ints("output_padding", more);
    }
    return c;
}

NodeCase pool(Dice& d, const char* op) {
    const bool largest = std::string(op) == "MaxPool";
    const RandomWindow w = window(d, d.in(1, 3), largest);
    NodeCase c(op, {variable(d.tensor(joined({d.in(1, 2), d.in(1, 18)}, w.input)))}, {{}});
    c.ints("kernel_shape", w.kernel).ints("strides", w.strides).ints("pads", w.pads).with("ceil_mode", d.in(0, 1));
    if (largest)
        c.ints("dilations", w.dilations);
    else
        c.with("count_include_pad", d.in(0, 1));
    return c;
}

NodeCase matmul(Dice& d, const char* op) {
    const std::int64_t m = d.in(1, 33), k = d.in(1, 40), n = d.in(1, 33);
    if (std::string(op) == "Gemm") {
        const std::int64_t transA = d.in(0, 1), transB = d.in(0, 1);
        NodeCase c(op, {variable(d.tensor(transA ? Dims{k, m} : Dims{m, k})), d.operand(transB ? Dims{n, k} : Dims{k, n})}, {{}});
        if (d.coin()) c.inputs.push_back(d.operand(d.spread({m, n})));
        return c.with("transA", transA).with("transB", transB).with("alpha", d.oneOf({1.0F, 0.5F})).with("beta", d.oneOf({1.0F, 0.25F}));
    }
    const Dims batch = d.dims(d.in(0, 3), 1, 4);
    return {op, {variable(d.tensor(joined(d.spread(batch), {m, k}))), d.operand(joined(d.spread(batch), {k, n}))}, {{}}};
}

NodeCase normalization(Dice& d, const std::string& op) {
    const Dims x = joined({d.in(1, 3), d.in(1, 20)}, d.dims(d.in(1, 3), 1, 7));
    NodeCase c(op, {variable(d.tensor(x))}, {{}});
    const Dims each = {x[1]};
    if (op == "BatchNormalization") {
        for (int i = 0; i < 3; ++i)
            c.inputs.push_back(d.operand(each));
        c.inputs.push_back({positive(d.tensor(each)), d.coin()});
    } else if (op == "InstanceNormalization") {
        c.inputs.push_back(constant(d.tensor(each)));
        c.inputs.push_back(constant(d.tensor(each)));
        c.with("epsilon", 0.01F);  // a row of one element or of equal ones divides by its root
    } else if (op == "LRN") {
        c.with("size", 2 * d.in(0, 3) + 1).with("alpha", 0.1F).with("beta", 0.6F).with("bias", 1.5F);
    } else {
        const auto axis = d.in(0, static_cast<std::int64_t>(x.size()) - 1);
        c.with("axis", d.coin() ? axis : axis - static_cast<std::int64_t>(x.size()));
        c.opset(d.oneOf({11, 13, 17}));
        if (op != "LayerNormalization") return c;
        c.opset(17).with("epsilon", 0.01F);
        const Dims tail(x.begin() + axis, x.end());
        c.inputs.push_back(d.operand(tail));
        if (d.coin()) c.inputs.push_back(d.operand(tail));
    }
    return c;
}

NodeCase pointwise(Dice& d, const std::string& op) {
    const Dims dims = d.dims(d.in(0, 6), 1, 6);
    Tensor x = d.tensor(dims);
    for (float& value : x.data<float>())
        value *= 6;
    if (op == "Sqrt" || op == "Reciprocal" || op == "Pow") x = positive(x);
    NodeCase c(op, {variable(x)}, {{}});
    if (op == "Pow") c.inputs.push_back(constant(floats({}, {d.oneOf({2.0F, 3.0F, -1.0F, 1.5F})})));
    if (op == "Clip") c.inputs.insert(c.inputs.end(), {constant(floats({}, {-1})), constant(floats({}, {2}))});
    if (op == "PRelu") c.inputs.push_back(d.operand(d.spread(dims)));
    if (op == "LeakyRelu" || op == "Elu") c.with("alpha", 0.3F);
    if (op == "Gelu") c.opset(20).with("approximate", std::string("tanh"));
    return c;
}

NodeCase binary(Dice& d, const std::string& op) {
    const Dims dims = d.dims(d.in(0, 6), 1, 5);
    NodeCase c(op, {d.operand(d.spread(dims)), {positive(d.tensor(d.spread(dims))), d.coin()}}, {{}});
    if (d.coin()) std::swap(c.inputs[0], c.inputs[1]);
    if (op == "Div") c.inputs[1].tensor = positive(c.inputs[1].tensor);
    if (op == "Sum" && d.coin()) c.inputs.push_back(d.operand(dims));
    return c;
}

NodeCase reduction(Dice& d, const std::string& op) {
    const Dims dims = d.dims(d.in(1, 6), 1, 5);
    NodeCase c(op, {variable(d.tensor(dims))}, {{}});
    std::vector<std::int64_t> axes;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(dims.size()); ++i)
        if (d.coin()) axes.push_back(d.coin() ? i : i - static_cast<std::int64_t>(dims.size()));
    c.opset(11).with("keepdims", d.in(0, 1));
    if (!axes.empty()) c.ints("axes", axes);
    return c;
}

NodeCase layout(Dice& d, const std::string& op) {
    const auto rank = d.in(1, 6);
    Dims dims = d.dims(rank, 1, 5);
    if (op == "Transpose") {
        std::vector<std::int64_t> perm(dims.size());
        std::iota(perm.begin(), perm.end(), 0);
        for (std::size_t i = perm.size(); i-- > 1;)
            std::swap(perm[i], perm[static_cast<std::size_t>(d.in(0, static_cast<std::int64_t>(i)))]);
        return NodeCase(op, {variable(d.tensor(dims))}, {{}}).ints("perm", perm);
    }
    const auto axis = d.in(0, rank - 1);
    NodeCase c(op, {}, {{}});
    for (auto n = d.in(1, 5); n > 0; --n) {
        dims[static_cast<std::size_t>(axis)] = d.in(1, 5);
        c.inputs.push_back(d.operand(dims));
    }
    return c.with("axis", d.coin() ? axis : axis - rank);
}

NodeCase resize(Dice& d, const std::string& op) {
    const auto spatial = d.in(1, 3);
    const bool linear = d.coin();
    const bool older = op == "Upsample";
    std::vector<float> scales = {1, 1};
    for (std::int64_t i = 0; i < spatial; ++i)
        scales.push_back(d.oneOf({1.0F, 2.0F, 3.0F, 0.5F, 1.5F, 0.6F}));
    if (older)
        for (float& scale : scales)
            scale = std::max(scale, 1.0F);
    const Operand given = constant(floats({spatial + 2}, scales));
    NodeCase c(op, {variable(d.tensor(joined({d.in(1, 2), d.in(1, 17)}, d.dims(spatial, 2, 9))))}, {{}});
    if (!older) c.inputs.push_back(absent());
    c.inputs.push_back(given);
    c.with("mode", std::string(linear ? "linear" : "nearest")).opset(older ? 9 : 18);
    if (older) return c;
    c.with("coordinate_transformation_mode", std::string(linear ? d.oneOf({"half_pixel", "pytorch_half_pixel"}) : "asymmetric"));
    return c.with("nearest_mode", std::string("floor"));
}

NodeCase recurrent(Dice& d, const std::string& op) {
    const std::int64_t gates = op == "LSTM" ? 4 : op == "GRU" ? 3 : 1;
    const std::int64_t time = d.in(1, 5), batch = d.in(1, 4), inputs = d.in(1, 9), hidden = d.in(1, 19);
    const bool both = d.coin();
    const std::int64_t directions = both ? 2 : 1;
    NodeCase c(op,
               {variable(d.tensor({time, batch, inputs})), constant(d.tensor({directions, gates * hidden, inputs})),
                constant(d.tensor({directions, gates * hidden, hidden}))},
               op == "LSTM" ? std::vector<Dims>{{}, {}, {}} : std::vector<Dims>{{}, {}});
    c.inputs.push_back(d.coin() ? constant(d.tensor({directions, 2 * gates * hidden})) : absent());
    c.inputs.push_back(absent());
    if (d.coin()) {
        c.inputs.push_back(variable(d.tensor({directions, batch, hidden})));
        if (op == "LSTM") c.inputs.push_back(variable(d.tensor({directions, batch, hidden})));
    }
    if (op == "GRU") c.with("linear_before_reset", d.in(0, 1));
    return c.with("hidden_size", hidden).with("direction", std::string(both ? "bidirectional" : d.oneOf({"forward", "reverse"})));
}

struct Kind {
    const char* op;
    std::function<NodeCase(Dice&)> make;
    int tries = 30;
    int accepted = 15;  ///< At least so many must be supported and run.
};

std::vector<Kind> kinds() {
    std::vector<Kind> out = {
        {"Conv", [](Dice& d) { return convolution(d, "Conv", false); }, 120, 60},
        {"ConvTranspose", [](Dice& d) { return convolution(d, "ConvTranspose", true); }, 80, 20},
        {"MaxPool", [](Dice& d) { return pool(d, "MaxPool"); }, 60, 20},
        {"AveragePool", [](Dice& d) { return pool(d, "AveragePool"); }, 60, 20},
        {"Resize", [](Dice& d) { return resize(d, "Resize"); }, 80, 8},
        {"Upsample", [](Dice& d) { return resize(d, "Upsample"); }, 80, 5},
        {"GlobalAveragePool", [](Dice& d) { return NodeCase("GlobalAveragePool", {variable(d.tensor(d.dims(d.in(3, 5), 1, 6)))}, {{}}); }},
    };
    const auto add = [&](std::initializer_list<const char*> ops, auto make) {
        for (const char* op : ops)
            out.push_back({op, [op, make](Dice& d) { return make(d, op); }});
    };
    add({"MatMul", "Gemm"}, matmul);
    add({"BatchNormalization", "LayerNormalization", "InstanceNormalization", "Softmax", "LogSoftmax", "LRN"}, normalization);
    add({"Relu", "LeakyRelu", "Elu", "Sigmoid", "Tanh", "Exp", "Sqrt", "Abs", "Neg", "Reciprocal", "Round", "Gelu", "HardSwish", "HardSigmoid", "Clip", "Pow",
         "PRelu"},
        pointwise);
    add({"Add", "Sub", "Mul", "Div", "Min", "Max", "Sum"}, binary);
    add({"ReduceMean", "ReduceSum", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare"}, reduction);
    add({"Concat", "Transpose"}, layout);
    add({"LSTM", "GRU", "RNN"}, recurrent);
    return out;
}

std::string describe(const NodeCase& c, int number) {
    std::string out = fmt::format("{} number {}:", c.node.opType, number);
    for (const Operand& operand : c.inputs)
        out += " " + (operand.tensor.valid() ? toString(operand.tensor.dims()) : std::string("-"));
    return out;
}

class OneDnnRandom : public ::testing::TestWithParam<Kind> {};

TEST_P(OneDnnRandom, EqualsTheReference) {
    const Kind& kind = GetParam();
    int accepted = 0;
    for (int i = 0; i < kind.tries; ++i) {
        Dice dice(static_cast<unsigned>(1000 * (i + 1)));
        NodeCase c = kind.make(dice);
        SCOPED_TRACE(describe(c, i));
        const auto want = runReference(c);
        if (!want) continue;  // sizes that do not fit each other
        for (std::size_t o = 0; o < c.outputs.size(); ++o)
            c.outputs[o] = (*want)[o].dims();
        if (!ask(c).supported) continue;
        const auto got = runCase(c);
        if (!got && got.error().code == ErrorCode::Unsupported) continue;  // found out only with the sizes
        ASSERT_TRUE(got) << got.error().text();
        for (std::size_t o = 0; o < c.outputs.size(); ++o)
            expectClose(toVector(got->outputs[o]), toVector((*want)[o]));
        ++accepted;
    }
    EXPECT_GE(accepted, kind.accepted);
}

INSTANTIATE_TEST_SUITE_P(Ops, OneDnnRandom, ::testing::ValuesIn(kinds()), [](const auto& param) { return std::string(param.param.op); });

}  // namespace
}  // namespace hs::test

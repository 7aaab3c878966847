// SPDX-License-Identifier: Apache-2.0
// What the conformance cases do not reach: hostile values, odd types, older opsets.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "executors/reference/convert.h"
#include "executors/reference/float_bits.h"
#include "executors/reference/reference_executor.h"

namespace hs {
namespace {

/// One node on its own.
struct Bench {
    ModelBuilder builder;
    Node node;
    std::vector<Tensor> tensors;

    explicit Bench(std::string op, int opset = 21) {
        node.opType = std::move(op);
        node.opset = opset;
        node.name = "subject";
    }
    template <class T>
    Bench& in(Dims dims, std::vector<T> values) {
        return in(Tensor::of<T>(std::move(dims), values));
    }
    Bench& in(Tensor tensor) {
        node.inputs.push_back(builder.addInput(GraphId(0), "in" + std::to_string(tensors.size()), tensor.type()));
        tensors.push_back(std::move(tensor));
        return *this;
    }
    Bench& set(std::string name, AttributeValue value) {
        node.attributes.push_back({std::move(name), std::move(value)});
        return *this;
    }
    Result<std::vector<Tensor>> run(std::size_t outputs = 1) {
        for (std::size_t i = 0; i < outputs; ++i)
            node.outputs.push_back(builder.addValue(GraphId(0), "out" + std::to_string(i)));
        const NodeId id = builder.addNode(GraphId(0), node);
        HS_TRY(const ModelPtr model, builder.build());
        const std::vector<NodeId> nodes = {id};
        HS_TRY(const auto kernel, makeReferenceExecutor()->compile({model.get(), nodes, {}, {}, 1}));
        std::vector<const Tensor*> pointers;
        for (const Tensor& t : tensors)
            pointers.push_back(t.valid() ? &t : nullptr);
        std::vector<Tensor> out(outputs);
        KernelContext context(pointers, out, nullptr, 1, 1);
        HS_CHECK(kernel->run(context));
        return out;
    }
};

template <class T>
std::vector<T> list(const Tensor& t) {
    const auto d = t.data<T>();
    return {d.begin(), d.end()};
}

using Longs = std::vector<std::int64_t>;

TEST(ReferenceKernels, IntegerDivisionNeverTraps) {
    const auto low = std::numeric_limits<std::int64_t>::min();
    const auto out = Bench("Div").in<std::int64_t>({3}, {7, low, -7}).in<std::int64_t>({3}, {0, -1, 2}).run();
    ASSERT_TRUE(out) << out.error().text();
    EXPECT_EQ(list<std::int64_t>((*out)[0]), (Longs{0, low, -3}));
    const auto rest = Bench("Mod").in<std::int64_t>({3}, {7, low, -7}).in<std::int64_t>({3}, {0, -1, 2}).run();
    ASSERT_TRUE(rest) << rest.error().text();
    EXPECT_EQ(list<std::int64_t>((*rest)[0]), (Longs{0, 0, 1}));
}

TEST(ReferenceKernels, NarrowIntegersWrap) {
    const auto out = Bench("Add").in<std::uint8_t>({2}, {250, 1}).in<std::uint8_t>({1}, {10}).run();
    ASSERT_TRUE(out) << out.error().text();
    EXPECT_EQ(list<std::uint8_t>((*out)[0]), (std::vector<std::uint8_t>{4, 11}));
}

TEST(ReferenceKernels, ErrorsNameTheNode) {
    const auto out = Bench("Gather").in<float>({2}, {1, 2}).in<std::int64_t>({1}, {5}).run();
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error().code, ErrorCode::BadInput);
    EXPECT_EQ(out.error().where, "subject");
}

TEST(ReferenceKernels, HostileValuesAreErrors) {
    const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    EXPECT_FALSE(Bench("Reshape").in<float>({2}, {1, 2}).in<std::int64_t>({2}, {huge, huge}).run());
    EXPECT_FALSE(Bench("Expand").in<float>({1}, {1}).in<std::int64_t>({2}, {huge, huge}).run());
    EXPECT_FALSE(Bench("Tile").in<float>({2}, {1, 2}).in<std::int64_t>({1}, {huge}).run());
    EXPECT_FALSE(Bench("Pad").in<float>({2}, {1, 2}).in<std::int64_t>({2}, {huge, huge}).run());
    EXPECT_FALSE(Bench("ConstantOfShape").in<std::int64_t>({1}, {-1}).run());
    EXPECT_FALSE(Bench("Range").in<std::int64_t>({}, {0}).in<std::int64_t>({}, {10}).in<std::int64_t>({}, {0}).run());
    EXPECT_FALSE(Bench("Softmax").in<float>({2}, {1, 2}).set("axis", std::int64_t{9}).run());
    EXPECT_FALSE(Bench("Transpose").in<float>({2}, {1, 2}).set("perm", Longs{0, 0}).run());
    EXPECT_FALSE(Bench("Split").in<float>({3}, {1, 2, 3}).in<std::int64_t>({2}, {-1, 4}).run(2));
    EXPECT_FALSE(Bench("OneHot").in<std::int64_t>({1}, {0}).in<std::int64_t>({}, {huge}).in<float>({2}, {0, 1}).run());
    EXPECT_FALSE(Bench("TopK").in<float>({2}, {1, 2}).in<std::int64_t>({1}, {3}).run(2));
    EXPECT_FALSE(Bench("Conv").in<float>({1, 1, 1, 1}, {1}).in<float>({1, 1, 3, 3}, std::vector<float>(9)).run());
    EXPECT_FALSE(Bench("MaxPool").in<float>({1, 1, 1, 1}, {1}).set("kernel_shape", Longs{0, 1}).run());
    EXPECT_FALSE(Bench("ScatterND").in<float>({2}, {1, 2}).in<std::int64_t>({1, 1}, {-3}).in<float>({1}, {1}).run());
}

TEST(ReferenceKernels, MissingInputsAreErrors) {
    for (const char* op : {"Add", "Conv", "MatMul", "LSTM", "Resize", "Gather", "Where", "LayerNormalization", "TopK", "Concat"})
        EXPECT_FALSE(Bench(op).in<float>({1, 1, 1}, {1}).in(Tensor()).run()) << op;
}

TEST(ReferenceKernels, SliceTakesExtremeBounds) {
    const std::int64_t low = std::numeric_limits<std::int64_t>::min();
    const std::int64_t high = std::numeric_limits<std::int64_t>::max();
    const auto slice = [](std::int64_t start, std::int64_t end, std::int64_t step) {
        return Bench("Slice")
            .in<float>({3}, {1, 2, 3})
            .in<std::int64_t>({1}, {start})
            .in<std::int64_t>({1}, {end})
            .in<std::int64_t>({1}, {0})
            .in<std::int64_t>({1}, {step})
            .run();
    };
    const auto reversed = slice(high, low, -1);
    ASSERT_TRUE(reversed) << reversed.error().text();
    EXPECT_EQ(list<float>((*reversed)[0]), (std::vector<float>{3, 2, 1}));
    const auto first = slice(0, high, high);
    ASSERT_TRUE(first) << first.error().text();
    EXPECT_EQ(list<float>((*first)[0]), (std::vector<float>{1}));
    const auto last = slice(high, low, low);
    ASSERT_TRUE(last) << last.error().text();
    EXPECT_EQ(list<float>((*last)[0]), (std::vector<float>{3}));
}

TEST(ReferenceKernels, SoftmaxBeforeThirteenFlattens) {
    const std::vector<float> zeros(8, 0.0F);
    const auto old = Bench("Softmax", 11).in<float>({2, 2, 2}, zeros).run();
    const auto now = Bench("Softmax", 13).in<float>({2, 2, 2}, zeros).run();
    ASSERT_TRUE(old && now);
    EXPECT_FLOAT_EQ(list<float>((*old)[0])[0], 0.25F);
    EXPECT_FLOAT_EQ(list<float>((*now)[0])[0], 0.5F);
}

TEST(ReferenceKernels, HalfRoundsToNearestEven) {
    using ref::BFloat16;
    using ref::Float16;
    EXPECT_EQ(Float16::encode(1.0, false), 0x3C00U);
    EXPECT_EQ(Float16::encode(1.0 + 0x1p-11, false), 0x3C00U);      // a tie goes to even
    EXPECT_EQ(Float16::encode(1.0 + 3 * 0x1p-11, false), 0x3C02U);  // upwards too
    EXPECT_EQ(Float16::encode(65519.0, false), 0x7BFFU);
    EXPECT_EQ(Float16::encode(65520.0, false), 0x7C00U);  // infinity
    EXPECT_EQ(Float16::encode(0x1p-25, false), 0x0000U);  // halfway to the least subnormal
    EXPECT_EQ(Float16::encode(0x1.8p-25, false), 0x0001U);
    EXPECT_EQ(BFloat16::encode(-2.0, false), 0xC000U);
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const double value = Float16::decode(bits);
        if (!std::isnan(value)) {
            ASSERT_EQ(Float16::encode(value, false), bits) << bits;
        }
        const double wide = BFloat16::decode(bits);
        if (!std::isnan(wide)) {
            ASSERT_EQ(BFloat16::encode(wide, false), bits) << bits;
        }
    }
}

TEST(ReferenceKernels, SmallFloatsReadBack) {
    for (std::uint32_t bits = 0; bits < 0x100; ++bits) {
        const double a = ref::Float8E4M3Fn::decode(bits);
        if (!std::isnan(a)) {
            EXPECT_EQ(ref::Float8E4M3Fn::encode(a, true), bits);
        }
        const double b = ref::Float8E5M2Fnuz::decode(bits);
        if (!std::isnan(b)) {
            EXPECT_EQ(ref::Float8E5M2Fnuz::encode(b, false), bits);
        }
    }
    EXPECT_EQ(ref::Float8E4M3Fn::encode(1e9, true), 0x7EU);
    EXPECT_EQ(ref::Float8E4M3Fn::encode(1e9, false), 0x7FU);
}

TEST(ReferenceKernels, SubByteTypesMovePacked) {
    Tensor packed = Tensor::allocate(DType::U4, {3}).value();
    static_cast<std::uint8_t*>(packed.raw())[0] = 0x21;
    static_cast<std::uint8_t*>(packed.raw())[1] = 0x03;
    const auto out = Bench("Gather").in(packed).in<std::int64_t>({3}, {2, 1, 0}).run();
    ASSERT_TRUE(out) << out.error().text();
    EXPECT_EQ(static_cast<const std::uint8_t*>((*out)[0].raw())[0], 0x23);
    EXPECT_EQ(static_cast<const std::uint8_t*>((*out)[0].raw())[1], 0x01);
}

TEST(ReferenceKernels, UnknownOperatorsHaveAReason) {
    Node node;
    node.opType = "NoSuchOperator";
    node.opset = 21;
    const Support support = makeReferenceExecutor()->supports({nullptr, &node, nullptr});
    EXPECT_FALSE(support.supported);
    EXPECT_EQ(support.reason.code, "kernel.operator");
}

}  // namespace
}  // namespace hs

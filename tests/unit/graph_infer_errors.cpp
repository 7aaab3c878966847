// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/graph_support.h"

namespace hs {
namespace {

using namespace test;
using Ints = std::vector<std::int64_t>;
using testing::HasSubstr;

/// A node that must be refused, with a part of the message.
struct Bad {
    const char* op;
    std::vector<ValueType> inputs;
    std::vector<Ints> constants;
    std::vector<Attribute> attributes;
    const char* message;
};

class Refused : public testing::TestWithParam<Bad> {};

TEST_P(Refused, WithAClearError) {
    const Bad& b = GetParam();
    Net net;
    std::vector<std::string> names;
    for (const auto& type : b.inputs) {
        names.push_back("i" + std::to_string(names.size()));
        net.input(names.back(), type);
    }
    for (const auto& values : b.constants) {
        names.push_back("c" + std::to_string(names.size()));
        net.constant(names.back(), ints(values));
    }
    const auto model = net.node(b.op, names, {"y"}, b.attributes).output("y").build();
    const auto types = inferTypes(*model);
    ASSERT_FALSE(types) << types->type(net.ids["y"]).text();
    EXPECT_EQ(types.error().code, ErrorCode::BadInput);
    EXPECT_THAT(types.error().text(), HasSubstr(b.message));
    EXPECT_EQ(types.error().where, std::string(b.op) + "_0");
    InferOptions lenient;
    lenient.lenient = true;
    EXPECT_TRUE(inferTypes(*model, lenient));
}

const std::int64_t kHuge = std::int64_t{1} << 60;

INSTANTIATE_TEST_SUITE_P(
    Nodes, Refused,
    testing::Values(Bad{"MatMul", {f32({2, 3}), f32({4, 5})}, {}, {}, "3 and 4"}, Bad{"Add", {f32({3}), f32({4})}, {}, {}, "[3] and [4]"},
                    Bad{"Add", {f32({3}), tensor(DType::I64, {3})}, {}, {}, "float32 and int64"}, Bad{"Add", {f32({3})}, {}, {}, "lacks its input 1"},
                    Bad{"Relu", {f32({3}), f32({3})}, {}, {}, "at most 1"}, Bad{"Conv", {f32({1, 3, 8, 8}), f32({4, 2, 3, 3})}, {}, {}, "3 channels"},
                    Bad{"Conv", {f32({1, 3, 2, 2}), f32({4, 3, 3, 3})}, {}, {}, "covers 3"},
                    Bad{"Conv", {f32({1, 3, 8, 8}), f32({4, 3, 3, 3})}, {}, {{"strides", Ints{0, 1}}}, "strides holds 0"},
                    Bad{"Conv", {f32({1, 3, 8, 8}), f32({4, 3, 3, 3})}, {}, {{"pads", Ints{-1, 0, 0, 0}}}, "pads holds -1"},
                    Bad{"Conv", {f32({1, 3, 8, 8}), f32({4, 3, 3, 3})}, {}, {{"dilations", Ints{kHuge, 1}}}, "dilations"},
                    Bad{"Conv", {f32({1, 3, 8, 8}), f32({4, 3, 3, 3})}, {}, {{"group", std::int64_t{0}}}, "group 0"},
                    Bad{"MaxPool", {f32({1, 1, 4, 4})}, {}, {}, "kernel_shape has 0"}, Bad{"Softmax", {f32({2, 2})}, {}, {{"axis", std::int64_t{2}}}, "axis 2"},
                    Bad{"Transpose", {f32({2, 2})}, {}, {{"perm", Ints{0, 0}}}, "twice"}, Bad{"Tile", {f32({4})}, {{kHuge}}, {}, "too large"},
                    Bad{"Expand", {f32({1})}, {{kHuge}}, {}, "too large"}, Bad{"ConstantOfShape", {}, {{kHuge, kHuge}}, {}, "too large"},
                    Bad{"ConstantOfShape", {}, {{-4}}, {}, "holds -4"}, Bad{"Reshape", {f32({4})}, {{-1, -1}}, {}, "more than one"},
                    Bad{"Reshape", {f32({4})}, {{3}}, {}, "4 elements"}, Bad{"Reshape", {f32({4})}, {{-1, 3}}, {}, "4 elements"},
                    Bad{"Pad", {f32({4})}, {{-3, -3}}, {}, "more than the 4"}, Bad{"Slice", {f32({4})}, {{0}, {1}, {0}, {0}}, {}, "step of 0"},
                    Bad{"Gather", {f32({4})}, {{4}}, {}, "index 4"}, Bad{"Concat", {f32({1, 2}), f32({2, 2})}, {}, {{"axis", std::int64_t{1}}}, "differ"},
                    Bad{"Split", {f32({5})}, {{2, 2}}, {}, "parts"}, Bad{"Squeeze", {f32({2})}, {{0}}, {}, "not 1"},
                    Bad{"Unsqueeze", {f32({2})}, {{0, 0}}, {}, "twice"}, Bad{"ReduceSum", {f32({2})}, {{5}}, {}, "axis 5"},
                    Bad{"DepthToSpace", {f32({1, 6, 2, 2})}, {}, {{"blocksize", std::int64_t{2}}}, "divided"},
                    Bad{"LSTM", {f32({5, 1, 8}), f32({1, 64, 9}), f32({1, 64, 16})}, {}, {}, "features"},
                    Bad{"Einsum", {f32({2, 3})}, {}, {{"equation", std::string("ij,jk")}}, "more than 1"},
                    Bad{"Cast", {f32({2})}, {}, {{"to", std::int64_t{99}}}, "element type"}));

TEST(InferErrors, RangeOfTooManyElements) {
    Net net;
    net.constant("a", Tensor::scalar<std::int64_t>(0)).constant("b", Tensor::scalar<std::int64_t>(kHuge)).constant("c", Tensor::scalar<std::int64_t>(1));
    const auto types = inferTypes(*net.node("Range", {"a", "b", "c"}, {"y"}).output("y").build());
    ASSERT_FALSE(types);
    EXPECT_THAT(types.error().text(), HasSubstr("too many"));
}

TEST(InferErrors, UnknownOperatorNamesItsDomain) {
    Net net;
    net.input("x", f32({1}));
    const auto types = inferTypes(*net.node("Frobnicate", {"x"}, {"y"}).output("y").build());
    ASSERT_FALSE(types);
    EXPECT_EQ(types.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(types.error().text(), HasSubstr("Frobnicate"));
    EXPECT_THAT(types.error().text(), HasSubstr("ai.onnx"));
}

TEST(InferErrors, OneSymbolCannotHaveTwoSizes) {
    Net net;
    net.input("x1", f32({sym("n"), 6})).input("x2", f32({sym("n"), 12}));
    const auto model = net.node("Relu", {"x1"}, {"y"}).node("Relu", {"x2"}, {"z"}).output("y").output("z").build();
    InferOptions options;
    options.inputs = {{net.ids["x1"], f32({10, 6})}, {net.ids["x2"], f32({11, 12})}};
    const auto types = inferTypes(*model, options);
    ASSERT_FALSE(types);
    EXPECT_THAT(types.error().text(), HasSubstr("\"n\""));
    EXPECT_THAT(types.error().text(), HasSubstr("x2"));
}

TEST(InferErrors, GivenInputsMustFitTheDeclaration) {
    Net net;
    net.input("x", f32({sym("n"), 6}));
    const auto model = net.node("Relu", {"x"}, {"y"}).output("y").build();
    for (const auto& given : {f32({2, 7}), f32({2}), tensor(DType::I64, {2, 6}), f32({2, std::int64_t{1} << 41})}) {
        InferOptions options;
        options.inputs = {{net.ids["x"], given}};
        const auto types = inferTypes(*model, options);
        ASSERT_FALSE(types) << given.text();
        EXPECT_EQ(types.error().code, ErrorCode::BadInput);
        EXPECT_EQ(types.error().where, "x");
    }
}

TEST(InferErrors, SequencesDoNotGoIntoTensorOperators) {
    Net net;
    net.input("x", {TypeKind::Sequence, DType::F32, Shape()});
    const auto types = inferTypes(*net.node("Relu", {"x"}, {"y"}).output("y").build());
    ASSERT_FALSE(types);
    EXPECT_THAT(types.error().text(), HasSubstr("takes tensors"));
}

}  // namespace
}  // namespace hs

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/graph_support.h"

namespace hs {
namespace {

using namespace test;
using Ints = std::vector<std::int64_t>;

/// One node: inputs' types, small constant inputs, and the shape that must come out.
struct Case {
    const char* op;
    int opset;
    std::vector<ValueType> inputs;
    std::vector<Ints> constants;  ///< Follow the inputs.
    std::vector<Attribute> attributes;
    const char* expected;
};

class OneNode : public testing::TestWithParam<Case> {};

TEST_P(OneNode, GivesTheShape) {
    const Case& c = GetParam();
    Net net;
    net.opset = c.opset;
    std::vector<std::string> names;
    for (const auto& type : c.inputs) {
        names.push_back("i" + std::to_string(names.size()));
        net.input(names.back(), type);
    }
    for (const auto& values : c.constants) {
        names.push_back("c" + std::to_string(names.size()));
        net.constant(names.back(), ints(values));
    }
    const auto model = net.node(c.op, names, {"y"}, c.attributes).output("y").build();
    const auto types = inferTypes(*model);
    ASSERT_TRUE(types) << types.error().text();
    EXPECT_EQ(types->type(net.ids["y"]).text(), c.expected) << c.op;
}

const Dim N = sym("N");
const Dim W = sym("W");

INSTANTIATE_TEST_SUITE_P(
    Shapes, OneNode,
    testing::Values(
        Case{"Conv", 11, {f32({N, 3, 224, 224}), f32({64, 3, 7, 7})}, {}, {{"strides", Ints{2, 2}}, {"pads", Ints{3, 3, 3, 3}}}, "float32[N,64,112,112]"},
        Case{"Conv", 11, {f32({1, 8, 9, W}), f32({8, 1, 3, 3})}, {}, {{"group", std::int64_t{8}}, {"pads", Ints{1, 1, 1, 1}}}, "float32[1,8,9,W]"},
        Case{"Conv", 11, {f32({1, 4, 7, 7}), f32({2, 4, 3, 3})}, {}, {{"auto_pad", std::string("SAME_UPPER")}, {"strides", Ints{2, 2}}}, "float32[1,2,4,4]"},
        Case{"Conv", 11, {f32({1, 4, 9}), f32({2, 4, 3})}, {}, {{"dilations", Ints{4}}}, "float32[1,2,1]"},
        Case{"ConvTranspose",
             11,
             {f32({1, 4, 5, 5}), f32({4, 2, 3, 3})},
             {},
             {{"strides", Ints{2, 2}}, {"output_padding", Ints{1, 1}}, {"pads", Ints{1, 1, 1, 1}}},
             "float32[1,2,10,10]"},
        Case{"MaxPool",
             12,
             {f32({1, 1, 4, 4})},
             {},
             {{"kernel_shape", Ints{3, 3}}, {"strides", Ints{2, 2}}, {"ceil_mode", std::int64_t{1}}},
             "float32[1,1,2,2]"},
        Case{"MaxPool",
             12,
             {f32({1, 1, 2, 2})},
             {},
             {{"kernel_shape", Ints{1, 1}}, {"strides", Ints{2, 2}}, {"ceil_mode", std::int64_t{1}}},
             "float32[1,1,1,1]"},
        Case{"GlobalAveragePool", 1, {f32({N, 8, 7, 7})}, {}, {}, "float32[N,8,1,1]"},
        Case{"MatMul", 13, {f32({N, 12, sym("S"), 64}), f32({N, 12, 64, sym("S")})}, {}, {}, "float32[N,12,S,S]"},
        Case{"MatMul", 13, {f32({5}), f32({5})}, {}, {}, "float32[]"},
        Case{"Gemm", 13, {f32({64, N}), f32({10, 64})}, {}, {{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}}, "float32[N,10]"},
        Case{"Add", 14, {f32({N, 1, 5}), f32({4, 1})}, {}, {}, "float32[N,4,5]"}, Case{"Add", 14, {f32({N}), f32({3})}, {}, {}, "float32[3]"},
        Case{"Add", 6, {f32({2, 3, 4}), f32({3})}, {}, {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{1}}}, "float32[2,3,4]"},
        Case{"Less", 13, {f32({2, 1}), f32({3})}, {}, {}, "bool[2,3]"}, Case{"Reshape", 13, {f32({N, 12, 64})}, {{0, -1}}, {}, "float32[N,768]"},
        Case{"Reshape", 13, {f32({N, 6, 4})}, {{-1, 8}}, {}, "float32[3*N,8]"}, Case{"Reshape", 1, {f32({2, 3})}, {}, {{"shape", Ints{3, -1}}}, "float32[3,2]"},
        Case{"Transpose", 13, {f32({N, 3, 5})}, {}, {{"perm", Ints{0, 2, 1}}}, "float32[N,5,3]"},
        Case{"Squeeze", 11, {f32({1, 3, 1})}, {}, {{"axes", Ints{0}}}, "float32[3,1]"}, Case{"Squeeze", 13, {f32({1, 3, 1})}, {{-1}}, {}, "float32[1,3]"},
        Case{"Unsqueeze", 11, {f32({3})}, {}, {{"axes", Ints{0, 2}}}, "float32[1,3,1]"}, Case{"Unsqueeze", 13, {f32({3})}, {{-1}}, {}, "float32[3,1]"},
        Case{"Concat", 13, {f32({N, 3}), f32({N, W})}, {}, {{"axis", std::int64_t{-1}}}, "float32[N,W+3]"},
        Case{"Split", 13, {f32({6, N})}, {{6}}, {}, "float32[6,N]"},
        Case{"Slice", 9, {f32({10, 5})}, {}, {{"starts", Ints{-3}}, {"ends", Ints{1000}}, {"axes", Ints{0}}}, "float32[3,5]"},
        Case{"Slice", 13, {f32({10, 5})}, {{9, 0}, {INT64_MIN, 5}, {0, 1}, {-1, 2}}, {}, "float32[10,3]"},
        Case{"Slice", 13, {f32({N, 5})}, {{0}, {INT64_MAX}, {0}}, {}, "float32[N,5]"}, Case{"Gather", 13, {f32({7, N})}, {{0, -1, 3}}, {}, "float32[3,N]"},
        Case{"Expand", 13, {f32({3, 1})}, {{2, 1, 6}}, {}, "float32[2,3,6]"}, Case{"Tile", 13, {f32({3, N})}, {{2, 1}}, {}, "float32[6,N]"},
        Case{"Pad", 13, {f32({1, 3, W})}, {{0, 0, 1, 0, 0, 2}}, {}, "float32[1,3,W+3]"},
        Case{"Resize", 10, {f32({1, 3, 4, 4})}, {}, {{"scales", std::vector<float>{1, 1, 2, 2}}}, "float32[1,3,8,8]"},
        Case{"ReduceMean", 13, {f32({N, 3, 4})}, {}, {{"axes", Ints{-1}}}, "float32[N,3,1]"},
        Case{"ReduceMean", 18, {f32({N, 3, 4})}, {{1, 2}}, {{"keepdims", std::int64_t{0}}}, "float32[N]"},
        Case{"ReduceSum", 13, {f32({N, 3})}, {Ints{}}, {{"noop_with_empty_axes", std::int64_t{1}}}, "float32[N,3]"},
        Case{"ArgMax", 13, {f32({N, 10})}, {}, {{"axis", std::int64_t{1}}, {"keepdims", std::int64_t{0}}}, "int64[N]"},
        Case{"TopK", 11, {f32({N, 10})}, {{3}}, {}, "float32[N,3]"},
        Case{"DepthToSpace", 13, {f32({N, 8, 2, W})}, {}, {{"blocksize", std::int64_t{2}}}, "float32[N,2,4,2*W]"},
        Case{"Flatten", 13, {f32({N, 8, 2, 2})}, {}, {}, "float32[N,32]"},
        Case{"Einsum", 12, {f32({N, 3, 4}), f32({N, 4, 5})}, {}, {{"equation", std::string("bij,bjk->bik")}}, "float32[N,3,5]"},
        Case{"Einsum", 12, {f32({2, 3, 4, 4})}, {}, {{"equation", std::string("...ii->...i")}}, "float32[2,3,4]"},
        Case{"LSTM", 14, {f32({sym("T"), N, 8}), f32({1, 64, 8}), f32({1, 64, 16})}, {}, {{"hidden_size", std::int64_t{16}}}, "float32[T,1,N,16]"},
        Case{"Attention",
             23,
             {f32({2, 4, 32}), f32({2, 6, 16}), f32({2, 6, 24})},
             {},
             {{"q_num_heads", std::int64_t{4}}, {"kv_num_heads", std::int64_t{2}}},
             "float32[2,4,48]"},
        Case{"Cast", 13, {f32({N})}, {}, {{"to", std::int64_t{7}}}, "int64[N]"}, Case{"ConstantOfShape", 9, {}, {{2, 3}}, {}, "float32[2,3]"},
        Case{"Shape", 15, {f32({2, 3, 4})}, {}, {{"start", std::int64_t{-2}}}, "int64[2]"}));

TEST(Infer, FollowsShapeArithmeticToReshape) {
    // The pattern that exporters write for view(batch, -1, heads, width).
    Net net;
    net.input("x", f32({sym("batch"), sym("seq"), 768}));
    net.node("Shape", {"x"}, {"s"}).constant("zero", Tensor::scalar<std::int64_t>(0)).constant("axes", ints({0}));
    net.node("Gather", {"s", "zero"}, {"b"}).node("Unsqueeze", {"b", "axes"}, {"b1"});
    net.opset = 13;
    net.constant("rest", ints({-1, 12, 64})).node("Concat", {"b1", "rest"}, {"shape"}, {{"axis", std::int64_t{0}}});
    const auto model = net.node("Reshape", {"x", "shape"}, {"y"}).output("y").build();
    EXPECT_EQ(inferTypes(*model)->type(net.ids["y"]).text(), "float32[batch,seq,12,64]");
    EXPECT_EQ(inferTypes(*model, {{{"batch", 2}, {"seq", 7}}, {}, {}})->type(net.ids["y"]).text(), "float32[2,7,12,64]");
    InferOptions given;
    given.inputs[net.ids["x"]] = f32({3, 5, 768});
    EXPECT_EQ(inferTypes(*model, given)->type(net.ids["y"]).text(), "float32[3,5,12,64]");
}

TEST(Infer, FollowsFloatScalesToResize) {
    // floor(cast(size) * 1.5), as older exporters write interpolation.
    Net net;
    net.input("x", f32({1, 3, 10, 11}));
    net.node("Shape", {"x"}, {"s"}).constant("hw", ints({2, 3})).node("Gather", {"s", "hw"}, {"size"});
    net.node("Cast", {"size"}, {"f"}, {{"to", std::int64_t{1}}}).constant("k", Tensor::scalar<float>(1.5F)).node("Mul", {"f", "k"}, {"scaled"});
    net.node("Floor", {"scaled"}, {"floor"}).node("Cast", {"floor"}, {"i"}, {{"to", std::int64_t{7}}}).constant("nc", ints({1, 3}));
    net.node("Concat", {"nc", "i"}, {"sizes"}, {{"axis", std::int64_t{0}}});
    const auto model = net.node("Resize", {"x", "", "", "sizes"}, {"y"}).output("y").build();
    EXPECT_EQ(inferTypes(*model)->type(net.ids["y"]).text(), "float32[1,3,15,16]");
}

TEST(Infer, TracksDataInTwoDimensions) {
    // PyTorch's pad: reshape to pairs, reverse, transpose.
    Net net;
    net.input("x", f32({4, 5})).constant("p", ints({1, 2, 3, 4})).constant("pairs", ints({-1, 2})).constant("flat", ints({-1}));
    net.constant("a", ints({-1})).constant("b", ints({INT64_MIN})).constant("zero", ints({0}));
    net.node("Reshape", {"p", "pairs"}, {"q"}).node("Slice", {"q", "a", "b", "zero", "a"}, {"r"});
    net.node("Transpose", {"r"}, {"t"}, {{"perm", Ints{1, 0}}}).node("Reshape", {"t", "flat"}, {"pads"});
    const auto model = net.node("Pad", {"x", "pads"}, {"y"}).output("y").build();
    const auto types = inferTypes(*model);
    ASSERT_TRUE(types) << types.error().text();
    EXPECT_EQ(*types->at(net.ids["pads"]).data, (std::vector<Element>{3, 1, 4, 2}));
    EXPECT_EQ(types->type(net.ids["y"]).text(), "float32[11,8]");
}

TEST(Infer, DeclaredTypesFillInWhatIsUnknown) {
    Net net;
    net.input("x", f32({4}));
    net.ids["y"] = net.builder.addValue(GraphId(0), "y", tensor(DType::I64, {1, sym("found")}));
    const auto model = net.node("NonZero", {"x"}, {"y"}).output("y").build();
    EXPECT_EQ(inferTypes(*model)->type(net.ids["y"]).text(), "int64[1,found]");
    EXPECT_EQ(inferTypes(*model, {{{"found", 3}}, {}, {}})->type(net.ids["y"]).text(), "int64[1,3]");
}

TEST(Infer, ADefaultCountsUnlessTheRunFeedsIt) {
    Net net;
    net.input("x", f32({2, 6})).input("shape", tensor(DType::I64, {2}));
    net.builder.setDefault(net.ids["shape"], ints({3, 4}));
    const auto model = net.node("Reshape", {"x", "shape"}, {"y"}).output("y").build();
    EXPECT_EQ(inferTypes(*model)->type(net.ids["y"]).text(), "float32[3,4]");
    InferOptions fed;
    fed.inputs[net.ids["shape"]] = tensor(DType::I64, {2});
    EXPECT_EQ(inferTypes(*model, fed)->type(net.ids["y"]).text(), "float32[?,?]");
    fed.inputTensors[net.ids["shape"]] = ints({12, 1});
    EXPECT_EQ(inferTypes(*model, fed)->type(net.ids["y"]).text(), "float32[12,1]");
}

TEST(Infer, ListsInputSymbolsInOrder) {
    Net net;
    net.input("a", f32({sym("N"), 3, sym("W")})).input("b", f32({sym("S"), sym("N")}));
    EXPECT_EQ(inputSymbols(*net.node("Relu", {"a"}, {"y"}).build()), (std::vector<std::string>{"N", "W", "S"}));
}

}  // namespace
}  // namespace hs

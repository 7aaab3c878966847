// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "import_support.h"

namespace hs {
namespace {

using test::addNode;
using test::load;
using test::refusal;
using test::setFloats;
using test::setFloatType;
using test::smallModel;
using testing::HasSubstr;
using wire::ModelProto;

TEST(ImportHostile, NotAModel) {
    EXPECT_FALSE(importModelBytes({}, "empty").has_value());
    EXPECT_FALSE(importModelBytes(test::asBytes("hello, this is not a model at all"), "text").has_value());
    EXPECT_FALSE(importModelBytes(test::asBytes(std::string(4096, '\0')), "zeros").has_value());
    EXPECT_FALSE(importModel("/no/such/file.onnx").has_value());
    EXPECT_FALSE(importModel("/").has_value());
    EXPECT_EQ(importModel("/no/such/file.onnx").error().code, ErrorCode::BadInput);
}

TEST(ImportHostile, TruncatedAnywhereIsRefused) {
    const std::string whole = smallModel().SerializeAsString();
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(importModelBytes(test::asBytes(whole.substr(0, length)), "cut").has_value()) << "cut at " << length << " of " << whole.size();
}

TEST(ImportHostile, EveryByteChangedNeverCrashes) {
    const std::string whole = smallModel().SerializeAsString();
    std::size_t refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const int change : {0x01, 0x80, 0xff}) {
            std::string bytes = whole;
            bytes[at] = static_cast<char>(bytes[at] ^ change);
            const auto model = importModelBytes(test::asBytes(bytes), "changed");
            refused += model ? 0 : 1;
            if (model) {
                EXPECT_TRUE(exportModelBytes(**model).has_value());
            }
        }
    }
    EXPECT_GT(refused, whole.size());
}

TEST(ImportHostile, Header) {
    refusal([](ModelProto& m) { m.clear_graph(); });
    refusal([](ModelProto& m) { m.clear_opset_import(); });
    refusal([](ModelProto& m) { m.clear_ir_version(); });
    refusal([](ModelProto& m) { m.set_ir_version(2); }, ErrorCode::Unsupported);
    refusal([](ModelProto& m) { m.set_ir_version(14); }, ErrorCode::Unsupported);
    refusal([](ModelProto& m) { m.mutable_opset_import(0)->set_version(0); });
    refusal([](ModelProto& m) { m.mutable_graph()->clear_output(); });
}

TEST(ImportHostile, Nodes) {
    refusal([](ModelProto& m) { m.mutable_graph()->mutable_node(0)->clear_op_type(); });
    EXPECT_THAT(refusal([](ModelProto& m) { m.mutable_opset_import(0)->set_domain("com.acme"); }), HasSubstr("ai.onnx"));
    EXPECT_THAT(refusal([](ModelProto& m) { m.mutable_graph()->mutable_node(0)->set_input(1, "nowhere"); }), HasSubstr("nowhere"));
    EXPECT_THAT(refusal([](ModelProto& m) { m.mutable_graph()->mutable_node(0)->set_input(1, "y"); }), HasSubstr("cycle"));
    EXPECT_THAT(refusal([](ModelProto& m) { m.mutable_graph()->mutable_output(0)->set_name("z"); }), HasSubstr("\"z\""));
}

TEST(ImportHostile, NamesDefinedTwice) {
    refusal([](ModelProto& m) { addNode(m.mutable_graph()->mutable_node(), "Abs", {"x"}, {"sum"}); });
    refusal([](ModelProto& m) { addNode(m.mutable_graph()->mutable_node(), "Abs", {"y"}, {"x"}); });
    refusal([](ModelProto& m) { setFloats(m.mutable_graph()->add_initializer(), "w", {1}, {1.0F}); });
    refusal([](ModelProto& m) { setFloatType(m.mutable_graph()->add_input(), "x", {2}); });
    refusal([](ModelProto& m) { setFloats(m.mutable_graph()->add_initializer(), "", {1}, {1.0F}); });
}

TEST(ImportHostile, TensorSizes) {
    const auto weight = [](ModelProto& m) { return m.mutable_graph()->mutable_initializer(0); };
    EXPECT_THAT(refusal([&](ModelProto& m) { weight(m)->set_dims(0, -2); }), HasSubstr("\"w\""));
    refusal([&](ModelProto& m) { weight(m)->set_dims(0, std::int64_t{1} << 40); });
    refusal([&](ModelProto& m) { weight(m)->set_dims(0, std::int64_t{1} << 62), weight(m)->add_dims(4); });
    refusal([&](ModelProto& m) { weight(m)->set_dims(0, 3); });
    refusal([&](ModelProto& m) { weight(m)->clear_float_data(); });
    refusal([&](ModelProto& m) { weight(m)->set_data_type(99); });
    refusal([&](ModelProto& m) { weight(m)->set_data_type(0); });
    refusal([&](ModelProto& m) { weight(m)->set_data_type(8); });
    refusal([&](ModelProto& m) { weight(m)->clear_float_data(), weight(m)->set_raw_data("1234567"); });
    refusal([&](ModelProto& m) { weight(m)->mutable_segment()->set_end(1); }, ErrorCode::Unsupported);
    refusal([&](ModelProto& m) {
        for (int i = 0; i < 40; ++i)
            weight(m)->add_dims(1);
    });
}

TEST(ImportHostile, DeclaredTypes) {
    const auto type = [](ModelProto& m) { return m.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type(); };
    refusal([&](ModelProto& m) { type(m)->set_elem_type(77); });
    refusal([&](ModelProto& m) { type(m)->mutable_shape()->mutable_dim(0)->set_dim_value(-7); });
    refusal([&](ModelProto& m) { type(m)->mutable_shape()->mutable_dim(0)->set_dim_value(std::int64_t{1} << 41); });
    refusal([&](ModelProto& m) {
        type(m)->mutable_shape()->mutable_dim(0)->set_dim_value(std::int64_t{1} << 30);
        type(m)->mutable_shape()->add_dim()->set_dim_param("N");
        type(m)->mutable_shape()->add_dim()->set_dim_value(std::int64_t{1} << 30);
    });
    refusal([&](ModelProto& m) { setFloatType(m.mutable_graph()->add_input(), "w", {3}); });
}

TEST(ImportHostile, Attributes) {
    const auto add = [](ModelProto& m, int type) {
        auto* out = m.mutable_graph()->mutable_node(0)->add_attribute();
        out->set_name("a");
        out->set_type(type);
        return out;
    };
    refusal([&](ModelProto& m) { add(m, 0)->set_i(1); });
    refusal([&](ModelProto& m) { add(m, 99); });
    refusal([&](ModelProto& m) { add(m, 2)->set_f(1.0F); });
    refusal([&](ModelProto& m) { add(m, 4); });
    refusal([&](ModelProto& m) { add(m, 5); });
    refusal([&](ModelProto& m) { add(m, 2)->set_i(1), add(m, 2)->set_i(1); });
    refusal([&](ModelProto& m) { add(m, 2)->set_ref_attr_name("b"); });
    refusal([&](ModelProto& m) { add(m, 2)->clear_name(); });
    ModelProto zero = smallModel();
    add(zero, 2);  // a zero may be left out on the wire
    EXPECT_EQ(load(zero).value()->nodes()[0].intOr("a", 5), 0);
}

TEST(ImportHostile, NestingIsBounded) {
    ModelProto model = smallModel();
    auto* graph = model.mutable_graph();
    for (int depth = 0; depth < 80; ++depth) {
        auto* node = addNode(graph->mutable_node(), "If", {"x"}, {"deep" + std::to_string(depth)});
        auto* attribute = node->add_attribute();
        attribute->set_name("then_branch");
        attribute->set_type(5);
        graph = attribute->mutable_g();
    }
    const auto result = load(model);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::BadInput);
    ImportLimits shallow;
    shallow.maxSubgraphDepth = 0;
    ModelProto one = smallModel();
    auto* node = addNode(one.mutable_graph()->mutable_node(), "If", {"x"}, {"z"});
    auto* attribute = node->add_attribute();
    attribute->set_name("then_branch");
    attribute->set_type(5);
    attribute->mutable_g();
    EXPECT_TRUE(load(one).has_value());
    EXPECT_FALSE(load(one, {}, shallow).has_value());
}

TEST(ImportHostile, InvalidUtf8InNames) {
    std::string bytes = smallModel().SerializeAsString();
    const auto at = bytes.find("small");
    bytes[at] = '\xff';
    EXPECT_FALSE(importModelBytes(test::asBytes(bytes), "utf8").has_value());
}

class ExternalDataTest : public testing::Test {
protected:
    /// The small model with its weight in a file beside; fields may be changed before loading.
    static ModelProto model(const std::string& location, const std::string& offset = "0", const std::string& length = "8") {
        ModelProto out = smallModel();
        auto* weight = out.mutable_graph()->mutable_initializer(0);
        weight->clear_float_data();
        weight->set_data_location(1);
        for (const auto& [key, value] : {std::pair{"location", location}, std::pair{"offset", offset}, std::pair{"length", length}}) {
            if (value.empty()) continue;
            auto* entry = weight->add_external_data();
            entry->set_key(key);
            entry->set_value(value);
        }
        return out;
    }
    Result<ModelPtr> loadHere(const ModelProto& proto) const { return load(proto, m_folder.path().string()); }
    static std::string floats(std::vector<float> values) { return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)}; }

    test::TemporaryFolder m_folder;
};

TEST_F(ExternalDataTest, IsMappedAndCopiedOnlyWhereUnaligned) {
    m_folder.write("w.bin", floats({1, 2, 3, 4}));
    const auto weight = [&](const ModelProto& proto) {
        const auto loaded = loadHere(proto).value();
        return *loaded->value(loaded->main().initializers[0]).initializer;
    };
    EXPECT_THAT(weight(model("w.bin", "4")).data<float>(), testing::ElementsAre(2.0F, 3.0F));
    EXPECT_THAT(weight(model("./w.bin", "", "")).data<float>(), testing::ElementsAre(1.0F, 2.0F));
    const Tensor odd = weight(model("w.bin", "1"));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(odd.raw()) % 4, 0U);
    EXPECT_EQ(odd.data<std::uint8_t>()[0], static_cast<std::uint8_t>(floats({1})[1]));
}

TEST_F(ExternalDataTest, RefusesRegionsOutsideTheFile) {
    m_folder.write("w.bin", floats({1, 2, 3, 4}));
    EXPECT_TRUE(loadHere(model("w.bin", "8")).has_value());
    for (const std::string offset : {"9", "16", "18446744073709551615", "-4", "0x4", "4 ", "99999999999999999999"})
        EXPECT_FALSE(loadHere(model("w.bin", offset)).has_value()) << offset;
    for (const std::string length : {"7", "16", "0", "-8", "many"})
        EXPECT_FALSE(loadHere(model("w.bin", "0", length)).has_value()) << length;
}

TEST_F(ExternalDataTest, RefusesLocationsOutsideTheFolder) {
    const test::TemporaryFolder elsewhere;
    const std::string secret = elsewhere.write("secret", floats({1, 2}));
    std::filesystem::create_symlink(secret, m_folder.path() / "link");
    std::filesystem::create_directory_symlink(elsewhere.path(), m_folder.path() / "dir");
    ASSERT_EQ(::mkfifo((m_folder.path() / "pipe").c_str(), 0600), 0);
    const std::string up = "../" + elsewhere.path().filename().string() + "/secret";
    for (const std::string& location :
         {secret, up, std::string("a/../") + up, std::string("link"), std::string("dir/secret"), std::string("pipe"), std::string("."), std::string(""),
          std::string("missing.bin"), std::string("*/_ORT_MEM_ADDR_/*"), std::string("a\0b", 3), std::string("..\\x")}) {
        const auto result = loadHere(model(location));
        EXPECT_FALSE(result.has_value()) << location;
        if (!result) {
            EXPECT_EQ(result.error().code, ErrorCode::BadInput);
        }
    }
    m_folder.write("w.bin", floats({1, 2}));
    std::filesystem::create_symlink("w.bin", m_folder.path() / "inside");
    EXPECT_TRUE(loadHere(model("inside")).has_value());
    EXPECT_FALSE(load(model("w.bin")).has_value());  // from memory, without a folder
}

}  // namespace
}  // namespace hs

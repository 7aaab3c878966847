// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "import_support.h"

namespace hs {
namespace {

Result<Tensor> parse(const wire::TensorProto& proto) {
    return parseTensor(test::asBytes(proto.SerializeAsString()), "t.pb");
}

wire::TensorProto typed(DType type, std::int64_t count) {
    wire::TensorProto out;
    out.set_data_type(static_cast<int>(type));
    out.add_dims(count);
    return out;
}

TEST(TensorFile, NarrowTypesComeFromInt32Data) {
    auto bytes = typed(DType::I8, 2);
    bytes.add_int32_data(-1);
    bytes.add_int32_data(127);
    EXPECT_THAT(parse(bytes).value().data<std::int8_t>(), testing::ElementsAre(-1, 127));
    auto half = typed(DType::F16, 1);
    half.add_int32_data(0x3c00);
    EXPECT_EQ(parse(half).value().data<std::uint16_t>()[0], 0x3c00);
    auto nibbles = typed(DType::I4, 3);
    nibbles.add_int32_data(0x21);
    nibbles.add_int32_data(0x03);
    const Tensor packed = parse(nibbles).value();
    EXPECT_EQ(packed.bytes(), 2U);
    EXPECT_EQ(static_cast<const std::uint8_t*>(packed.raw())[0], 0x21);
    auto pairs = typed(DType::U2, 5);
    pairs.add_int32_data(0xe4);
    pairs.add_int32_data(1);
    EXPECT_EQ(parse(pairs).value().bytes(), 2U);
    auto small = typed(DType::U32, 1);
    small.add_uint64_data(0xffffffffU);
    EXPECT_EQ(parse(small).value().data<std::uint32_t>()[0], 0xffffffffU);
    auto complex = typed(DType::C64, 1);
    complex.add_float_data(1.0F);
    complex.add_float_data(2.0F);
    EXPECT_EQ(parse(complex).value().bytes(), 8U);
}

TEST(TensorFile, ValuesThatDoNotFitAreRefused) {
    auto bytes = typed(DType::U8, 1);
    bytes.add_int32_data(256);
    EXPECT_FALSE(parse(bytes).has_value());
    bytes.set_int32_data(0, -129);
    EXPECT_FALSE(parse(bytes).has_value());
    auto small = typed(DType::U32, 1);
    small.add_uint64_data(std::uint64_t{1} << 32);
    EXPECT_FALSE(parse(small).has_value());
}

TEST(TensorFile, StringsScalarsAndEmptyTensors) {
    auto strings = typed(DType::String, 2);
    strings.add_string_data("a");
    strings.add_string_data(std::string("\xff\0", 2));
    EXPECT_THAT(parse(strings).value().data<std::string>(), testing::ElementsAre("a", std::string("\xff\0", 2)));
    EXPECT_EQ(parse(typed(DType::F64, 0)).value().count(), 0);
    wire::TensorProto scalar;
    scalar.set_data_type(7);
    scalar.add_int64_data(-5);
    EXPECT_THAT(toInt64s(parse(scalar).value()), testing::ElementsAre(-5));
}

TEST(TensorFile, WritesWhatItReads) {
    const Tensor tensor = Tensor::of<std::int64_t>({2, 2}, std::vector<std::int64_t>{1, -2, 3, -4});
    const std::string bytes = serializeTensor(tensor, "t");
    const Tensor again = parseTensor(test::asBytes(bytes), "t").value();
    EXPECT_EQ(again.dims(), tensor.dims());
    EXPECT_EQ(toInt64s(again), toInt64s(tensor));
    const test::TemporaryFolder folder;
    EXPECT_EQ(toInt64s(readTensorFile(folder.write("t.pb", bytes)).value()), toInt64s(tensor));
    for (std::size_t cut = 0; cut < bytes.size(); ++cut)
        EXPECT_FALSE(parseTensor(test::asBytes(bytes.substr(0, cut)), "cut").has_value());
}

TEST(TensorFile, ExternalDataIsRefused) {
    auto tensor = typed(DType::F32, 1);
    tensor.set_data_location(1);
    EXPECT_FALSE(parse(tensor).has_value());
    EXPECT_EQ(parse(tensor).error().where, "t.pb");
    EXPECT_FALSE(readTensorFile("/no/such/file.pb").has_value());
}

}  // namespace
}  // namespace hs

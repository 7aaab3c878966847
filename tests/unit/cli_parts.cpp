// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>

#include "app/cli/compare_tensors.h"
#include "app/cli/elements.h"
#include "app/cli/npy.h"

namespace hs::cli {
namespace {

Tensor floatsOf(std::vector<float> values) {
    return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
}

TEST(Mismatch, FollowsTheRuleOfTheBackendTests) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInf = std::numeric_limits<float>::infinity();
    const Tolerance t{1e-3, 1e-7};
    EXPECT_EQ(mismatch(floatsOf({1.0009F, kNan, kInf, 0}), floatsOf({1, kNan, kInf, 5e-8F}), t), "");
    EXPECT_NE(mismatch(floatsOf({1.002F}), floatsOf({1}), t), "");
    EXPECT_NE(mismatch(floatsOf({kInf}), floatsOf({-kInf}), t), "");
    EXPECT_NE(mismatch(floatsOf({kNan}), floatsOf({0}), t), "");
    EXPECT_NE(mismatch(floatsOf({1}), floatsOf({kInf}), t), "");
    EXPECT_NE(mismatch(floatsOf({1}), floatsOf({1, 1}), t).find("shape"), std::string::npos);
    EXPECT_NE(mismatch(Tensor::scalar<std::int64_t>(1), Tensor::scalar<std::int32_t>(1), t).find("type"), std::string::npos);
}

TEST(Mismatch, ComparesStringsExactly) {
    const std::vector<std::string> a = {"x", "y"};
    const std::vector<std::string> b = {"x", "z"};
    EXPECT_EQ(mismatch(Tensor::of<std::string>({2}, a), Tensor::of<std::string>({2}, a), {}), "");
    EXPECT_NE(mismatch(Tensor::of<std::string>({2}, a), Tensor::of<std::string>({2}, b), {}), "");
}

Tensor raw(DType type, Dims dims, std::vector<std::uint8_t> bytes) {
    Tensor out = Tensor::allocate(type, std::move(dims)).value();
    std::copy(bytes.begin(), bytes.end(), static_cast<std::uint8_t*>(out.raw()));
    return out;
}

TEST(ElementAt, ReadsSmallFormats) {
    EXPECT_EQ(elementAt(raw(DType::F16, {1}, {0x00, 0xC1}), 0).real(), -2.5);
    EXPECT_EQ(elementAt(raw(DType::F16, {1}, {0x01, 0x00}), 0).real(), std::ldexp(1.0, -24));
    EXPECT_EQ(elementAt(raw(DType::BF16, {1}, {0x80, 0x3F}), 0).real(), 1.0);
    EXPECT_EQ(elementAt(raw(DType::F8E4M3FN, {1}, {0x7E}), 0).real(), 448.0);
    EXPECT_TRUE(std::isnan(elementAt(raw(DType::F8E4M3FN, {1}, {0x7F}), 0).real()));
    EXPECT_EQ(elementAt(raw(DType::F8E5M2, {1}, {0x7B}), 0).real(), 57344.0);
    EXPECT_TRUE(std::isinf(elementAt(raw(DType::F8E5M2, {1}, {0x7C}), 0).real()));
    EXPECT_EQ(elementAt(raw(DType::F8E4M3FNUZ, {1}, {0x7F}), 0).real(), 240.0);
    EXPECT_EQ(elementAt(raw(DType::I4, {2}, {0x8F}), 0).real(), -1.0);
    EXPECT_EQ(elementAt(raw(DType::I4, {2}, {0x8F}), 1).real(), -8.0);
    EXPECT_EQ(elementAt(raw(DType::U2, {4}, {0b11100100}), 2).real(), 2.0);
    EXPECT_EQ(elementAt(raw(DType::F4E2M1, {2}, {0x7F}), 0).real(), -6.0);
}

TEST(DeviationOf, MeasuresHowFarTwoResultsAreApart) {
    const Deviation d = deviationOf(floatsOf({1, 2, 4}), floatsOf({1, 2, 5}));
    EXPECT_DOUBLE_EQ(d.maxAbs, 1.0);
    EXPECT_DOUBLE_EQ(d.maxRel, 0.2);
    EXPECT_NEAR(d.cosine, 25.0 / std::sqrt(21.0 * 30.0), 1e-12);
    EXPECT_DOUBLE_EQ(deviationOf(floatsOf({0}), floatsOf({0})).cosine, 1.0);
}

class NpyFile : public ::testing::Test {
protected:
    std::string write(const std::string& header, const std::string& data, char version = 1) {
        const std::string path = ::testing::TempDir() + "cli_parts.npy";
        std::ofstream file(path, std::ios::binary);
        file << "\x93NUMPY" << version << '\0' << static_cast<char>(header.size() & 0xFF) << static_cast<char>(header.size() >> 8);
        if (version > 1) file << '\0' << '\0';
        file << header << data;
        return path;
    }
};

TEST_F(NpyFile, IsReadInEveryVersion) {
    const float values[] = {1.5F, -2.0F};
    const std::string data(reinterpret_cast<const char*>(values), sizeof(values));
    for (const char version : {char{1}, char{2}, char{3}}) {
        const auto tensor = readNpy(write("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }\n", data, version));
        ASSERT_TRUE(tensor) << tensor.error().text();
        EXPECT_EQ(tensor->dims(), (Dims{2, 1}));
        EXPECT_EQ(tensor->data<float>()[1], -2.0F);
    }
    EXPECT_EQ(readNpy(write("{'descr': '<i8', 'fortran_order': False, 'shape': (), }", std::string(8, '\0')))->rank(), 0U);
}

TEST_F(NpyFile, WhatItDoesNotReadIsNamed) {
    const std::string eight(8, '\0');
    for (const std::string& path :
         {write("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", eight), write("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", eight),
          write("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", eight),
          write("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999,99999999999), }", eight), write("nothing", eight), write("", ""),
          write("{'descr': '<f4", eight), std::string("/nowhere/at/all.npy")}) {
        const auto tensor = readNpy(path);
        ASSERT_FALSE(tensor);
        EXPECT_EQ(tensor.error().code, ErrorCode::BadInput);
        EXPECT_EQ(tensor.error().where, path);
    }
}

}  // namespace
}  // namespace hs::cli

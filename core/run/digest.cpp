// SPDX-License-Identifier: Apache-2.0
#include "core/run/digest.h"

#include <array>
#include <bit>
#include <memory>
#include <openssl/evp.h>

namespace hs {

static_assert(std::endian::native == std::endian::little, "tensors are hashed as they lie in memory");

std::string sha256Of(const Tensor& tensor) {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1) return {};
    if (tensor.dtype() == DType::String) {
        for (const std::string& text : tensor.data<std::string>())
            EVP_DigestUpdate(context.get(), text.c_str(), text.size() + 1);
    } else {
        EVP_DigestUpdate(context.get(), tensor.raw(), tensor.bytes());
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned size = 0;
    if (EVP_DigestFinal_ex(context.get(), bytes.data(), &size) != 1) return {};
    static constexpr std::string_view kHex = "0123456789abcdef";
    std::string out;
    for (unsigned i = 0; i < size; ++i) {
        out += kHex[bytes[i] >> 4U];
        out += kHex[bytes[i] & 15U];
    }
    return out;
}

}  // namespace hs

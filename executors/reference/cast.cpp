// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "executors/reference/convert.h"
#include "executors/reference/registry.h"

namespace hs::ref {
namespace {

Status castTo(Call& c, DType type) {
    HS_CHECK(c.need(1));
    ConvertOptions options;
    options.saturate = c.node().intOr("saturate", 1) != 0;
    const std::string round = c.node().stringOr("round_mode", "up");
    options.round = round == "down" ? Float8E8M0::Round::Down : round == "nearest" ? Float8E8M0::Round::Nearest : Float8E8M0::Round::Up;
    HS_TRY(Tensor * y, c.out(0, type, c.dims(0)));
    if (dtypeBits(type) < 8 && y->bytes() != 0) std::memset(y->raw(), 0, y->bytes());
    return convert(c.in(0), *y, options);
}

/// Opsets before 6 name the type as a string.
Result<DType> targetType(const Call& c) {
    const auto number = dtypeFromOnnx(c.node().intOr("to", 0));
    if (number) return *number;
    std::string name = c.node().stringOr("to", "");
    for (char& letter : name)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    if (name == "float") name = "float32";
    if (name == "double") name = "float64";
    if (const auto type = dtypeFromName(name)) return *type;
    return c.bad("attribute \"to\" names no type");
}

Status cast(Call& c) {
    HS_TRY(const DType type, targetType(c));
    return castTo(c, type);
}

Status castLike(Call& c) {
    HS_CHECK(c.need(2));
    return castTo(c, c.in(1).dtype());
}

/// The same bits under another type of the same width.
Status bitCast(Call& c) {
    HS_CHECK(c.need(1));
    HS_TRY(const DType type, targetType(c));
    if (dtypeBits(type) != dtypeBits(c.in(0).dtype()) || dtypeBits(type) == 0)
        return c.bad("{} and {} have different widths", dtypeName(c.in(0).dtype()), dtypeName(type));
    HS_TRY(Tensor * y, c.out(0, type, c.dims(0)));
    if (y->bytes() != 0) std::memcpy(y->raw(), c.in(0).raw(), y->bytes());
    return {};
}

const Operator kOperators[] = {
    {"Cast", cast, kCastable | bit(DType::String)},
    {"CastLike", castLike, kCastable | bit(DType::String)},
    {"BitCast", bitCast, kAny & ~bit(DType::String)},
};

}  // namespace

std::span<const Operator> castOperators() {
    return kOperators;
}

}  // namespace hs::ref

// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "executors/reference/operands.h"
#include "executors/reference/registry.h"

namespace hs::ref {
namespace {

// Integers wrap, and a division by zero gives zero: a hostile value must not trap.
struct Add {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) return a + b;
        return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    }
};
struct Sub {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) return a - b;
        return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
    }
};
struct Mul {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) return a * b;
        return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    }
};
struct Div {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) return a / b;
        if (b == 0) return 0;
        if constexpr (std::is_signed_v<T>)
            if (b == -1) return static_cast<T>(0 - static_cast<std::uint64_t>(a));
        return static_cast<T>(a / b);
    }
};
/// The sign follows the divisor (Python's rule).
struct FloorMod {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) {
            const T rest = std::fmod(a, b);
            return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
        } else {
            if (b == 0) return 0;
            if constexpr (std::is_signed_v<T>) {
                if (b == -1) return 0;
                const T rest = a % b;
                return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
            }
            return a % b;
        }
    }
};
/// The sign follows the dividend (C's rule).
struct TruncMod {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) {
            return std::fmod(a, b);
        } else {
            if (b == 0) return 0;
            if constexpr (std::is_signed_v<T>)
                if (b == -1) return 0;
            return a % b;
        }
    }
};

template <class Op>
Status arithmetic(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const Operands ab, Operands::make(c));
    HS_TRY(Tensor * y, c.outT(0, ab.dims()));
    switch (c.in(0).dtype()) {
        case DType::F32: return ab.map<float, float>(c, *y, Op{});
        case DType::F64: return ab.map<double, double>(c, *y, Op{});
        case DType::I64: return ab.map<std::int64_t, std::int64_t>(c, *y, Op{});
        case DType::U64: return ab.map<std::uint64_t, std::uint64_t>(c, *y, Op{});
        default: return c.noType(c.in(0).dtype());
    }
}

Status mod(Call& c) {
    return c.node().intOr("fmod", 0) != 0 ? arithmetic<TruncMod>(c) : arithmetic<FloorMod>(c);
}

/// Exact for integers: repeated squaring modulo 2^64; a negative power of an integer truncates towards zero.
std::int64_t intPower(std::int64_t base, std::int64_t power) {
    if (power < 0) return base == 1 ? 1 : base == -1 ? ((power & 1) != 0 ? -1 : 1) : 0;
    std::uint64_t result = 1;
    auto factor = static_cast<std::uint64_t>(base);
    for (auto p = static_cast<std::uint64_t>(power); p != 0; p >>= 1) {
        if ((p & 1) != 0) result *= factor;
        factor *= factor;
    }
    return static_cast<std::int64_t>(result);
}

bool isWide(DType type) {
    return type == DType::F32 || type == DType::F64 || type == DType::I64 || type == DType::U64;
}

/// Base and exponent may have different types: the exponent is brought to int64 or double.
Status pow(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const Operands ab, Operands::make(c));
    HS_TRY(Tensor * y, c.outT(0, ab.dims()));
    const DType type = c.in(0).dtype();
    if (!isWide(type)) return c.noType(type);
    const bool whole = isInteger(type) && isInteger(c.in(1).dtype());
    HS_TRY(Tensor power, Tensor::allocate(whole ? DType::I64 : DType::F64, c.dims(1)));
    HS_CHECK(convert(c.in(1), power));
    const Tensor& base = c.in(0);
    const auto real = [](double a, double b) { return std::pow(a, b); };
    if (type == DType::F32) return ab.mapMixed<float, double, float>(base, power, *y, real);
    if (type == DType::F64) return ab.mapMixed<double, double, double>(base, power, *y, real);
    if (whole) return ab.mapMixed<std::int64_t, std::int64_t, std::int64_t>(base, power, *y, intPower);
    const auto truncated = [](std::int64_t a, double b) {
        const double v = std::pow(static_cast<double>(a), b);
        return std::isnan(v)                ? 0
               : v >= 9.2233720368547758e18 ? std::numeric_limits<std::int64_t>::max()
               : v < -9.2233720368547758e18 ? std::numeric_limits<std::int64_t>::min()
                                            : static_cast<std::int64_t>(v);
    };
    return ab.mapMixed<std::int64_t, double, std::int64_t>(base, power, *y, truncated);
}

Status prelu(Call& c) {
    HS_CHECK(c.need(2));
    // Before opset 9 a slope of C elements belonged to the channel axis.
    if (c.opset() < 9 && c.dims(1).size() == 1 && c.dims(0).size() > 1 && c.dims(1)[0] == c.dims(0)[1]) {
        Dims channel(c.dims(0).size() - 1, 1);
        channel[0] = c.dims(1)[0];
        HS_TRY(const Operands ab, Operands::make(c.dims(0), channel));
        HS_TRY(Tensor * y, c.outT(0, ab.dims()));
        const auto f = [](auto a, auto b) { return a < 0 ? static_cast<decltype(a)>(a * b) : a; };
        if (c.in(0).dtype() == DType::F32) return ab.map<float, float>(c, *y, f);
        return ab.map<double, double>(c, *y, f);
    }
    struct Slope {
        float operator()(float a, float b) const { return a < 0 ? a * b : a; }
        double operator()(double a, double b) const { return a < 0 ? a * b : a; }
        std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a < 0 ? Mul{}(a, b) : a; }
        std::uint64_t operator()(std::uint64_t a, std::uint64_t) const { return a; }
    };
    HS_CHECK(arithmetic<Slope>(c));
    return {};
}

Status bitShift(Call& c) {
    HS_CHECK(c.need(2));
    const std::string direction = c.node().stringOr("direction", "");
    HS_TRY(const Operands ab, Operands::make(c));
    HS_TRY(Tensor * y, c.outT(0, ab.dims()));
    const auto left = [](std::uint64_t a, std::uint64_t b) { return b < 64 ? a << b : 0; };
    const auto right = [](std::uint64_t a, std::uint64_t b) { return b < 64 ? a >> b : 0; };
    // Both wide types hold the unsigned value: the narrowing keeps the low bits.
    if (direction == "LEFT") return ab.map<std::uint64_t, std::uint64_t>(c, *y, left);
    if (direction == "RIGHT") return ab.map<std::uint64_t, std::uint64_t>(c, *y, right);
    return c.bad("direction must be LEFT or RIGHT, not \"{}\"", direction);
}

struct BitAnd {
    std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a & b; }
};
struct BitOr {
    std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a | b; }
};
struct BitXor {
    std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a ^ b; }
};

/// Sign extension commutes with bit operations, so all integers share one 64-bit form.
template <class Op>
Status bitwise(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const Operands ab, Operands::make(c));
    HS_TRY(Tensor * y, c.outT(0, ab.dims()));
    return ab.map<std::uint64_t, std::uint64_t>(c, *y, Op{});
}

Status bitwiseNot(Call& c) {
    HS_CHECK(c.need(1));
    HS_TRY(Tensor * y, c.outT(0, c.dims(0)));
    for (std::size_t i = 0; i < y->data<std::uint64_t>().size(); ++i)
        y->data<std::uint64_t>()[i] = ~c.in(0).data<std::uint64_t>()[i];
    return {};
}

constexpr Widen kW = Widen::Numbers;

const Operator kOperators[] = {
    {"Add", arithmetic<Add>, kNumbers, kW},
    {"Sub", arithmetic<Sub>, kNumbers, kW},
    {"Mul", arithmetic<Mul>, kNumbers, kW},
    {"Div", arithmetic<Div>, kNumbers, kW},
    {"Mod", mod, kNumbers, kW},
    {"Pow", pow, kNumbers, kW},
    {"PRelu", prelu, kNumbers, kW},
    {"BitShift", bitShift, kUnsigned, kW},
    {"BitwiseAnd", bitwise<BitAnd>, kInts, kW},
    {"BitwiseOr", bitwise<BitOr>, kInts, kW},
    {"BitwiseXor", bitwise<BitXor>, kInts, kW},
    {"BitwiseNot", bitwiseNot, kInts, kW},
};

}  // namespace

std::span<const Operator> binaryOperators() {
    return kOperators;
}

}  // namespace hs::ref

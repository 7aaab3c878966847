// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "executors/reference/operands.h"
#include "executors/reference/registry.h"

namespace hs::ref {
namespace {

struct Equal {
    template <class T>
    bool operator()(const T& a, const T& b) const {
        return a == b;
    }
};
struct Less {
    template <class T>
    bool operator()(const T& a, const T& b) const {
        return a < b;
    }
};
struct LessOrEqual {
    template <class T>
    bool operator()(const T& a, const T& b) const {
        return a <= b;
    }
};
struct Greater {
    template <class T>
    bool operator()(const T& a, const T& b) const {
        return a > b;
    }
};
struct GreaterOrEqual {
    template <class T>
    bool operator()(const T& a, const T& b) const {
        return a >= b;
    }
};

template <class Op>
Status compare(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const Operands ab, Operands::make(c));
    HS_TRY(Tensor * y, c.out(0, DType::Bool, ab.dims()));
    switch (c.in(0).dtype()) {
        case DType::F32: return ab.map<float, std::uint8_t>(c, *y, Op{});
        case DType::F64: return ab.map<double, std::uint8_t>(c, *y, Op{});
        case DType::I64: return ab.map<std::int64_t, std::uint8_t>(c, *y, Op{});
        case DType::U64: return ab.map<std::uint64_t, std::uint8_t>(c, *y, Op{});
        case DType::Bool: return ab.map<std::uint8_t, std::uint8_t>(c, *y, Op{});
        case DType::String: return ab.map<std::string, std::uint8_t>(c, *y, Op{});
        default: return c.noType(c.in(0).dtype());
    }
}

struct And {
    bool operator()(std::uint8_t a, std::uint8_t b) const { return a != 0 && b != 0; }
};
struct Or {
    bool operator()(std::uint8_t a, std::uint8_t b) const { return a != 0 || b != 0; }
};
struct Xor {
    bool operator()(std::uint8_t a, std::uint8_t b) const { return (a != 0) != (b != 0); }
};

template <class Op>
Status logic(Call& c) {
    HS_CHECK(c.need(2));
    HS_TRY(const Operands ab, Operands::make(c));
    HS_TRY(Tensor * y, c.out(0, DType::Bool, ab.dims()));
    return ab.map<std::uint8_t, std::uint8_t>(c, *y, Op{});
}

Status logicalNot(Call& c) {
    HS_CHECK(c.need(1));
    HS_TRY(Tensor * y, c.out(0, DType::Bool, c.dims(0)));
    const auto from = c.in(0).data<std::uint8_t>();
    for (std::size_t i = 0; i < from.size(); ++i)
        y->data<std::uint8_t>()[i] = from[i] == 0 ? 1 : 0;
    return {};
}

template <class F>
Status classify(Call& c, F f) {
    HS_CHECK(c.need(1));
    HS_TRY(Tensor * y, c.out(0, DType::Bool, c.dims(0)));
    HS_TRY(const std::vector<double> values, toDoubles(c.in(0)));
    for (std::size_t i = 0; i < values.size(); ++i)
        y->data<std::uint8_t>()[i] = f(values[i]) ? 1 : 0;
    return {};
}

Status isNan(Call& c) {
    return classify(c, [](double v) { return std::isnan(v); });
}
Status isInf(Call& c) {
    const bool positive = c.node().intOr("detect_positive", 1) != 0;
    const bool negative = c.node().intOr("detect_negative", 1) != 0;
    return classify(c, [=](double v) { return std::isinf(v) && (v > 0 ? positive : negative); });
}

/// A ternary choice; data movement, so any type.
Status where(Call& c) {
    HS_CHECK(c.need(3));
    if (c.in(0).dtype() != DType::Bool) return c.bad("the condition must be bool, not {}", dtypeName(c.in(0).dtype()));
    if (c.in(1).dtype() != c.in(2).dtype()) return c.bad("both branches must have one type");
    const std::array<const Dims*, 3> all = {&c.dims(0), &c.dims(1), &c.dims(2)};
    HS_TRY(const Broadcast broadcast, Broadcast::make(all));
    HS_TRY(Tensor * y, c.outT(0, broadcast.dims()));
    const auto condition = c.in(0).data<std::uint8_t>();
    const Mover yes(c.in(1), *y);
    const Mover no(c.in(2), *y);
    broadcast.rows([&](std::int64_t at, const std::int64_t* from, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) {
            if (condition[static_cast<std::size_t>(from[0] + i * broadcast.step(0))] != 0)
                yes.one(at + i, from[1] + i * broadcast.step(1));
            else
                no.one(at + i, from[2] + i * broadcast.step(2));
        }
    });
    return {};
}

constexpr TypeSet kOrdered = kNumbers | kBool;
constexpr Widen kW = Widen::Numbers;

const Operator kOperators[] = {
    {"Equal", compare<Equal>, kOrdered | bit(DType::String), kW},
    {"Less", compare<Less>, kNumbers, kW},
    {"LessOrEqual", compare<LessOrEqual>, kNumbers, kW},
    {"Greater", compare<Greater>, kNumbers, kW},
    {"GreaterOrEqual", compare<GreaterOrEqual>, kNumbers, kW},
    {"And", logic<And>, kBool},
    {"Or", logic<Or>, kBool},
    {"Xor", logic<Xor>, kBool},
    {"Not", logicalNot, kBool},
    {"IsNaN", isNan, kFloats | kFloat8},
    {"IsInf", isInf, kFloats | kFloat8},
    {"Where", where, kAny, Widen::Packed, 1},
};

}  // namespace

std::span<const Operator> logicOperators() {
    return kOperators;
}

}  // namespace hs::ref

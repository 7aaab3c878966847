// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "executors/reference/call.h"
#include "executors/reference/convert.h"
#include "executors/reference/walk.h"

namespace hs::ref {

/// The two operands of an elementwise operator, broadcast to each other.
class Operands {
public:
    /// From inputs 0 and 1. Before opset 7, `broadcast` and `axis` say where the second operand's dimensions go.
    static Result<Operands> make(Call& call) {
        Dims right = call.dims(1);
        if (call.opset() < 7 && call.node().intOr("broadcast", 0) != 0) {
            const auto rank = static_cast<std::int64_t>(call.dims(0).size());
            std::int64_t at = call.node().intOr("axis", rank - static_cast<std::int64_t>(right.size()));
            if (at < 0) at += rank;
            if (at < 0 || at > rank) return call.bad("axis {} is out of range for rank {}", at, rank);
            const std::int64_t trailing = rank - at - static_cast<std::int64_t>(right.size());
            if (trailing > 0) right.insert(right.end(), static_cast<std::size_t>(trailing), 1);
        }
        return make(call.dims(0), right);
    }
    static Result<Operands> make(const Dims& left, const Dims& right) {
        const std::array<const Dims*, 2> both = {&left, &right};
        HS_TRY(Broadcast broadcast, Broadcast::make(both));
        return Operands(std::move(broadcast));
    }
    const Dims& dims() const { return m_broadcast.dims(); }

    /// out = f(a, b) with inputs 0 and 1 of one type.
    template <class In, class Out, class F>
    Status map(Call& call, Tensor& out, F f) const {
        if (call.in(0).dtype() != call.in(1).dtype())
            return call.bad("both operands must have one type, not {} and {}", dtypeName(call.in(0).dtype()), dtypeName(call.in(1).dtype()));
        return mapMixed<In, In, Out>(call.in(0), call.in(1), out, f);
    }

    template <class A, class B, class Out, class F>
    Status mapMixed(const Tensor& left, const Tensor& right, Tensor& out, F f) const {
        const A* a = static_cast<const A*>(left.raw());
        const B* b = static_cast<const B*>(right.raw());
        Out* y = static_cast<Out*>(out.raw());
        const std::int64_t stepA = m_broadcast.step(0);
        const std::int64_t stepB = m_broadcast.step(1);
        m_broadcast.rows([&](std::int64_t at, const std::int64_t* from, std::int64_t n) {
            const A* pa = a + from[0];
            const B* pb = b + from[1];
            Out* py = y + at;
            for (std::int64_t i = 0; i < n; ++i)
                py[i] = static_cast<Out>(f(pa[i * stepA], pb[i * stepB]));
        });
        return {};
    }

private:
    explicit Operands(Broadcast broadcast) : m_broadcast(std::move(broadcast)) {}
    Broadcast m_broadcast;
};

}  // namespace hs::ref

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "executors/reference/gemm.h"
#include "executors/reference/registry.h"
#include "executors/reference/rnn_activation.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

enum class Cell : std::uint8_t { Rnn, Gru, Lstm };

/// Sizes, parameters and state of one recurrent node; everything in double.
struct Recurrent {
    Cell cell = Cell::Rnn;
    std::int64_t steps = 0, batch = 0, inputs = 0, hidden = 0, gates = 1, directions = 1;
    bool batchFirst = false, inputForget = false, linearBeforeReset = false, firstReverse = false;
    double clip = 0;
    Values x, w, r, bias, peephole, h, c;  ///< x is [steps, batch, inputs]; h and c are [directions, batch, hidden]
    std::vector<std::int64_t> lengths;
    std::vector<RnnActivation> activations;
    Values y;  ///< [steps, directions, batch, hidden]
};

/// [a, b, n] to [b, a, n].
Values swapLeading(const Values& from, std::int64_t a, std::int64_t b, std::int64_t n) {
    Values out(from.size());
    for (std::int64_t i = 0; i < a; ++i)
        for (std::int64_t j = 0; j < b; ++j)
            std::copy_n(from.begin() + (i * b + j) * n, n, out.begin() + (j * a + i) * n);
    return out;
}

Result<Values> initialState(Call& c, std::size_t input, const Recurrent& net) {
    HS_TRY(Values state, valuesOr(c, input, net.directions * net.batch * net.hidden, 0));
    if (net.batchFirst && c.has(input)) state = swapLeading(state, net.batch, net.directions, net.hidden);
    return state;
}

Status readSizes(Call& c, Recurrent& net) {
    HS_CHECK(c.need(3));
    const Dims& x = c.dims(0);
    const Dims& w = c.dims(1);
    const Dims& r = c.dims(2);
    if (x.size() != 3 || w.size() != 3 || r.size() != 3) return c.bad("input, weights and recurrence weights must have rank 3");
    net.batchFirst = c.node().intOr("layout", 0) != 0;
    net.steps = x[net.batchFirst ? 1 : 0];
    net.batch = x[net.batchFirst ? 0 : 1];
    net.inputs = x[2];
    net.gates = net.cell == Cell::Lstm ? 4 : net.cell == Cell::Gru ? 3 : 1;
    net.hidden = r[2];
    const std::string direction = c.node().stringOr("direction", "forward");
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional") return c.bad("direction \"{}\" is not known", direction);
    net.directions = direction == "bidirectional" ? 2 : 1;
    net.firstReverse = direction == "reverse";
    const std::int64_t rows = net.gates * net.hidden;
    if (w != Dims{net.directions, rows, net.inputs} || r != Dims{net.directions, rows, net.hidden})
        return c.bad("weights {} and recurrence weights {} do not fit the input {}", toString(w), toString(r), toString(x));
    if (const std::int64_t declared = c.node().intOr("hidden_size", net.hidden); declared != net.hidden)
        return c.bad("hidden_size {} contradicts the weights {}", declared, toString(r));
    return {};
}

Status readParameters(Call& c, Recurrent& net) {
    const std::int64_t rows = net.gates * net.hidden;
    HS_TRY(net.x, values(c, 0));
    if (net.batchFirst) net.x = swapLeading(net.x, net.batch, net.steps, net.inputs);
    HS_TRY(net.w, values(c, 1));
    HS_TRY(net.r, values(c, 2));
    HS_TRY(net.bias, valuesOr(c, 3, net.directions * rows * 2, 0));
    net.lengths.assign(static_cast<std::size_t>(net.batch), net.steps);
    if (c.has(4)) {
        HS_TRY(net.lengths, c.ints(4));
        if (static_cast<std::int64_t>(net.lengths.size()) != net.batch) return c.bad("sequence_lens must have {} elements", net.batch);
        for (const std::int64_t n : net.lengths)
            if (n < 0 || n > net.steps) return c.bad("sequence length {} is out of range", n);
    }
    HS_TRY(net.h, initialState(c, 5, net));
    if (net.cell == Cell::Lstm) {
        HS_TRY(net.c, initialState(c, 6, net));
        HS_TRY(net.peephole, valuesOr(c, 7, net.directions * net.hidden * 3, 0));
    }
    net.clip = c.node().floatOr("clip", 0.0F);
    net.inputForget = c.node().intOr("input_forget", 0) != 0;
    net.linearBeforeReset = c.node().intOr("linear_before_reset", 0) != 0;
    const std::vector<std::string> defaults = net.cell == Cell::Lstm  ? std::vector<std::string>{"Sigmoid", "Tanh", "Tanh"}
                                              : net.cell == Cell::Gru ? std::vector<std::string>{"Sigmoid", "Tanh"}
                                                                      : std::vector<std::string>{"Tanh"};
    HS_TRY(net.activations, rnnActivations(c, defaults, static_cast<std::size_t>(net.directions)));
    return {};
}

/// One direction of the network, with the pieces of its parameters.
class Direction {
public:
    Direction(Recurrent& net, std::int64_t direction) : m_net(net), m_direction(direction) {
        const std::int64_t rows = net.gates * net.hidden;
        m_recurrence = transposed(net.r.data() + direction * rows * net.hidden, rows, net.hidden);
        const Values weights = transposed(net.w.data() + direction * rows * net.inputs, rows, net.inputs);
        m_fromInput.resize(static_cast<std::size_t>(net.steps * net.batch * rows));
        multiply(net.x.data(), net.inputs, weights.data(), rows, m_fromInput.data(), rows, net.steps * net.batch, rows, net.inputs);
        m_inputBias = net.bias.data() + direction * rows * 2;
        m_recurrentBias = m_inputBias + rows;
        if (net.cell == Cell::Lstm) m_peephole = net.peephole.data() + direction * net.hidden * 3;
        const std::size_t each = net.activations.size() / static_cast<std::size_t>(net.directions);
        m_activations = net.activations.data() + static_cast<std::size_t>(direction) * each;
    }

    void run() {
        const bool reverse = m_direction == 1 || m_net.firstReverse;
        const std::int64_t size = m_net.hidden;
        for (std::int64_t b = 0; b < m_net.batch; ++b) {
            double* h = m_net.h.data() + (m_direction * m_net.batch + b) * size;
            double* c = m_net.cell == Cell::Lstm ? m_net.c.data() + (m_direction * m_net.batch + b) * size : nullptr;
            const std::int64_t length = m_net.lengths[static_cast<std::size_t>(b)];
            for (std::int64_t n = 0; n < length; ++n) {
                const std::int64_t t = reverse ? length - 1 - n : n;
                const double* gates = m_fromInput.data() + (t * m_net.batch + b) * m_net.gates * size;
                if (m_net.cell == Cell::Lstm) lstm(gates, h, c);
                if (m_net.cell == Cell::Gru) gru(gates, h);
                if (m_net.cell == Cell::Rnn) rnn(gates, h);
                std::copy_n(h, size, m_net.y.begin() + ((t * m_net.directions + m_direction) * m_net.batch + b) * size);
            }
        }
    }

private:
    double act(std::size_t which, double v) const {
        if (m_net.clip > 0) v = std::clamp(v, -m_net.clip, m_net.clip);
        return m_activations[which](v);
    }
    /// h · Rᵀ for the gates [first, first+count)
    Values recurrent(const double* h, std::int64_t first, std::int64_t count) const {
        const std::int64_t rows = m_net.gates * m_net.hidden;
        Values out(static_cast<std::size_t>(count * m_net.hidden));
        multiply(h, m_net.hidden, m_recurrence.data() + first * m_net.hidden, rows, out.data(), count * m_net.hidden, 1, count * m_net.hidden, m_net.hidden);
        return out;
    }
    double biasOf(std::int64_t k) const { return m_inputBias[k] + m_recurrentBias[k]; }

    void rnn(const double* gates, double* h) const {
        const Values r = recurrent(h, 0, 1);
        for (std::int64_t k = 0; k < m_net.hidden; ++k)
            h[k] = act(0, gates[k] + r[static_cast<std::size_t>(k)] + biasOf(k));
    }

    /// Gates in the order update z, reset r, hidden h.
    void gru(const double* gates, double* h) const {
        const std::int64_t n = m_net.hidden;
        const Values zr = recurrent(h, 0, 2);
        Values z(static_cast<std::size_t>(n));
        Values reset(static_cast<std::size_t>(n));
        Values gated(static_cast<std::size_t>(n));
        for (std::int64_t k = 0; k < n; ++k) {
            const auto i = static_cast<std::size_t>(k);
            z[i] = act(0, gates[k] + zr[i] + biasOf(k));
            reset[i] = act(0, gates[n + k] + zr[static_cast<std::size_t>(n + k)] + biasOf(n + k));
            gated[i] = reset[i] * h[k];
        }
        const Values inner = recurrent(m_net.linearBeforeReset ? h : gated.data(), 2, 1);
        for (std::int64_t k = 0; k < n; ++k) {
            const auto i = static_cast<std::size_t>(k);
            const double fromState = m_net.linearBeforeReset ? reset[i] * (inner[i] + m_recurrentBias[2 * n + k]) : inner[i] + m_recurrentBias[2 * n + k];
            const double candidate = act(1, gates[2 * n + k] + m_inputBias[2 * n + k] + fromState);
            h[k] = (1 - z[i]) * candidate + z[i] * h[k];
        }
    }

    /// Gates in the order input i, output o, forget f, cell c; peepholes in the order i, o, f.
    void lstm(const double* gates, double* h, double* c) const {
        const std::int64_t n = m_net.hidden;
        const Values r = recurrent(h, 0, 4);
        const auto sum = [&](std::int64_t gate, std::int64_t k) {
            return gates[gate * n + k] + r[static_cast<std::size_t>(gate * n + k)] + biasOf(gate * n + k);
        };
        for (std::int64_t k = 0; k < n; ++k) {
            const double input = act(0, sum(0, k) + m_peephole[k] * c[k]);
            const double forget = m_net.inputForget ? 1 - input : act(0, sum(2, k) + m_peephole[2 * n + k] * c[k]);
            c[k] = forget * c[k] + input * act(1, sum(3, k));
            const double output = act(0, sum(1, k) + m_peephole[n + k] * c[k]);
            h[k] = output * m_activations[2](c[k]);
        }
    }

    Recurrent& m_net;
    std::int64_t m_direction;
    Values m_recurrence, m_fromInput;
    const double* m_inputBias;
    const double* m_recurrentBias;
    const double* m_peephole = nullptr;
    const RnnActivation* m_activations;
};

Status emitState(Call& c, std::size_t output, const Recurrent& net, const Values& state) {
    if (net.batchFirst)
        return emit(c, output, c.declared(), {net.batch, net.directions, net.hidden}, swapLeading(state, net.directions, net.batch, net.hidden));
    return emit(c, output, c.declared(), {net.directions, net.batch, net.hidden}, state);
}

template <Cell kCell>
Status recurrent(Call& c) {
    Recurrent net;
    net.cell = kCell;
    HS_CHECK(readSizes(c, net));
    HS_CHECK(readParameters(c, net));
    net.y.assign(static_cast<std::size_t>(net.steps * net.directions * net.batch * net.hidden), 0);
    for (std::int64_t d = 0; d < net.directions; ++d)
        Direction(net, d).run();
    if (net.batchFirst) {  // [steps, directions, batch, hidden] to [batch, steps, directions, hidden]
        net.y = swapLeading(net.y, net.steps * net.directions, net.batch, net.hidden);
        HS_CHECK(emit(c, 0, c.declared(), {net.batch, net.steps, net.directions, net.hidden}, net.y));
    } else {
        HS_CHECK(emit(c, 0, c.declared(), {net.steps, net.directions, net.batch, net.hidden}, net.y));
    }
    HS_CHECK(emitState(c, 1, net, net.h));
    return kCell == Cell::Lstm ? emitState(c, 2, net, net.c) : Status{};
}

const Operator kOperators[] = {
    {"RNN", recurrent<Cell::Rnn>, kFloats},
    {"GRU", recurrent<Cell::Gru>, kFloats},
    {"LSTM", recurrent<Cell::Lstm>, kFloats},
};

}  // namespace

std::span<const Operator> rnnOperators() {
    return kOperators;
}

}  // namespace hs::ref

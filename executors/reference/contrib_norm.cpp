// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "executors/reference/contrib_parts.h"

namespace hs::ref {
namespace {

/// What a normalisation over rows of `size` elements found.
struct RowStatistics {
    Values means, inverses;
};

/// Normalises each row in place; without centring it is divided by its root mean square.
RowStatistics normalizeRows(Values& x, std::int64_t size, bool centred, double epsilon, const Values& gamma, const Values& beta) {
    RowStatistics out;
    const auto n = static_cast<std::size_t>(size);
    for (std::size_t row = 0; n > 0 && row < x.size(); row += n) {
        double mean = 0;
        for (std::size_t i = 0; centred && i < n; ++i)
            mean += x[row + i] / static_cast<double>(n);
        double variance = 0;
        for (std::size_t i = 0; i < n; ++i)
            variance += (x[row + i] - mean) * (x[row + i] - mean) / static_cast<double>(n);
        const double inverse = 1 / std::sqrt(variance + epsilon);
        for (std::size_t i = 0; i < n; ++i)
            x[row + i] = (x[row + i] - mean) * inverse * gamma[i] + beta[i];
        out.means.push_back(mean);
        out.inverses.push_back(inverse);
    }
    return out;
}

/// y = x / rms(x) · scale over the axes from `axis` on; output 1 is 1 / rms.
Status simplifiedLayerNormalization(Call& c) {
    HS_CHECK(c.need(2));
    const Dims& dims = c.dims(0);
    HS_TRY(const std::size_t axis, c.axis(c.node().intOr("axis", -1), dims.size()));
    const std::int64_t size = product(dims, axis, dims.size());
    HS_TRY(Values x, values(c, 0));
    HS_TRY(const Values scale, valuesOr(c, 1, size, 1));
    const Values none(static_cast<std::size_t>(size), 0);
    const RowStatistics found = normalizeRows(x, size, false, c.node().floatOr("epsilon", 1e-5F), scale, none);
    // The result has the type of the scale, which may be wider or narrower than the input's.
    HS_CHECK(emit(c, 0, c.declared(1), dims, x));
    Dims kept = dims;
    std::fill(kept.begin() + static_cast<std::ptrdiff_t>(axis), kept.end(), 1);
    return emit(c, 1, dtypeFromOnnx(c.node().intOr("stash_type", 1)).value_or(DType::F32), kept, found.inverses);
}

/// x + skip, where skip may lack the batch or have one of size 1.
Status addSkip(Call& c, Values& x) {
    const Dims& dims = c.dims(0);
    Dims skip = c.dims(1);
    while (skip.size() > 2 && skip.size() + 1 > dims.size() && skip.front() == 1 && skip != dims)
        skip.erase(skip.begin());
    if (skip.size() > dims.size() || !std::equal(skip.rbegin(), skip.rend(), dims.rbegin()))
        return c.bad("the skip {} does not fit the input {}", toString(c.dims(1)), toString(dims));
    HS_TRY(const Values other, values(c, 1));
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] += other[i % other.size()];
    return {};
}

/// Outputs: the normalised sum, mean, 1 / deviation and the sum itself. Inputs after gamma: beta (only when centred), bias.
Status skipNormalization(Call& c, bool centred) {
    HS_CHECK(c.need(3));
    const Dims& dims = c.dims(0);
    if (dims.size() < 2) return c.bad("the input must have rank 2 or 3, not {}", toString(dims));
    const std::int64_t size = dims.back();
    const std::size_t bias = centred ? 4 : 3;
    HS_TRY(Values x, values(c, 0));
    HS_CHECK(addSkip(c, x));
    if (c.has(bias) && !x.empty()) {
        HS_TRY(const Values row, valuesOr(c, bias, size, 0));
        HS_CHECK(addRow(c, x, row));
    }
    HS_CHECK(emit(c, 3, c.declared(), dims, x));
    HS_TRY(const Values gamma, valuesOr(c, 2, size, 1));
    HS_TRY(const Values beta, valuesOr(c, centred ? 3 : 99, size, 0));
    const RowStatistics found = normalizeRows(x, size, centred, c.node().floatOr("epsilon", 1e-12F), gamma, beta);
    HS_CHECK(emit(c, 0, c.declared(), dims, x));
    Dims kept = dims;
    kept.back() = 1;
    HS_CHECK(emit(c, 1, DType::F32, kept, found.means));
    return emit(c, 2, DType::F32, kept, found.inverses);
}

Status skipLayerNormalization(Call& c) {
    return skipNormalization(c, true);
}
Status skipSimplifiedLayerNormalization(Call& c) {
    return skipNormalization(c, false);
}

/// Adds the table's row of each id to the rows of `sum`. `ids` may be shorter than the rows: it repeats.
Status addRows(Call& c, std::size_t table, const std::vector<std::int64_t>& ids, Values& sum, std::int64_t size) {
    if (c.dims(table).size() != 2 || c.dims(table)[1] != size) return c.bad("the table {} must have rows of {}", toString(c.dims(table)), size);
    HS_TRY(const Values rows, values(c, table));
    for (std::size_t t = 0; t * static_cast<std::size_t>(size) < sum.size(); ++t) {
        const std::int64_t id = ids[t % ids.size()];
        if (id < 0 || id >= c.dims(table)[0]) return c.bad("id {} is outside of the table {}", id, toString(c.dims(table)));
        for (std::int64_t i = 0; i < size; ++i)
            sum[t * static_cast<std::size_t>(size) + static_cast<std::size_t>(i)] += rows[static_cast<std::size_t>(id * size + i)];
    }
    return {};
}

/// Length of each sequence: the place of the first zero of its mask row.
Status emitMaskIndex(Call& c, std::int64_t batch, std::int64_t length) {
    Values out(static_cast<std::size_t>(batch), 0);
    if (c.has(7)) {
        if (c.dims(7) != c.dims(0)) return c.bad("the mask {} does not fit the ids {}", toString(c.dims(7)), toString(c.dims(0)));
        HS_TRY(const std::vector<std::int64_t> mask, c.ints(7));
        for (std::int64_t b = 0; b < batch; ++b) {
            const auto first = mask.begin() + b * length;
            out[static_cast<std::size_t>(b)] = static_cast<double>(std::find(first, first + length, 0) - first);
        }
    }
    return emit(c, 1, DType::I32, {batch}, out);
}

/// Inputs: ids, segment ids, word, position and segment tables, gamma, beta, mask, position ids.
Status embedLayerNormalization(Call& c) {
    for (const std::size_t i : {0U, 2U, 3U, 5U, 6U})
        if (!c.has(i)) return c.bad("input {} is missing", i);
    if (c.dims(0).size() != 2 || c.dims(2).size() != 2) return c.bad("ids {} and word table {} must be matrices", toString(c.dims(0)), toString(c.dims(2)));
    const std::int64_t batch = c.dims(0)[0];
    const std::int64_t length = c.dims(0)[1];
    const std::int64_t size = c.dims(2)[1];
    Values sum(static_cast<std::size_t>(batch * length * size), 0);
    HS_TRY(const std::vector<std::int64_t> ids, c.ints(0));
    if (!ids.empty()) HS_CHECK(addRows(c, 2, ids, sum, size));
    std::vector<std::int64_t> positions;
    if (c.has(8)) {
        HS_TRY(positions, c.ints(8));
        if (c.dims(8).size() != 2 || c.dims(8)[1] != length || (c.dims(8)[0] != batch && c.dims(8)[0] != 1))
            return c.bad("position ids {} do not fit the ids {}", toString(c.dims(8)), toString(c.dims(0)));
    } else {
        for (std::int64_t t = 0; t < length; ++t)
            positions.push_back(t);
    }
    if (!positions.empty()) HS_CHECK(addRows(c, 3, positions, sum, size));
    if (c.has(1) != c.has(4)) return c.bad("segment ids and the segment table go together");
    if (c.has(1)) {
        if (c.dims(1) != c.dims(0)) return c.bad("segment ids {} do not fit the ids {}", toString(c.dims(1)), toString(c.dims(0)));
        HS_TRY(const std::vector<std::int64_t> segments, c.ints(1));
        if (!segments.empty()) HS_CHECK(addRows(c, 4, segments, sum, size));
    }
    const Dims dims = {batch, length, size};
    HS_CHECK(emit(c, 2, c.declared(), dims, sum));
    HS_TRY(const Values gamma, valuesOr(c, 5, size, 1));
    HS_TRY(const Values beta, valuesOr(c, 6, size, 0));
    normalizeRows(sum, size, true, c.node().floatOr("epsilon", 1e-12F), gamma, beta);
    HS_CHECK(emit(c, 0, c.declared(), dims, sum));
    return emitMaskIndex(c, batch, length);
}

/// Group normalisation, channels last unless told otherwise, with an optional SiLU after it.
Status groupNorm(Call& c) {
    HS_CHECK(c.need(3));
    Dims dims = c.dims(0);
    if (dims.size() < 3) return c.bad("the input must have rank 3 or more, not {}", toString(dims));
    const bool last = c.node().intOr("channels_last", 1) != 0;
    HS_TRY(Values x, values(c, 0));
    if (last) x = channelsFirst(x, dims);
    const std::int64_t channels = dims[1];
    const std::int64_t groups = c.node().intOr("groups", 0);
    if (groups < 1 || channels % groups != 0) return c.bad("{} groups do not divide {} channels", groups, channels);
    const std::int64_t plane = product(dims, 2, dims.size());
    HS_TRY(const Values gamma, valuesOr(c, 1, channels, 1));
    HS_TRY(const Values beta, valuesOr(c, 2, channels, 0));
    const auto row = static_cast<std::size_t>(channels / groups * plane);
    normalizeRows(x, static_cast<std::int64_t>(row), true, c.node().floatOr("epsilon", 1e-5F), Values(row, 1), Values(row, 0));
    const bool silu = c.node().intOr("activation", 0) != 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t ch = i / static_cast<std::size_t>(plane) % static_cast<std::size_t>(channels);
        x[i] = x[i] * gamma[ch] + beta[ch];
        if (silu) x[i] *= sigmoidOf(x[i]);
    }
    if (last) x = channelsLast(x, dims);
    return emit(c, 0, c.declared(), c.dims(0), x);
}

std::string refusesGroupNorm(const Node& node) {
    const std::int64_t activation = node.intOr("activation", 0);
    return activation == 0 || activation == 1 ? std::string() : settingText("activation", activation);
}

const Operator kOperators[] = {
    {"SimplifiedLayerNormalization", simplifiedLayerNormalization, kFloats},  // of ai.onnx: that is how exporters write it
    contrib("SimplifiedLayerNormalization", simplifiedLayerNormalization, kFloats),
    contrib("SkipLayerNormalization", skipLayerNormalization, kFloats),
    contrib("SkipSimplifiedLayerNormalization", skipSimplifiedLayerNormalization, kFloats),
    contrib("EmbedLayerNormalization", embedLayerNormalization, kFloats, Widen::None, 2),
    contrib("GroupNorm", groupNorm, kFloats, Widen::None, 0, refusesGroupNorm),
};

}  // namespace

std::span<const Operator> contribNormOperators() {
    return kOperators;
}

}  // namespace hs::ref

// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/contrib_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hs::ref {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// Softmax of a row in which one more score may take part.
void normalise(double* row, std::int64_t n, double extra) {
    double top = extra;
    for (std::int64_t j = 0; j < n; ++j)
        top = std::max(top, row[j]);
    if (top == kNever) {
        std::fill_n(row, n, 0.0);
        return;
    }
    double sum = std::exp(extra - top);
    for (std::int64_t j = 0; j < n; ++j) {
        row[j] = std::exp(row[j] - top);
        sum += row[j];
    }
    for (std::int64_t j = 0; j < n; ++j)
        row[j] /= sum;
}

}  // namespace

Result<Heads> attend(const Call& c, const Heads& q, const Heads& k, const Heads& v, const Attending& how) {
    if (k.batch != q.batch || v.batch != q.batch || k.heads < 1 || q.heads % k.heads != 0 || v.heads != k.heads || k.size != q.size || v.length != k.length)
        return c.bad("queries {}, keys {} and values {} do not fit", toString(q.dims()), toString(k.dims()), toString(v.dims()));
    Heads y{q.batch, q.heads, q.length, v.size, Values(static_cast<std::size_t>(q.batch * q.heads * q.length * v.size), 0)};
    Values row(static_cast<std::size_t>(k.length));
    const std::int64_t share = q.heads / k.heads;
    for (std::int64_t b = 0; b < q.batch; ++b)
        for (std::int64_t h = 0; h < q.heads; ++h)
            for (std::int64_t t = 0; t < q.length; ++t) {
                auto [first, last] = how.range ? how.range(b, t) : std::pair<std::int64_t, std::int64_t>(0, k.length);
                first = std::clamp<std::int64_t>(first, 0, k.length);
                last = std::clamp<std::int64_t>(last, first, k.length);
                for (std::int64_t j = first; j < last; ++j) {
                    double sum = 0;
                    for (std::int64_t i = 0; i < q.size; ++i)
                        sum += q.row(b, h, t)[i] * k.row(b, h / share, j)[i];
                    sum *= how.scale;
                    if (how.softcap > 0) sum = std::tanh(sum / how.softcap) * how.softcap;
                    if (!how.mask.empty()) sum += how.mask[static_cast<std::size_t>((how.maskPerQuery ? b * q.length + t : b) * k.length + j)];
                    if (!how.bias.empty()) {
                        const Dims& d = how.biasDims;
                        sum += how.bias[static_cast<std::size_t>((((d[0] == 1 ? 0 : b) * d[1] + (d[1] == 1 ? 0 : h)) * d[2] + t) * d[3] + j)];
                    }
                    row[static_cast<std::size_t>(j - first)] = sum;
                }
                normalise(row.data(), last - first, how.smooth ? 0.0 : how.sinks.empty() ? kNever : how.sinks[static_cast<std::size_t>(h)]);
                double* out = y.row(b, h, t);
                for (std::int64_t j = first; j < last; ++j) {
                    const double weight = row[static_cast<std::size_t>(j - first)];
                    if (weight == 0) continue;
                    for (std::int64_t i = 0; i < v.size; ++i)
                        out[i] += weight * v.row(b, h / share, j)[i];
                }
            }
    return y;
}

Status readBias(const Call& c, std::size_t i, const Heads& q, std::int64_t keys, Attending& how) {
    if (!c.has(i)) return {};
    const Dims& d = c.dims(i);
    if (d.size() != 4 || (d[0] != 1 && d[0] != q.batch) || (d[1] != 1 && d[1] != q.heads) || d[2] != q.length || d[3] < keys)
        return c.bad("the attention bias {} does not fit {} queries and {} keys", toString(d), q.length, keys);
    how.biasDims = d;
    HS_TRY(how.bias, values(c, i));
    return {};
}

Status readMask(const Call& c, std::size_t i, const Heads& q, std::int64_t keys, double filter, Attending& how) {
    if (!c.has(i)) return {};
    const Dims& d = c.dims(i);
    HS_TRY(const std::vector<std::int64_t> mask, c.ints(i));
    const auto at = [&](std::int64_t k) { return mask[static_cast<std::size_t>(k)]; };
    const bool ends = d == Dims{q.batch};
    const bool spans = d == Dims{2 * q.batch};
    const bool square = d.size() == 4 && d[0] == q.batch && d[1] == 1 && d[2] == d[3] && d[3] >= keys && keys >= q.length;
    how.maskPerQuery = square || d == Dims{q.batch, q.length, keys};
    if (!ends && !spans && !how.maskPerQuery && d != Dims{q.batch, keys})
        return d.size() == 1 && d[0] == 3 * q.batch + 2 ? Status(c.unsupported("a mask of 3 * batch + 2 elements is not supported"))
                                                        : Status(c.bad("the mask {} does not fit {} queries and {} keys", toString(d), q.length, keys));
    const std::int64_t rows = how.maskPerQuery ? q.length : 1;
    how.mask.assign(static_cast<std::size_t>(q.batch * rows * keys), 0);
    for (std::int64_t b = 0; b < q.batch; ++b)
        for (std::int64_t t = 0; t < rows; ++t)
            for (std::int64_t j = 0; j < keys; ++j) {
                bool seen = true;
                if (ends || spans)
                    seen = j < at(b) && (!spans || j >= at(q.batch + b));
                else if (square)  // the rows of the newest queries stand last
                    seen = at((b * d[2] + keys - q.length + t) * d[3] + j) > 0;
                else
                    seen = at((b * rows + t) * keys + j) > 0;
                if (!seen) how.mask[static_cast<std::size_t>((b * rows + t) * keys + j)] = filter;
            }
    return {};
}

Result<Rotation> Rotation::make(const Call& c, std::size_t cosInput, std::size_t sinInput, bool interleaved) {
    if (!c.has(cosInput) || !c.has(sinInput)) return c.bad("the caches of cosines and sines are missing");
    const Dims& d = c.dims(cosInput);
    if (d.size() != 2 || c.dims(sinInput) != d) return c.bad("the caches {} and {} must be matrices of one shape", toString(d), toString(c.dims(sinInput)));
    Rotation out;
    HS_TRY(out.cosines, values(c, cosInput));
    HS_TRY(out.sines, values(c, sinInput));
    out.rows = d[0];
    out.half = d[1];
    out.interleaved = interleaved;
    return out;
}

Status Rotation::turn(const Call& c, Heads& x, const std::vector<std::int64_t>& positions) const {
    if (2 * half > x.size) return c.bad("the caches turn {} elements, but a head has {}", 2 * half, x.size);
    for (std::int64_t b = 0; b < x.batch; ++b)
        for (std::int64_t t = 0; t < x.length; ++t) {
            const std::int64_t position = positions[static_cast<std::size_t>(b * x.length + t)];
            if (position < 0 || position >= rows) return c.bad("position {} is outside of the cache of {}", position, rows);
            for (std::int64_t h = 0; h < x.heads; ++h)
                for (std::int64_t i = 0; i < half; ++i) {
                    double* row = x.row(b, h, t);
                    double& first = row[interleaved ? 2 * i : i];
                    double& second = row[interleaved ? 2 * i + 1 : half + i];
                    const auto at = static_cast<std::size_t>(position * half + i);
                    const double turned = first * cosines[at] - second * sines[at];
                    second = first * sines[at] + second * cosines[at];
                    first = turned;
                }
        }
    return {};
}

}  // namespace hs::ref

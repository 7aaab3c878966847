// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/heads.h"

#include <algorithm>

namespace hs::ref {

Result<Heads> headsOf(const Call& c, std::size_t i, std::int64_t heads) {
    HS_TRY(Values x, values(c, i));
    const Dims& d = c.dims(i);
    if (d.size() == 4) return Heads{d[0], d[1], d[2], d[3], std::move(x)};
    if (d.size() != 3 || heads < 1 || d[2] % heads != 0) return c.bad("input {} of shape {} does not split into {} heads", i, toString(d), heads);
    Heads out{d[0], heads, d[1], d[2] / heads, Values(x.size())};
    const double* from = x.data();
    for (std::int64_t b = 0; b < out.batch; ++b)
        for (std::int64_t t = 0; t < out.length; ++t)
            for (std::int64_t h = 0; h < heads; ++h, from += out.size)
                std::copy_n(from, out.size, out.row(b, h, t));
    return out;
}

Status emitHeads(Call& c, std::size_t i, const Heads& x, bool flat) {
    if (!flat) return emit(c, i, c.declared(), x.dims(), x.data);
    Values out;
    out.reserve(x.data.size());
    for (std::int64_t b = 0; b < x.batch; ++b)
        for (std::int64_t t = 0; t < x.length; ++t)
            for (std::int64_t h = 0; h < x.heads; ++h)
                out.insert(out.end(), x.row(b, h, t), x.row(b, h, t) + x.size);
    return emit(c, i, c.declared(), {x.batch, x.length, x.heads * x.size}, out);
}

Result<Heads> appended(const Call& c, const Heads& old, const Heads& fresh) {
    if (old.batch != fresh.batch || old.heads != fresh.heads || old.size != fresh.size)
        return c.bad("the cache {} does not fit {}", toString(old.dims()), toString(fresh.dims()));
    Heads out{fresh.batch, fresh.heads, old.length + fresh.length, fresh.size, Values(old.data.size() + fresh.data.size())};
    for (std::int64_t b = 0; b < out.batch; ++b)
        for (std::int64_t h = 0; h < out.heads; ++h) {
            if (old.length > 0) std::copy_n(old.row(b, h, 0), old.length * old.size, out.row(b, h, 0));
            if (fresh.length > 0) std::copy_n(fresh.row(b, h, 0), fresh.length * fresh.size, out.row(b, h, old.length));
        }
    return out;
}

}  // namespace hs::ref

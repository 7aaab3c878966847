// SPDX-License-Identifier: Apache-2.0
#include "core/plan/memory_plan.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace hs {
namespace {

constexpr double kGreedyBudget = 3e7;  // visits of (range, step, neighbour); about a quarter of a second

std::uint32_t stepCount(std::span<const LiveRange> ranges) {
    std::uint32_t steps = 0;
    for (const LiveRange& r : ranges)
        steps = std::max(steps, r.last + 1);
    return steps;
}

std::uint64_t lowerBound(std::span<const LiveRange> ranges) {
    std::vector<std::int64_t> delta(stepCount(ranges) + std::size_t{1}, 0);
    for (const LiveRange& r : ranges) {
        delta[r.first] += static_cast<std::int64_t>(r.bytes);
        delta[r.last + std::size_t{1}] -= static_cast<std::int64_t>(r.bytes);
    }
    std::int64_t live = 0;
    std::int64_t most = 0;
    for (const std::int64_t d : delta)
        most = std::max(most, live += d);
    return static_cast<std::uint64_t>(most);
}

/// Free memory of the sweep, by offset and by size, with neighbours merged.
class FreeList {
public:
    std::uint64_t take(std::uint64_t bytes) {
        const auto fit = m_bySize.lower_bound({bytes, 0});
        if (fit == m_bySize.end()) return grow(bytes);
        const auto [size, offset] = *fit;
        erase(offset, size);
        if (size > bytes) insert(offset + bytes, size - bytes);
        return offset;
    }
    void give(std::uint64_t offset, std::uint64_t bytes) {
        auto next = m_byOffset.lower_bound(offset);
        if (next != m_byOffset.end() && next->first == offset + bytes) {
            bytes += next->second;
            erase(next->first, next->second);
        }
        next = m_byOffset.lower_bound(offset);
        if (next != m_byOffset.begin()) {
            const auto [before, size] = *std::prev(next);
            if (before + size == offset) {
                erase(before, size);
                offset = before;
                bytes += size;
            }
        }
        insert(offset, bytes);
    }
    std::uint64_t end() const { return m_end; }

private:
    std::uint64_t grow(std::uint64_t bytes) {
        std::uint64_t offset = m_end;
        if (!m_byOffset.empty()) {
            const auto [lastOffset, size] = *m_byOffset.rbegin();
            if (lastOffset + size == m_end) {
                offset = lastOffset;
                erase(lastOffset, size);
            }
        }
        m_end = offset + bytes;
        return offset;
    }
    void insert(std::uint64_t offset, std::uint64_t size) {
        m_byOffset.emplace(offset, size);
        m_bySize.emplace(size, offset);
    }
    void erase(std::uint64_t offset, std::uint64_t size) {
        m_byOffset.erase(offset);
        m_bySize.erase({size, offset});
    }
    std::map<std::uint64_t, std::uint64_t> m_byOffset;
    std::set<std::pair<std::uint64_t, std::uint64_t>> m_bySize;
    std::uint64_t m_end = 0;
};

Packing sweep(std::span<const LiveRange> ranges) {
    std::vector<std::uint32_t> byStart(ranges.size());
    std::iota(byStart.begin(), byStart.end(), 0U);
    auto byEnd = byStart;
    std::sort(byStart.begin(), byStart.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (ranges[a].first != ranges[b].first) return ranges[a].first < ranges[b].first;
        return ranges[a].bytes != ranges[b].bytes ? ranges[a].bytes > ranges[b].bytes : a < b;
    });
    std::sort(byEnd.begin(), byEnd.end(),
              [&](std::uint32_t a, std::uint32_t b) { return ranges[a].last != ranges[b].last ? ranges[a].last < ranges[b].last : a < b; });
    Packing out;
    out.offsets.resize(ranges.size());
    FreeList memory;
    std::size_t ended = 0;
    for (const std::uint32_t i : byStart) {
        for (; ended < byEnd.size() && ranges[byEnd[ended]].last < ranges[i].first; ++ended)
            memory.give(out.offsets[byEnd[ended]], ranges[byEnd[ended]].bytes);
        out.offsets[i] = memory.take(ranges[i].bytes);
    }
    out.arenaBytes = memory.end();
    return out;
}

/// Sum over ranges of the live ranges at each of their steps: what placeInOrder would visit at most.
double greedyCost(std::span<const LiveRange> ranges) {
    std::vector<double> live(stepCount(ranges) + std::size_t{1}, 0);
    for (const LiveRange& r : ranges) {
        live[r.first] += 1;
        live[r.last + std::size_t{1}] -= 1;
    }
    std::partial_sum(live.begin(), live.end(), live.begin());
    double cost = 0;
    for (const double n : live)
        cost += n * n;
    return cost;
}

/// Which range is placed first decides how well the rest fits; no order is best for every graph.
enum class Order { Bytes, Area };

std::vector<std::uint32_t> orderOf(std::span<const LiveRange> ranges, Order by) {
    const auto weight = [&](std::uint32_t i) { return by == Order::Bytes ? ranges[i].bytes : ranges[i].bytes * (ranges[i].last - ranges[i].first + 1); };
    std::vector<std::uint32_t> order(ranges.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (weight(a) != weight(b)) return weight(a) > weight(b);
        return ranges[a].first != ranges[b].first ? ranges[a].first < ranges[b].first : a < b;
    });
    return order;
}

Packing placeInOrder(std::span<const LiveRange> ranges, const std::vector<std::uint32_t>& order) {
    Packing out;
    out.offsets.resize(ranges.size());
    std::vector<std::vector<std::uint32_t>> placed(stepCount(ranges));  // by step: the ranges placed so far that live there
    std::vector<std::uint32_t> seen(ranges.size(), ~0U);
    std::vector<std::uint32_t> neighbours;
    for (const std::uint32_t i : order) {
        neighbours.clear();
        for (std::uint32_t step = ranges[i].first; step <= ranges[i].last; ++step) {
            for (const std::uint32_t other : placed[step]) {
                if (seen[other] == i) continue;
                seen[other] = i;
                neighbours.push_back(other);
            }
            placed[step].push_back(i);
        }
        std::sort(neighbours.begin(), neighbours.end(), [&](std::uint32_t a, std::uint32_t b) { return out.offsets[a] < out.offsets[b]; });
        std::uint64_t offset = 0;
        for (const std::uint32_t other : neighbours) {
            if (out.offsets[other] >= offset + ranges[i].bytes) break;
            offset = std::max(offset, out.offsets[other] + ranges[other].bytes);
        }
        out.offsets[i] = offset;
        out.arenaBytes = std::max(out.arenaBytes, offset + ranges[i].bytes);
    }
    return out;
}

}  // namespace

Packing packRanges(std::span<const LiveRange> ranges) {
    if (ranges.empty()) return {};
    Packing best = sweep(ranges);
    const std::uint64_t bound = lowerBound(ranges);
    const bool isAffordable = greedyCost(ranges) <= kGreedyBudget;
    for (const Order by : {Order::Bytes, Order::Area}) {
        if (best.arenaBytes <= bound || !isAffordable) break;
        Packing other = placeInOrder(ranges, orderOf(ranges, by));
        if (other.arenaBytes < best.arenaBytes) best = std::move(other);
    }
    best.lowerBoundBytes = bound;
    return best;
}

}  // namespace hs

// SPDX-License-Identifier: Apache-2.0
#include "core/store/lod.h"

#include <algorithm>
#include <utility>

namespace hs::store {

void LodSums::addStep(std::uint32_t step, std::int64_t ns) {
    auto* smallest = steps.data();
    for (auto& entry : steps) {
        if (entry.first == step) {
            entry.second += ns;
            return;
        }
        if (entry.second < smallest->second) smallest = &entry;
    }
    smallest->first = step;
    smallest->second += ns;
}

void LodSums::add(const LodSums& other) {
    spans += other.spans;
    busyNs += other.busyNs;
    for (std::size_t i = 0; i < categoryNs.size(); ++i)
        categoryNs[i] += other.categoryNs[i];
    for (const auto& [step, ns] : other.steps)
        if (step != kNone) addStep(step, ns);
}

std::pair<std::uint32_t, std::int64_t> LodSums::topStep() const {
    return *std::max_element(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
}

std::pair<int, std::int64_t> LodSums::topCategory() const {
    const auto it = std::max_element(categoryNs.begin(), categoryNs.end());
    return {static_cast<int>(it - categoryNs.begin()), *it};
}

void LodTrack::add(int base, std::int64_t startNs, std::int64_t durNs, std::int64_t busyNs, SpanCategory category, std::uint32_t step) {
    int level = base;
    while (level + 1 < kLodLevels && durNs > kLodMaxBuckets * lodWidthNs(level))
        ++level;
    const std::int64_t width = lodWidthNs(level);
    const std::int64_t first = startNs / width;
    const std::int64_t last = durNs > 0 ? (startNs + durNs - 1) / width : first;
    const double rate = durNs > 0 ? static_cast<double>(busyNs) / static_cast<double>(durNs) : 0.0;
    for (std::int64_t bucket = first; bucket <= last; ++bucket) {
        if (bucket != m_lastBucket || level != m_lastLevel) {
            m_last = &m_levels[static_cast<std::size_t>(level)][bucket];
            m_lastBucket = bucket;
            m_lastLevel = level;
        }
        const std::int64_t inside = std::min(startNs + durNs, (bucket + 1) * width) - std::max(startNs, bucket * width);
        const std::int64_t ns = busyNs == durNs ? inside : static_cast<std::int64_t>(static_cast<double>(inside) * rate);
        m_last->spans += bucket == first ? 1 : 0;
        m_last->busyNs += ns;
        m_last->categoryNs[static_cast<std::size_t>(category)] += ns;
        if (step != LodSums::kNone) m_last->addStep(step, ns);
    }
}

std::array<LodTrack::Buckets, kLodLevels> LodTrack::take(int base) {
    for (int level = base; level + 1 < kLodLevels; ++level) {
        auto& coarser = m_levels[static_cast<std::size_t>(level) + 1];
        for (const auto& [bucket, sums] : m_levels[static_cast<std::size_t>(level)])
            coarser[bucket / 8].add(sums);
    }
    m_last = nullptr;
    m_lastBucket = -1;
    m_lastLevel = -1;
    return std::exchange(m_levels, {});
}

bool LodTrack::empty() const {
    return std::all_of(m_levels.begin(), m_levels.end(), [](const Buckets& b) { return b.empty(); });
}

}  // namespace hs::store

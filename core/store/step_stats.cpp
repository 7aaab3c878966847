// SPDX-License-Identifier: Apache-2.0
#include "core/store/step_stats.h"

#include <algorithm>

namespace hs::store {
namespace {

// 4 Mi samples (16 MiB) over all steps at most, whatever the size of the model.
constexpr std::size_t kAllSamples = std::size_t{1} << 22;

}  // namespace

DurationSamples::DurationSamples(std::size_t steps)
    : m_steps(steps), m_capacity(std::clamp<std::size_t>(kAllSamples / std::max<std::size_t>(steps, 1), 64, 512)) {}

void DurationSamples::add(std::uint32_t step, std::int64_t ns) {
    if (step >= m_steps.size()) return;
    Sample& s = m_steps[step];
    ++s.seen;
    if (s.values.size() < m_capacity) {
        s.values.push_back(static_cast<float>(ns));
        s.sorted = false;
        return;
    }
    const std::uint64_t place = std::uniform_int_distribution<std::uint64_t>(0, s.seen - 1)(m_random);
    if (place >= m_capacity) return;
    s.values[place] = static_cast<float>(ns);
    s.sorted = false;
}

double DurationSamples::percentile(std::uint32_t step, double p) {
    if (empty(step)) return -1;
    Sample& s = m_steps[step];
    // Sorting moves values between places, which keeps the sample uniform: a place to overwrite is drawn at random.
    if (!s.sorted) std::sort(s.values.begin(), s.values.end());
    s.sorted = true;
    const double at = p * static_cast<double>(s.values.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const auto high = std::min(low + 1, s.values.size() - 1);
    return s.values[low] + (at - static_cast<double>(low)) * (s.values[high] - s.values[low]);
}

}  // namespace hs::store

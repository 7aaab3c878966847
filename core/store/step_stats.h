// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace hs::store {

/// A bounded, uniform sample of each step's durations (Vitter's algorithm R, 1985): percentiles are exact while a step
/// has been seen at most capacity() times, estimates after that.
class DurationSamples {
public:
    explicit DurationSamples(std::size_t steps);

    void add(std::uint32_t step, std::int64_t ns);
    /// p in [0, 1], linear between neighbours; negative when there is no sample.
    double percentile(std::uint32_t step, double p);
    bool empty(std::uint32_t step) const { return step >= m_steps.size() || m_steps[step].values.empty(); }
    std::size_t capacity() const { return m_capacity; }

private:
    struct Sample {
        std::vector<float> values;  // 24 bits are plenty for a percentile
        std::uint64_t seen = 0;
        bool sorted = true;
    };
    std::vector<Sample> m_steps;
    std::size_t m_capacity;
    std::minstd_rand m_random;
};

}  // namespace hs::store

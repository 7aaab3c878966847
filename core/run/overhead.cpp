// SPDX-License-Identifier: Apache-2.0
#include "core/run/overhead.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <tuple>

namespace hs {
namespace {

using Pairs = std::vector<std::pair<double, double>>;

constexpr std::size_t kBootstrapPairs = 8;  // fewer say too little about their own spread
constexpr std::size_t kResamples = 400;

double lowerQuartile(std::vector<double>& values) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

double relativeCost(std::vector<double>& with, std::vector<double>& without) {
    const double base = lowerQuartile(without);
    return base > 0 ? lowerQuartile(with) / base - 1 : 0;
}

double bootstrapNoise(const Pairs& pairs) {
    std::minstd_rand random(1);
    std::uniform_int_distribution<std::size_t> pick(0, pairs.size() - 1);
    std::vector<double> with(pairs.size());
    std::vector<double> without(pairs.size());
    std::vector<double> costs;
    for (std::size_t r = 0; r < kResamples; ++r) {
        for (std::size_t i = 0; i < pairs.size(); ++i)
            std::tie(with[i], without[i]) = pairs[pick(random)];
        costs.push_back(relativeCost(with, without));
    }
    std::sort(costs.begin(), costs.end());
    return (costs[kResamples * 39 / 40] - costs[kResamples / 40]) / 2;
}

double rangeNoise(const Pairs& pairs) {
    std::vector<double> costs;
    for (const auto& [with, without] : pairs)
        costs.push_back(without > 0 ? with / without - 1 : 0);
    if (costs.size() == 1) return std::abs(costs.front());  // one pair cannot tell its cost from chance
    const auto [least, most] = std::minmax_element(costs.begin(), costs.end());
    return (*most - *least) / 2;
}

}  // namespace

OverheadEstimate estimateOverhead(const Pairs& pairs) {
    if (pairs.empty()) return {};
    std::vector<double> with;
    std::vector<double> without;
    for (const auto& pair : pairs) {
        with.push_back(pair.first);
        without.push_back(pair.second);
    }
    OverheadEstimate out;
    out.pairs = static_cast<int>(pairs.size());
    out.relative = relativeCost(with, without);
    out.noise = pairs.size() < kBootstrapPairs ? rangeNoise(pairs) : bootstrapNoise(pairs);
    return out;
}

}  // namespace hs

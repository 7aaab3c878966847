// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/trace/recorder.h"

namespace hs::store {

/// Decides how many iterations are kept in detail, so that neither the rows of a run nor the writer's backlog grow
/// without bound. Rows, unless all that are expected fit the budget: every iteration until half of the budget is used, every second one until three quarters
/// are, every fourth until seven eighths … so the budget is approached and hardly passed. Backlog: half as many, at most once in 100 ms and only while it
/// grows, since a change takes
/// effect only when the next iteration begins.
class DetailPolicy {
public:
    DetailPolicy(Recorder& recorder, std::uint64_t budget, std::uint64_t expected = 0)
        : m_recorder(recorder), m_budget(budget), m_threshold(firstThreshold(budget, expected)), m_left(budget - m_threshold) {}

    void onRows(std::uint64_t rows) {
        while (rows >= m_threshold && m_recorder.detailEvery() < kMaxEvery && m_threshold < m_budget) {
            raise();
            m_threshold += (m_left + 1) / 2;
            m_left -= (m_left + 1) / 2;
        }
    }
    /// `pressure`: fullness in [0, 1] of the fullest ring or of the writer's own queue.
    void onPressure(double pressure, std::int64_t nowNs) {
        if (pressure < 0.5 || nowNs - m_lastRaiseNs < kRaiseEveryNs) return;
        const bool isGrowing = pressure > m_lastPressure || nowNs - m_lastRaiseNs > 10 * kRaiseEveryNs;
        m_lastRaiseNs = nowNs;
        m_lastPressure = pressure;
        if (isGrowing) raise();
    }
    /// Nothing is written any more: nothing needs to be recorded in detail.
    void giveUp() { m_recorder.setDetailEvery(kMaxEvery); }
    /// Whole iterations are recorded even where their steps are not; near the end of the budget only the sampled ones keep a
    /// row, so that a million short runs fit as well. Sums and counts of iterations stay exact.
    bool thinsOut(const SpanEvent& event, std::uint64_t rows) const {
        return event.step == kNoStep && event.iteration >= 0 && event.category == SpanCategory::Api && rows >= m_budget - m_budget / 4 &&
               static_cast<std::uint32_t>(event.iteration) % m_recorder.detailEvery() != 0;
    }
    /// Rows above this are not written at all (and counted as dropped): whoever records did not follow detailEvery.
    std::uint64_t hardLimit() const { return m_budget + m_budget / 2 + 1024; }

private:
    static constexpr std::uint32_t kMaxEvery = 1U << 30;
    static constexpr std::int64_t kRaiseEveryNs = 100'000'000;
    static std::uint64_t firstThreshold(std::uint64_t budget, std::uint64_t expected) {
        const bool allFit = expected > 0 && expected <= budget - budget / 10;
        return allFit ? budget - budget / 20 : budget / 2;
    }
    void raise() {
        if (m_recorder.detailEvery() < kMaxEvery) m_recorder.setDetailEvery(m_recorder.detailEvery() * 2);
    }
    Recorder& m_recorder;
    std::uint64_t m_budget, m_threshold, m_left;
    std::int64_t m_lastRaiseNs = 0;
    double m_lastPressure = 0;
};

}  // namespace hs::store

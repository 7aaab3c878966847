// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/graph/model.h"
#include "core/store/session_writer.h"

namespace hs::test {

/// Writes a run of made-up but exact times: iteration i starts at i * 10 ms; its step s runs from s * stepNs for stepNs - 1000 ns.
/// Steps are the model's nodes one by one on "cpu"; "opencl:0" copies for 1 ms at the start of each iteration and then waits.
class SyntheticRun {
public:
    static constexpr std::int64_t kIterationNs = 10'000'000;

    SyntheticRun(const Model& model, const std::string& path);
    void iterations(int first, int count);
    void finish();
    std::int64_t stepNs() const { return m_stepNs; }
    std::uint32_t steps() const { return m_steps; }

private:
    std::uint64_t tick(std::int64_t ns) const;

    std::uint32_t m_steps;
    std::int64_t m_stepNs;
    std::uint64_t m_origin;
    std::unique_ptr<Recorder> m_recorder;
    ThreadRecorder* m_cpu = nullptr;
    ThreadRecorder* m_copy = nullptr;
    std::uint16_t m_iterationTrack = 0, m_memory = 0;
    std::uint32_t m_iterationName = 0, m_copyName = 0, m_waitName = 0;
    std::unique_ptr<SessionWriter> m_writer;
};

}  // namespace hs::test

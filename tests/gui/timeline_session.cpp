// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/timeline_session.h"

#include <cmath>

#include "core/base/clock.h"

namespace hs::test {
namespace {

RunDescription describe(const Model& model) {
    RunDescription d;
    d.model = {"made-up.onnx", "00", "made up", R"({"":17})", 8};
    d.run.label = "synthetic";
    d.run.configJson = d.run.hostJson = d.run.planJson = "{}";
    d.run.clock = "synthetic";
    d.devices = {{"cpu", "cpu", "cpu", "{}", false}, {"opencl:0", "opencl", "gpu", "{}", false}};
    for (const Node& node : model.nodes()) {
        NodeRow n;
        n.node = node.id.index();
        n.name = node.name;
        n.opType = node.opType;
        n.device = "cpu";
        n.executor = "reference";
        n.infoJson = "{}";
        d.nodes.push_back(n);
        StepRow s;
        s.step = node.id.index();
        s.executor = "reference";
        s.label = node.name;
        s.precision = "float32";
        s.nodes = {{node.id.index(), 1.0}};
        d.steps.push_back(s);
    }
    return d;
}

}  // namespace

SyntheticRun::SyntheticRun(const Model& model, const std::string& path)
    : m_steps(static_cast<std::uint32_t>(model.nodes().size())),
      m_stepNs(kIterationNs * 9 / 10 / m_steps),
      m_origin(ticks()),
      m_recorder(std::make_unique<Recorder>(m_steps)) {
    m_cpu = &m_recorder->addThread("runner", 0);
    m_copy = &m_recorder->addThread("transfers", 1);
    m_iterationTrack = m_recorder->addTrack(TrackKind::Thread, "iterations", kHostDevice);
    m_memory = m_recorder->addTrack(TrackKind::Counter, "resident memory", kHostDevice, "bytes");
    m_iterationName = m_recorder->internName("iteration");
    m_copyName = m_recorder->internName("weights to device");
    m_waitName = m_recorder->internName("wait for cpu");
    m_writer = SessionWriter::open(path, describe(model), *m_recorder, m_origin).value();
}

std::uint64_t SyntheticRun::tick(std::int64_t ns) const {
    return m_origin + static_cast<std::uint64_t>(std::llround(static_cast<double>(ns) / TickClock::instance().nsPerTick()));
}

void SyntheticRun::iterations(int first, int count) {
    for (int i = first; i < first + count; ++i) {
        const std::int64_t at = i * kIterationNs;
        m_cpu->beginIteration(i, true);
        m_copy->beginIteration(i, true);
        m_copy->span({tick(at), tick(at + 1'000'000), kNoStep, m_copyName, i, m_copy->track(), SpanCategory::Copy, 0, 1U << 20U});
        m_copy->span({tick(at + 1'000'000), tick(at + 9'000'000), kNoStep, m_waitName, i, m_copy->track(), SpanCategory::Wait, 0, 0});
        for (std::uint32_t s = 0; s < m_steps; ++s)
            m_cpu->step(s, tick(at + s * m_stepNs), tick(at + (s + 1) * m_stepNs - 1000));
        m_cpu->span({tick(at), tick(at + kIterationNs * 9 / 10), kNoStep, m_iterationName, i, m_iterationTrack, SpanCategory::Api, 0, 0});
        m_recorder->counter({tick(at), 1e8 + 1e6 * (i % 20), m_memory});
    }
}

void SyntheticRun::finish() {
    (void)m_writer->finish("finished", "", "{}");
    m_writer.reset();
}

}  // namespace hs::test

// SPDX-License-Identifier: Apache-2.0
#include "core/run/profiled_run.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "core/base/clock.h"
#include "core/run/description.h"
#include "core/run/digest.h"
#include "core/trace/host_sampler.h"

namespace hs {
namespace {

using Json = nlohmann::ordered_json;

// The cost of recording is measured for at most a fifth of the measured loop's expected time (but half a second is always
// granted, and never more than two), and no longer than until it is known to half a percent.
constexpr double kOverheadShare = 0.2;
constexpr double kOverheadMinNs = 0.5e9;
constexpr double kOverheadMaxNs = 2e9;
constexpr int kOverheadMinPairs = 16;
constexpr int kOverheadMaxPairs = 512;
constexpr double kOverheadWanted = 0.005;
constexpr std::size_t kMinRingEvents = std::size_t{1} << 17;  // 5 MiB
constexpr std::size_t kMaxRingEvents = std::size_t{1} << 20;  // 40 MiB
constexpr std::int64_t kProgressEveryNs = 50'000'000;

/// Four whole iterations fit: the writer does not look at the ring while it writes the statistics of all steps.
std::size_t ringEvents(std::size_t steps) {
    return std::clamp(4 * (steps + 1), kMinRingEvents, kMaxRingEvents);
}

std::uint64_t peakRss() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// Axis 0 of the first input, when every output has the same: the usual meaning of a batch.
std::int64_t batchOf(const Plan& plan) {
    const Graph& main = plan.model->main();
    const auto inputs = plan.model->requiredInputs();
    if (inputs.empty() || main.outputs.empty()) return 1;
    const auto axis0 = [&](ValueId id) {
        const Shape& shape = plan.types.type(id).shape;
        return shape.ranked() && shape.rank() > 0 && shape[0].known() ? shape[0].value() : 1;
    };
    const std::int64_t batch = axis0(inputs.front());
    const bool shared = std::all_of(main.outputs.begin(), main.outputs.end(), [&](ValueId id) { return axis0(id) == batch; });
    return shared ? std::max<std::int64_t>(batch, 1) : 1;
}

/// One run from plan to report. Owns what has to outlive the recording.
class Profiler {
public:
    explicit Profiler(const ProfileRequest& request) : m_request(request), m_start(ticks()) {
        // Time zero of the session: when loading the model began.
        m_origin = m_start - static_cast<std::uint64_t>(request.importMs * 1e6 / TickClock::instance().nsPerTick());
        m_result.loadMs = request.importMs;
    }

    Result<ProfileResult> run() {
        HS_TRY(m_inputs, makeInputs(*m_request.model, m_request.plan.shapes.dims, m_request.inputs, m_request.seed));
        HS_CHECK(makeThePlan());
        if (m_request.profile && !m_request.sessionPath.empty()) HS_CHECK(openSession());
        Status status = execute();
        if (!status && status.error().code != ErrorCode::Cancelled) {
            // The run's own failure is the one to report, even when the session cannot be closed any more.
            (void)finishSession("failed", status.error().text());
            return tl::unexpected<Error>(std::move(status).error());
        }
        m_result.status = status ? "finished" : "cancelled";
        report();
        // A session that could not be written to its end (disk full …) takes nothing from what was measured.
        if (Status closed = finishSession(m_result.status, status ? "" : "stopped before the end"); !closed) m_result.sessionError = std::move(closed).error();
        return std::move(m_result);
    }

private:
    void progress(const std::string& phase, double fraction) {
        if (m_request.progress) m_request.progress(phase, fraction);
    }

    Status makeThePlan() {
        progress("plan", 0);
        PlanRequest request = m_request.plan;
        request.model = m_request.model;
        for (const auto& [id, tensor] : m_inputs)
            request.shapes.inputs[id] = tensor.type();
        m_planStart = ticks();
        HS_TRY(Plan plan, makePlan(request));
        m_planEnd = ticks();
        m_result.planMs = msBetween(m_planStart, m_planEnd);
        m_plan = std::make_shared<const Plan>(std::move(plan));
        m_result.batch = batchOf(*m_plan);
        for (const PlanDevice& device : m_plan->devices)
            m_result.devices.push_back(device.info.id);
        return {};
    }

    Status openSession() {
        m_recorder = std::make_unique<Recorder>(m_plan->steps.size(), ringEvents(m_plan->steps.size()));
        m_thread = &m_recorder->addThread("runner", 0);
        m_iterationTrack = m_recorder->addTrack(TrackKind::Thread, "iterations", kHostDevice);
        m_iterationName = m_recorder->internName(kIterationSpanName);
        WriterOptions options;
        options.expectedSpans = (m_plan->steps.size() + 1) * static_cast<std::uint64_t>(m_request.runs + m_request.warmup + 1);
        HS_TRY(m_writer, SessionWriter::open(m_request.sessionPath, describeRun(m_request, *m_plan), *m_recorder, m_origin, options));
        m_result.sessionPath = m_request.sessionPath;
        m_sampler = std::make_unique<HostSampler>(*m_recorder);
        for (const Reason& reason : m_sampler->unavailable())
            m_writer->message("info", reason.text());
        if (m_request.importMs > 0) phase("load model", m_origin, m_start, SpanCategory::Load);
        phase("plan", m_planStart, m_planEnd, SpanCategory::Api);
        return {};
    }

    void phase(std::string_view name, std::uint64_t from, std::uint64_t to, SpanCategory category) {
        if (m_thread != nullptr) m_thread->span({from, to, kNoStep, m_recorder->internName(name), -1, m_thread->track(), category, 0, 0});
    }

    Status execute() {
        HS_CHECK(compileAndRunOnce());
        HS_CHECK(warmUp());
        if (m_thread != nullptr) {
            HS_CHECK(measureOverhead());
            m_thread->resetStats();
        }
        return measure();
    }

    Status compileAndRunOnce() {
        progress("compile", 0);
        const std::uint64_t start = ticks();
        if (m_thread != nullptr) m_thread->beginIteration(-1, true);
        auto compiled = CompiledModel::compile(m_plan, m_recorder.get(), m_thread, m_request.cancel);
        if (!compiled) return tl::unexpected<Error>(std::move(compiled).error());
        m_compiled = std::move(*compiled);
        phase("compile", start, ticks(), SpanCategory::Compile);
        RunOptions options = runOptions(m_thread);
        options.recordMemory = m_thread != nullptr;
        HS_CHECK(runModel(options));
        m_result.firstRunMs = msBetween(start, ticks());
        if (m_writer) {
            m_writer->setKernels(m_compiled->kernels());
            for (const std::string& warning : m_compiled->warnings())
                m_writer->message("warning", warning);
        }
        return {};
    }

    Status warmUp() {
        for (int i = 0; i < m_request.warmup; ++i) {
            progress("warm up", static_cast<double>(i) / m_request.warmup);
            HS_CHECK(runModel(runOptions(m_thread)));
        }
        return {};
    }

    /// Pairs of runs, with and without recording, before the measured ones. Their spans take the same way as all others, up
    /// to the writer's thread, which leaves them out of the session.
    Status measureOverhead() {
        progress("cost of profiling", 0);
        m_thread->beginIteration(kDiscarded, true);
        const std::uint64_t start = ticks();
        std::vector<std::pair<double, double>> pairs;
        double budgetNs = kOverheadMaxNs;
        for (int i = 0; i < kOverheadMaxPairs; ++i) {
            const double spentNs = msBetween(start, ticks()) * 1e6;
            if (i == 1) budgetNs = std::clamp(spentNs / 2 * m_request.runs * kOverheadShare, kOverheadMinNs, kOverheadMaxNs);
            if (i > 0 && spentNs + spentNs / i > budgetNs) break;
            const bool isTimeToLook = i >= kOverheadMinPairs && i % kOverheadMinPairs == 0;
            if (isTimeToLook && estimateOverhead(pairs).noise <= kOverheadWanted) break;
            // Swap the order from pair to pair, so that neither side always runs second.
            std::pair<double, double> pair;
            for (const bool recorded : {i % 2 == 0, i % 2 != 0}) {
                const std::uint64_t from = ticks();
                HS_CHECK(runModel(runOptions(recorded ? m_thread : nullptr)));
                (recorded ? pair.first : pair.second) = msBetween(from, ticks());
            }
            pairs.push_back(pair);
        }
        m_result.profileOverhead = estimateOverhead(pairs);
        return {};
    }

    Status measure() {
        std::int64_t lastProgress = 0;
        for (int i = 0; i < m_request.runs; ++i) {
            if (m_thread != nullptr) {
                const std::uint32_t every = std::max(m_recorder->detailEvery(), 1U);
                m_thread->beginIteration(i, static_cast<std::uint32_t>(i) % every == 0);
            }
            const std::uint64_t stepsBefore = m_thread != nullptr ? m_thread->stepTicks() : 0;
            const std::uint64_t start = ticks();
            HS_CHECK(runModel(runOptions(m_thread)));
            const std::uint64_t end = ticks();
            m_wallTicks += end - start;
            if (m_thread != nullptr) m_stepTicks += m_thread->stepTicks() - stepsBefore;
            m_samplesMs.push_back(msBetween(start, end));
            if (m_thread != nullptr) m_thread->span({start, end, kNoStep, m_iterationName, i, m_iterationTrack, SpanCategory::Api, 0, 0});
            if (const std::int64_t now = steadyNs(); now - lastProgress > kProgressEveryNs) {
                lastProgress = now;
                progress("run", static_cast<double>(i + 1) / m_request.runs);
            }
        }
        progress("run", 1);
        return {};
    }

    RunOptions runOptions(ThreadRecorder* thread) const {
        RunOptions options;
        options.recorder = thread;
        options.cancel = m_request.cancel;
        options.seed = m_request.seed;
        return options;
    }

    Status runModel(const RunOptions& options) {
        auto outputs = m_compiled->run(m_inputs, options);
        if (!outputs) return tl::unexpected<Error>(std::move(outputs).error());
        m_outputs = std::move(*outputs);
        return {};
    }

    void report() {
        m_result.latency = latencyStats(m_samplesMs);
        if (m_result.latency.meanMs > 0) m_result.throughputPerS = static_cast<double>(m_result.batch) * 1000.0 / m_result.latency.meanMs;
        if (m_thread != nullptr) m_result.reconciliation = reconcile();
        if (m_compiled) m_result.memory = m_compiled->memory();
        m_result.peakRssBytes = peakRss();
        const Graph& main = m_request.model->main();
        for (std::size_t i = 0; i < m_outputs.size(); ++i)
            m_result.outputs.push_back({m_request.model->value(main.outputs[i]).name, m_outputs[i], sha256Of(m_outputs[i])});
        if (m_compiled) m_result.warnings = m_compiled->warnings();
    }

    Reconciliation reconcile() const {
        const double perRun = TickClock::instance().nsPerTick() / static_cast<double>(std::max<std::size_t>(m_samplesMs.size(), 1));
        Reconciliation out;
        out.wallNs = static_cast<double>(m_wallTicks) * perRun;
        out.stepsNs = static_cast<double>(m_stepTicks) * perRun;
        out.dispatchNs = out.wallNs - out.stepsNs;
        return out;
    }

    Status finishSession(const std::string& status, const std::string& message) {
        if (!m_writer) return {};
        m_sampler->stop();
        const LatencyStats& l = m_result.latency;
        const Json json = {{"latency",
                            {{"median_ms", l.medianMs},
                             {"mean_ms", l.meanMs},
                             {"min_ms", l.minMs},
                             {"p90_ms", l.p90Ms},
                             {"p99_ms", l.p99Ms},
                             {"stddev_ms", l.stddevMs},
                             {"runs", l.runs}}},
                           {"throughput_per_s", m_result.throughputPerS},
                           {"load_ms", m_result.loadMs},
                           {"plan_ms", m_result.planMs},
                           {"first_run_ms", m_result.firstRunMs},
                           {"profile_overhead", m_result.profileOverhead.relative},
                           {"profile_overhead_noise", m_result.profileOverhead.noise},
                           {"profile_overhead_pairs", m_result.profileOverhead.pairs},
                           {"reconciliation",
                            {{"iterations", l.runs},
                             {"wall_ns", m_result.reconciliation.wallNs},
                             {"steps_ns", m_result.reconciliation.stepsNs},
                             {"dispatch_ns", m_result.reconciliation.dispatchNs}}},
                           {"peak_rss_bytes", m_result.peakRssBytes}};
        return m_writer->finish(status, message, json.dump(-1, ' ', false, Json::error_handler_t::replace));
    }

    static double msBetween(std::uint64_t from, std::uint64_t to) { return static_cast<double>(to - from) * TickClock::instance().nsPerTick() / 1e6; }

    const ProfileRequest& m_request;
    std::uint64_t m_start;
    std::uint64_t m_origin = 0;
    std::uint64_t m_planStart = 0;
    std::uint64_t m_planEnd = 0;
    ProfileResult m_result;
    std::map<ValueId, Tensor> m_inputs;
    std::shared_ptr<const Plan> m_plan;
    std::unique_ptr<Recorder> m_recorder;  // outlives the writer, which drains it
    ThreadRecorder* m_thread = nullptr;
    std::uint16_t m_iterationTrack = 0;
    std::uint32_t m_iterationName = kNoName;
    std::unique_ptr<SessionWriter> m_writer;
    std::unique_ptr<HostSampler> m_sampler;
    std::unique_ptr<CompiledModel> m_compiled;
    std::vector<Tensor> m_outputs;
    std::vector<double> m_samplesMs;
    std::uint64_t m_wallTicks = 0, m_stepTicks = 0;  // of the measured loop
};

}  // namespace

Result<ProfileResult> profileModel(const ProfileRequest& request) {
    if (request.runs < 1) return fail(ErrorCode::BadRequest, "runs", "at least one run is needed, not {}", request.runs);
    if (request.warmup < 0) return fail(ErrorCode::BadRequest, "warmup", "cannot be negative");
    return Profiler(request).run();
}

}  // namespace hs

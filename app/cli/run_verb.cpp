// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <limits>

#include "app/cli/checks.h"
#include "app/cli/device_choice.h"
#include "app/cli/model_options.h"
#include "app/cli/output.h"
#include "core/run/profiled_run.h"

namespace hs::cli {
namespace {

constexpr int kMaxRuns = 100'000'000;

struct RunVerbOptions {
    ModelOptions model;
    std::string config, session, label;
    std::vector<std::string> devices, inputs;
    int runs = 10, warmup = 2, threads = 0;
    std::uint64_t seed = 1;
    bool noProfile = false;
};

/// Beside nothing and over nothing: "resnet50-20260131-142530.hscope" in the current folder.
std::string defaultSession(const std::string& modelPath) {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 32> stamp{};
    std::strftime(stamp.data(), stamp.size(), "%Y%m%d-%H%M%S", &local);
    const std::string stem = std::filesystem::path(modelPath).stem().string() + "-" + stamp.data();
    std::string path = stem + ".hscope";
    for (int i = 2; std::filesystem::exists(path); ++i)
        path = stem + "-" + std::to_string(i) + ".hscope";
    return path;
}

/// Before any work is done: a session in a folder that is not there is a slip of the pen.
Status checkFolder(const std::string& session) {
    std::error_code ec;
    const auto folder = std::filesystem::path(session).parent_path();
    if (folder.empty() || std::filesystem::is_directory(folder, ec)) return {};
    return fail(ErrorCode::BadRequest, "--session " + session, "there is no folder {}: make it first", folder.string());
}

Json documentOf(const ProfileResult& r) {
    Json memory = Json::array();
    for (std::size_t i = 0; i < r.memory.size(); ++i)
        memory.push_back({{"device", r.devices[i]},
                          {"peak_bytes", r.memory[i].peakBytes},
                          {"weight_bytes", r.memory[i].weightBytes},
                          {"packed_bytes", r.memory[i].packedBytes},
                          {"arena_bytes", r.memory[i].arenaBytes}});
    Json outputs = Json::array();
    for (const OutputDigest& o : r.outputs)
        outputs.push_back({{"name", o.name}, {"dtype", dtypeName(o.tensor.dtype())}, {"shape", o.tensor.dims()}, {"sha256", o.sha256}});
    return {{"status", r.status},
            {"latency",
             {{"median_ms", r.latency.medianMs},
              {"mean_ms", r.latency.meanMs},
              {"min_ms", r.latency.minMs},
              {"p90_ms", r.latency.p90Ms},
              {"p99_ms", r.latency.p99Ms},
              {"stddev_ms", r.latency.stddevMs},
              {"runs", r.latency.runs}}},
            {"throughput_per_s", r.throughputPerS},
            {"batch", r.batch},
            {"load_ms", r.loadMs},
            {"plan_ms", r.planMs},
            {"first_run_ms", r.firstRunMs},
            {"peak_rss_bytes", r.peakRssBytes},
            {"profile_overhead", r.profileOverhead.relative},
            {"profile_overhead_noise", r.profileOverhead.noise},
            {"profile_overhead_pairs", r.profileOverhead.pairs},
            {"reconciliation", {{"wall_ns", r.reconciliation.wallNs}, {"steps_ns", r.reconciliation.stepsNs}, {"dispatch_ns", r.reconciliation.dispatchNs}}},
            {"memory", memory},
            {"session", r.sessionPath.empty() ? Json(nullptr) : Json(r.sessionPath)},
            {"outputs", outputs}};
}

void printPeople(const ProfileResult& r, bool isProfiled) {
    const LatencyStats& l = r.latency;
    std::cout << fmt::format("status      {}\n", r.status);
    std::cout << fmt::format("latency     median {}, mean {}, min {}, p90 {}, p99 {}, stddev {} ({})\n", msText(l.medianMs), msText(l.meanMs), msText(l.minMs),
                             msText(l.p90Ms), msText(l.p99Ms), msText(l.stddevMs), countText(static_cast<std::uint64_t>(l.runs), "run"));
    std::cout << fmt::format("throughput  {} samples/s (batch {})\n", shortText(r.throughputPerS), r.batch);
    std::cout << fmt::format("start       load {}, plan {}, compile and first run {}\n", msText(r.loadMs), msText(r.planMs), msText(r.firstRunMs));
    for (std::size_t i = 0; i < r.memory.size(); ++i)
        std::cout << fmt::format("memory      {}: weights {}, packed {}, arena {}\n", r.devices[i], bytesText(static_cast<double>(r.memory[i].weightBytes)),
                                 bytesText(static_cast<double>(r.memory[i].packedBytes)), bytesText(static_cast<double>(r.memory[i].arenaBytes)));
    std::cout << fmt::format("process     peak {}\n", bytesText(static_cast<double>(r.peakRssBytes)));
    if (isProfiled) {
        const OverheadEstimate& cost = r.profileOverhead;
        const Reconciliation& sum = r.reconciliation;
        std::cout << fmt::format("time        {} a run = {} in steps + {} between them (dispatch, {} %)\n", msText(sum.wallNs / 1e6), msText(sum.stepsNs / 1e6),
                                 msText(sum.dispatchNs / 1e6), shortText(sum.wallNs > 0 ? sum.dispatchNs / sum.wallNs * 100 : 0));
        std::cout << fmt::format("profiling   costs {:+.2f} % ± {:.2f} ({} pairs of runs with and without{})\n", cost.relative * 100, cost.noise * 100,
                                 cost.pairs, std::abs(cost.relative) <= cost.noise ? "; not measurable" : "");
    }
    for (const OutputDigest& o : r.outputs)
        std::cout << fmt::format("output      {}: {} sha256 {}\n", o.name, o.tensor.type().text(), o.sha256.substr(0, 16));
    if (!r.sessionPath.empty()) std::cout << fmt::format("session     {}\n", r.sessionPath);
}

Result<int> run(const RunVerbOptions& options, bool json) {
    if (options.noProfile && !options.session.empty())
        return fail(ErrorCode::BadRequest, "--no-profile", "nothing is recorded without profiling: leave out one of --no-profile and --session");
    HS_CHECK(checkFolder(options.session));
    const std::atomic<bool>& interrupted = catchInterrupts();
    ProfileRequest request;
    HS_TRY(request.plan.edits, readConfigFile(options.config, request.configText));
    const auto catalog = Catalog::scan();
    HS_TRY(request.plan.devices, chooseDevices(*catalog, splitNames(options.devices)));
    HS_TRY(const LoadedModel loaded, loadModel(options.model));
    HS_TRY(request.inputs, readInputs(loaded, options.inputs));
    request.model = loaded.model;
    request.importMs = loaded.importMs;
    request.plan.shapes.dims = loaded.dims;
    request.plan.threads = options.threads > 0 ? options.threads : defaultThreads();
    request.profile = !options.noProfile;
    if (request.profile) request.sessionPath = options.session.empty() ? defaultSession(options.model.path) : options.session;
    request.runs = options.runs;
    request.warmup = options.warmup;
    request.seed = options.seed;
    request.label = options.label;
    request.cancel = &interrupted;
    auto progress = std::make_shared<ProgressLine>();
    request.progress = [progress](const std::string& phase, double fraction) { progress->show(phase, fraction); };
    auto result = profileModel(request);
    request.progress = nullptr;
    progress.reset();
    if (!result) return tl::unexpected<Error>(withConfigFile(result.error(), options.config));
    request.plan.model = loaded.model;
    warnOfIdleRules(request.plan, options.config);
    for (const std::string& warning : result->warnings)
        warn(warning);
    Json document = json ? documentOf(*result) : Json();
    if (json && result->sessionError) document["error"] = errorJson(*result->sessionError);
    if (json) {
        printJson(document);
    } else {
        printPeople(*result, request.profile);
    }
    if (result->sessionError) return reportError(*result->sessionError, false);
    return result->status == "cancelled" ? exitStatus(ErrorCode::Cancelled) : 0;
}

}  // namespace

void addRunVerb(CLI::App& app, Invocation& invocation) {
    auto options = std::make_shared<RunVerbOptions>();
    CLI::App* verb = addVerb(app, invocation, "run", "Run a model and record what happened", "hscope run model.onnx --session run.hscope --runs 50 --batch 4",
                             [&invocation, options] { return run(*options, invocation.json); });
    options->model.addTo(*verb);
    verb->add_option("--config", options->config, "Placement config (heteroscope.config/1)")->type_name("FILE");
    verb->add_option("--device", options->devices, "Devices that take part, separated by commas")->type_name("NAMES")->allow_extra_args(false);
    verb->add_option("--session", options->session, "Session file; an existing one gets another run. Default: MODEL-TIME.hscope in the current folder")
        ->type_name("FILE");
    verb->add_option("--label", options->label, "Name of the run in the session")->type_name("TEXT");
    verb->add_option("--runs", options->runs, "Measured runs")->capture_default_str()->check(wholeNumber(1, kMaxRuns))->type_name("N");
    verb->add_option("--warmup", options->warmup, "Runs before that, not measured")->capture_default_str()->check(wholeNumber(0, kMaxRuns))->type_name("N");
    verb->add_option("--threads", options->threads, "Threads of a kernel; default: all cores")->check(wholeNumber(1, kMaxThreads))->type_name("N");
    verb->add_option("--input", options->inputs, "Value of an input: NAME=FILE with a .pb (TensorProto), .npy or raw file; may be repeated")
        ->type_name("NAME=FILE")
        ->allow_extra_args(false);
    verb->add_option("--seed", options->seed, "Seed of inputs that are not given")
        ->capture_default_str()
        ->check(wholeNumber(0, std::numeric_limits<std::uint64_t>::max()))
        ->type_name("N");
    verb->add_flag("--no-profile", options->noProfile, "Only measure the latency; record nothing");
}

}  // namespace hs::cli

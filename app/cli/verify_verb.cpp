// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <iostream>
#include <limits>
#include <mutex>
#include <thread>

#include "app/cli/checks.h"
#include "app/cli/device_choice.h"
#include "app/cli/output.h"
#include "app/cli/verify_against.h"
#include "app/cli/verify_case.h"

namespace hs::cli {
namespace {

constexpr int kMaxJobs = 256;

struct VerifyVerbOptions {
    std::vector<std::string> paths, devices, against, dims;
    std::string executor, config;
    double rtol = -1, atol = -1;  ///< Negative: not given.
    int jobs = 1, threads = 0;
    std::int64_t batch = 0;
    std::uint64_t seed = 1;
};

/// Runs the cases on some threads; `report` is called in the order of the cases, from one thread at a time.
class CaseRunner {
public:
    CaseRunner(const std::vector<Case>& cases, const VerifyOptions& options, std::function<void(const Case&, const CaseResult&)> report)
        : m_cases(cases), m_options(options), m_report(std::move(report)), m_results(cases.size()) {}

    void run(int jobs) {
        std::vector<std::jthread> threads;
        for (int i = 1; i < jobs; ++i)
            threads.emplace_back([this] { work(); });
        work();
    }

private:
    void work() {
        while (!m_options.cancel->load(std::memory_order_relaxed)) {
            const std::size_t i = m_next.fetch_add(1);
            if (i >= m_cases.size()) return;
            CaseResult result = verifyCase(m_cases[i], m_options);
            const std::lock_guard lock(m_mutex);
            m_results[i] = std::move(result);
            for (; m_reported < m_cases.size() && m_results[m_reported]; ++m_reported)
                m_report(m_cases[m_reported], *m_results[m_reported]);
        }
    }

    const std::vector<Case>& m_cases;
    const VerifyOptions& m_options;
    std::function<void(const Case&, const CaseResult&)> m_report;
    std::atomic<std::size_t> m_next{0};
    std::mutex m_mutex;
    std::vector<std::optional<CaseResult>> m_results;
    std::size_t m_reported = 0;
};

std::string_view verdictName(Verdict verdict) {
    return verdict == Verdict::Pass ? "PASS" : verdict == Verdict::Fail ? "FAIL" : "UNSUPPORTED";
}

Result<int> verifyCases(const VerifyVerbOptions& options, bool json) {
    HS_TRY(const auto cases, findCases(options.paths));
    const std::atomic<bool>& interrupted = catchInterrupts();
    const auto catalog = Catalog::scan();
    VerifyOptions verify;
    HS_TRY(verify.devices, chooseDevices(*catalog, splitNames(options.devices)));
    if (!options.executor.empty() && !isExecutor(*catalog, options.executor))
        return fail(ErrorCode::BadRequest, options.executor, "unknown executor: see `hscope devices`");
    verify.executor = options.executor;
    if (options.rtol >= 0) verify.rtol = options.rtol;
    if (options.atol >= 0) verify.atol = options.atol;
    verify.threads = options.threads > 0 ? options.threads : std::max(defaultThreads() / options.jobs, 1);
    verify.cancel = &interrupted;
    std::array<int, 3> counts{};
    Json list = Json::array();
    CaseRunner runner(cases, verify, [&](const Case& testCase, const CaseResult& result) {
        ++counts[static_cast<std::size_t>(result.verdict)];
        if (json) {
            list.push_back({{"name", testCase.name}, {"verdict", verdictName(result.verdict)}, {"why", result.why}, {"path", testCase.folder}});
        } else {
            const bool isNote = result.verdict == Verdict::Pass && !result.why.empty();
            if (isNote) std::cerr << "note: " << testCase.name << ": " << result.why << '\n';
            std::cout << verdictName(result.verdict) << ' ' << testCase.name << (isNote || result.why.empty() ? "" : ": " + result.why) << '\n' << std::flush;
        }
    });
    runner.run(options.jobs);
    if (interrupted) return fail(ErrorCode::Cancelled, "", "interrupted after {} of {} cases", counts[0] + counts[1] + counts[2], cases.size());
    if (json) {
        printJson({{"cases", list}, {"passed", counts[0]}, {"failed", counts[1]}, {"unsupported", counts[2]}});
    } else {
        std::cout << fmt::format("{} passed, {} failed, {} unsupported\n", counts[0], counts[1], counts[2]);
    }
    return counts[1] > 0 ? 1 : 0;
}

Result<int> verify(const VerifyVerbOptions& options, bool json) {
    if (options.against.empty()) return verifyCases(options, json);
    if (options.paths.size() != 1) return fail(ErrorCode::BadRequest, "--against", "takes one model");
    constexpr double kAgainstAtol = 1e-4;  // two ways to add up the same float32 products
    AgainstOptions against;
    against.model.path = options.paths.front();
    against.model.dims = options.dims;
    against.model.batch = options.batch;
    against.sides = splitNames(options.against);
    against.config = options.config;
    against.seed = options.seed;
    if (options.rtol >= 0) against.tolerance.rtol = options.rtol;
    against.tolerance.atol = options.atol >= 0 ? options.atol : kAgainstAtol;
    against.threads = options.threads > 0 ? options.threads : defaultThreads();
    against.cancel = &catchInterrupts();
    return verifyAgainst(against, json);
}

}  // namespace

void addVerifyVerb(CLI::App& app, Invocation& invocation) {
    auto options = std::make_shared<VerifyVerbOptions>();
    CLI::App* verb = addVerb(app, invocation, "verify", "Run test cases and compare with their expected outputs, or one model on two devices or executors",
                             "hscope verify cases/ --jobs 4\n  hscope verify model.onnx --against onednn,reference",
                             [&invocation, options] { return verify(*options, invocation.json); });
    verb->add_option("PATH", options->paths, "Case folders, or folders of such; with --against, a model")->required()->type_name("");
    verb->add_option("--device", options->devices, "Devices that take part, separated by commas")->type_name("NAMES")->allow_extra_args(false);
    verb->add_option("--executor", options->executor, "Executor to prefer everywhere")->type_name("NAME");
    verb->add_option("--rtol", options->rtol,
                     "Relative tolerance; default 1e-3, or the case's own (its data.json, or ref_rtol in an index.tsv beside its suite, if larger)")
        ->check(tolerance())
        ->type_name("X");
    verb->add_option("--atol", options->atol, "Absolute tolerance; default 1e-7 or the case's own (likewise, ref_atol); 1e-4 with --against")
        ->check(tolerance())
        ->type_name("X");
    verb->add_option("--jobs", options->jobs, "Cases at a time")->capture_default_str()->check(wholeNumber(1, kMaxJobs))->type_name("N");
    verb->add_option("--threads", options->threads, "Threads of a kernel; default: all cores, shared by the jobs")
        ->check(wholeNumber(1, kMaxThreads))
        ->type_name("N");
    verb->add_option("--against", options->against, "Two devices or executors to compare, separated by a comma")->type_name("A,B")->allow_extra_args(false);
    verb->add_option("--config", options->config, "Placement config, with --against")->type_name("FILE");
    verb->add_option("--dim", options->dims, "Size of a symbolic dimension, NAME=N, with --against")->type_name("NAME=N")->allow_extra_args(false);
    verb->add_option("--batch", options->batch, "Size of the first symbolic batch dimension, with --against")
        ->check(wholeNumber(1, std::numeric_limits<std::int64_t>::max()))
        ->type_name("N");
    verb->add_option("--seed", options->seed, "Seed of the inputs, with --against")
        ->capture_default_str()
        ->check(wholeNumber(0, std::numeric_limits<std::uint64_t>::max()))
        ->type_name("N");
}

}  // namespace hs::cli

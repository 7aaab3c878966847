// SPDX-License-Identifier: Apache-2.0
// Each file in tests/golden/plans holds a model, devices and a config, then "---" and the plan that they must give.
// A mismatch writes FILE.actual beside it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "core/plan/config.h"
#include "tests/unit/plan_support.h"

namespace hs {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);)
        out.push_back(part);
    return out;
}

/// "float32[N,3]" or "int64[]"
ValueType typeOf(const std::string& text) {
    const std::size_t open = text.find('[');
    std::vector<Dim> dims;
    for (const std::string& size : split(text.substr(open + 1, text.size() - open - 2), ','))
        dims.push_back(std::isdigit(static_cast<unsigned char>(size[0])) != 0 ? Dim(std::stoll(size)) : Dim(size));
    return {TypeKind::Tensor, dtypeFromName(text.substr(0, open)).value(), Shape(std::move(dims))};
}

/// The upper half of a golden file as a request.
class Reader {
public:
    PlanRequest read(const std::string& text) {
        for (const std::string& line : split(text, '\n'))
            if (!line.empty() && line[0] != '#') readLine(line);
        m_request.model = m_maker.build();
        if (!m_rules.empty()) {
            auto edits = parseConfig("{\"schema\": \"heteroscope.config/1\", \"rules\": [\n" + m_rules + "\n]}", "golden");
            EXPECT_TRUE(edits) << (edits ? "" : edits.error().text());
            if (edits) m_request.edits = *edits;
        }
        return m_request;
    }

private:
    void readLine(const std::string& line) {
        std::istringstream in(line);
        std::string what;
        in >> what;
        if (what == "input") {
            std::string name, type;
            in >> name >> type;
            m_maker.input(name, typeOf(type));
        } else if (what == "weight") {
            std::string name, type;
            in >> name >> type;
            const ValueType parsed = typeOf(type);
            m_maker.constant(name, Tensor::allocate(parsed.dtype, *parsed.shape.concrete()).value());
        } else if (what == "ints") {
            std::string name, list;
            in >> name >> list;
            std::vector<std::int64_t> values;
            for (const std::string& value : split(list, ','))
                values.push_back(std::stoll(value));
            m_maker.constant(name, Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values));
        } else if (what == "node") {  // node NAME Op a,b c
            std::string name, op, inputs, outputs;
            in >> name >> op >> inputs >> outputs;
            m_maker.node(op, split(inputs, ','), split(outputs, ','), {}, GraphId(0), name);
        } else if (what == "output") {
            std::string name;
            in >> name;
            m_maker.output(name);
        } else if (what == "device") {  // device ID GFLOPS GBPS LAUNCH_NS executor:Op|Op …
            std::string id, executor;
            double gflops = 0, gbps = 0, launch = 0;
            in >> id >> gflops >> gbps >> launch;
            std::vector<std::shared_ptr<const Executor>> executors;
            while (in >> executor) {
                const std::size_t colon = executor.find(':');
                const auto operators = split(executor.substr(colon + 1), '|');
                executors.push_back(
                    std::make_shared<test::ListedExecutor>(executor.substr(0, colon), std::set<std::string>(operators.begin(), operators.end())));
            }
            m_request.devices.push_back(test::makeDevice(id, executors, gflops, gbps, launch));
        } else if (what == "rule") {
            m_rules += (m_rules.empty() ? "" : ",\n") + line.substr(5);
        } else {
            ADD_FAILURE() << "not understood: " << line;
        }
    }

    test::ModelMaker m_maker;
    PlanRequest m_request;
    std::string m_rules;
};

std::string textOf(const Result<Plan>& result) {
    if (!result) return fmt::format("error {}: {}\n", errorCodeName(result.error().code), result.error().text());
    const Plan& plan = *result;
    std::string out;
    for (const PlanStep& step : plan.steps)
        out += fmt::format("step {} {} on {} {} {} {:.0f} ns\n", step.id.index(), step.label, plan.devices[step.device].info.id, step.kernel, step.precision,
                           step.predictedNs);
    for (const Decision& d : plan.decisions) {
        out += fmt::format("{} {}: {}\n", plan.model->node(d.node).name, outcomeName(d.outcome), d.reason.text());
        for (const Reason& reason : d.rejected)
            out += "  not " + reason.text() + "\n";
    }
    for (const PlanTransfer& t : plan.transfers)
        out += fmt::format("move {} {} -> {} {} bytes\n", plan.model->value(t.value).name, t.fromDevice, t.toDevice, t.bytes);
    for (const DeviceMemoryPlan& m : plan.memory) {
        out += fmt::format("memory {} arena {} bound {} weights {}\n", m.device, m.arenaBytes, m.lowerBoundBytes, m.weightBytes);
        for (const ArenaSlot& s : m.slots)
            out += fmt::format("  {} at {} for {} bytes, steps {} to {}\n", plan.model->value(s.value).name, s.offset, s.bytes, s.firstStep, s.lastStep);
    }
    return out + fmt::format("latency {:.0f} ns\n", plan.predictedLatencyNs);
}

std::vector<std::string> goldenFiles() {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(fs::path(HS_SOURCE_DIR) / "tests/golden/plans"))
        if (entry.path().extension() == ".txt") out.push_back(entry.path().string());
    std::sort(out.begin(), out.end());
    return out;
}

class PlanGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(PlanGolden, IsAsWritten) {
    std::ifstream file(GetParam());
    std::stringstream buffer;
    buffer << file.rdbuf();
    const std::string text = buffer.str();
    const std::size_t line = text.find("---\n");
    ASSERT_NE(line, std::string::npos) << "the file has no --- line";
    const std::string actual = textOf(makePlan(Reader().read(text.substr(0, line))));
    const std::string expected = text.substr(line + 4);
    if (actual != expected) std::ofstream(GetParam() + ".actual") << text.substr(0, line + 4) << actual;
    EXPECT_EQ(actual, expected);
}

INSTANTIATE_TEST_SUITE_P(Files, PlanGolden, ::testing::ValuesIn(goldenFiles()), [](const auto& file) { return fs::path(file.param).stem().string(); });

}  // namespace
}  // namespace hs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

#include "core/store/session_reader.h"
#include "core/store/session_writer.h"

namespace hs::test {

/// A folder of its own that goes away with the test.
class TempDir {
public:
    TempDir() {
        std::string pattern = (std::filesystem::temp_directory_path() / "hs-store-XXXXXX").string();
        m_path = ::mkdtemp(pattern.data());
    }
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    ~TempDir() {
        std::error_code ec;
        std::filesystem::permissions(m_path, std::filesystem::perms::owner_all, ec);
        std::filesystem::remove_all(m_path, ec);
    }
    std::string file(const std::string& name) const { return (m_path / name).string(); }
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// Five nodes on one CPU device: conv alone (step 0), conv + relu fused 3:1 (step 1), one folded, one never reached (step 2).
inline RunDescription smallRun() {
    RunDescription d;
    d.model = {"model.onnx", "ab12", "small", R"({"":17})", 8};
    const auto node = [](std::uint32_t i, const char* name, const char* op, const char* outcome, double flops) {
        NodeRow n;
        n.node = i;
        n.name = name;
        n.opType = op;
        n.outcome = outcome;
        n.flops = flops;
        n.bytes = 1000;
        n.device = std::string(outcome) == "folded" ? "" : "cpu:0";
        n.executor = std::string(outcome) == "folded" ? "" : "onednn";
        n.reasonCode = "plan.best_available";
        n.reasonText = "highest-ranked executor that supports the node";
        n.infoJson = "{}";
        return n;
    };
    d.nodes = {node(0, "conv0", "Conv", "executed", 1e6), node(1, "conv1", "Conv", "fused", 3e6), node(2, "relu1", "Relu", "fused", 1e3),
               node(3, "shape", "Shape", "folded", 0), node(4, "late", "Add", "executed", 10)};
    d.nodes[4].graph = "then_branch";
    d.values = {{0, "x", "float32[1,3,8,8]", 768, -1}, {7, "y", "float32[1,3,8,8]", 768, 0}};
    d.run.label = "small on cpu";
    d.run.configJson = "{}";
    d.run.hostJson = "{}";
    d.run.planJson = "{}";
    d.run.clock = "tsc, one domain";
    d.devices = {{"cpu:0", "cpu", "cpu", "{}", false}, {"sim:0", "virtual", "gpu", "{}", true}};
    const auto step = [](std::uint32_t i, const char* label) {
        StepRow s;
        s.step = i;
        s.executor = "onednn";
        s.label = label;
        s.precision = "float32";
        return s;
    };
    d.steps = {step(0, "conv0"), step(1, "conv1+relu1"), step(2, "late")};
    d.steps[0].nodes = {{0, 1.0}};
    d.steps[1].nodes = {{1, 0.75}, {2, 0.25}};
    d.steps[2].nodes = {{4, 1.0}};
    d.plannedSlots = {{0, 7, 0, 1, 64, 768}};
    return d;
}

/// Ticks for a number of nanoseconds on this machine.
inline std::uint64_t ticksOf(double ns) {
    return static_cast<std::uint64_t>(std::llround(ns / TickClock::instance().nsPerTick()));
}

}  // namespace hs::test

// SPDX-License-Identifier: Apache-2.0
#include "core/plan/placement.h"

#include <algorithm>
#include <array>
#include <set>

namespace hs {
namespace {

bool isDefaultDomain(const Node& node) {
    return node.domain.empty() || node.domain == "ai.onnx";
}

std::string ruleWhere(const Rule& rule, std::size_t index) {
    return rule.line > 0 ? "config line " + std::to_string(rule.line) : "config rule " + std::to_string(index + 1);
}

Status checkNames(const Rule& rule, const std::string& where, const PlanRequest& request) {
    std::set<std::string> devices;
    std::set<std::string> executors;
    for (const PlanDevice& device : request.devices) {
        devices.insert(device.info.id);
        for (const auto& executor : device.executors)
            executors.insert(std::string(executor->id()));
    }
    const auto list = [](const std::set<std::string>& names) {
        std::string out;
        for (const auto& name : names)
            out += (out.empty() ? "" : ", ") + name;
        return out;
    };
    if (!rule.device.empty() && !devices.contains(rule.device))
        return fail(ErrorCode::BadRequest, where, "unknown device \"{}\": this run has {}", rule.device, list(devices));
    if (!rule.executor.empty() && !executors.contains(rule.executor))
        return fail(ErrorCode::BadRequest, where, "unknown executor \"{}\": this run has {}", rule.executor, list(executors));
    return {};
}

struct Candidate {
    std::uint32_t device;
    std::size_t executor;
    int rank;
};

/// Every device and executor, what was asked for first, else in the request's order.
std::vector<Candidate> candidates(const PlanRequest& request, const RuleBook::Wish& wish) {
    std::vector<Candidate> out;
    for (std::uint32_t d = 0; d < request.devices.size(); ++d) {
        const PlanDevice& device = request.devices[d];
        for (std::size_t e = 0; e < device.executors.size(); ++e) {
            const bool wrongDevice = !wish.device.empty() && device.info.id != wish.device;
            const bool wrongExecutor = !wish.executor.empty() && device.executors[e]->id() != wish.executor;
            out.push_back({d, e, 2 * int{wrongDevice} + int{wrongExecutor}});
        }
    }
    std::stable_sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
    return out;
}

Reason reasonFor(const PlanRequest& request, const RuleBook::Wish& wish, const Candidate& chosen) {
    const std::string& device = request.devices[chosen.device].info.id;
    if (wish.rule > 0 && chosen.rank == 0) return {"plan.pinned", {std::to_string(wish.rule)}};
    const std::string& wanted = wish.device.empty() ? request.devices.front().info.id : wish.device;
    if (device != wanted) return {"plan.fallback", {wanted, device}};
    return {"plan.best_available", {}};
}

}  // namespace

bool isControlFlow(const Node& node) {
    return isDefaultDomain(node) && (node.opType == "If" || node.opType == "Loop" || node.opType == "Scan" || node.opType == "SequenceMap");
}

bool isStaticView(const Node& node, const TypeTable& types) {
    static constexpr std::array<std::string_view, 5> kViews = {"Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze"};
    if (!isDefaultDomain(node) || std::find(kViews.begin(), kViews.end(), node.opType) == kViews.end()) return false;
    if (node.inputs.empty() || !node.inputs[0] || node.outputs.size() != 1 || !node.outputs[0]) return false;
    const ValueType& from = types.type(node.inputs[0]);
    const ValueType& to = types.type(node.outputs[0]);
    if (!from.isStaticTensor() || !to.isStaticTensor() || from.dtype != to.dtype) return false;
    return elementCount(*from.shape.concrete()) == elementCount(*to.shape.concrete());
}

bool globMatches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

void RuleBook::Last::add(const Rule& rule, std::size_t index) {
    if (!rule.device.empty()) device = index;
    if (!rule.executor.empty()) executor = index;
}

void RuleBook::Last::merge(const Last& other) {
    device = std::max(device, other.device);  // nullopt is less than any index
    executor = std::max(executor, other.executor);
}

Result<RuleBook> RuleBook::make(const PlanRequest& request) {
    std::set<std::string_view> operators;
    for (const OpSchema& schema : OpRegistry::instance().all())
        operators.insert(schema.name);
    for (const Node& node : request.model->nodes())
        operators.insert(node.opType);
    RuleBook book;
    book.m_rules = request.edits.rules;
    for (std::size_t i = 0; i < book.m_rules.size(); ++i) {
        const Rule& rule = book.m_rules[i];
        const std::string where = ruleWhere(rule, i);
        HS_CHECK(checkNames(rule, where, request));
        if (!rule.match.node.empty() && !request.model->findNode(rule.match.node))
            return fail(ErrorCode::BadRequest, where, "the model has no node \"{}\": correct the name, or use \"pattern\"", rule.match.node);
        if (!rule.match.opType.empty() && !operators.contains(rule.match.opType))
            return fail(ErrorCode::BadRequest, where, "unknown operator \"{}\"", rule.match.opType);
        if (!rule.enabled) continue;
        if (!rule.match.node.empty()) book.m_byNode[rule.match.node].add(rule, i);
        if (!rule.match.opType.empty()) book.m_byOp[rule.match.opType].add(rule, i);
        if (!rule.match.pattern.empty()) book.m_patterns.push_back(i);
    }
    return book;
}

RuleBook::Wish RuleBook::wishFor(const Node& node) const {
    Last last;
    if (const auto it = m_byNode.find(node.name); it != m_byNode.end()) last.merge(it->second);
    if (const auto it = m_byOp.find(node.opType); it != m_byOp.end()) last.merge(it->second);
    for (const std::size_t i : m_patterns) {
        if (!globMatches(m_rules[i].match.pattern, node.name)) continue;
        Last here;
        here.add(m_rules[i], i);
        last.merge(here);
    }
    Wish wish;
    if (last.device) wish.device = m_rules[*last.device].device;
    if (last.executor) wish.executor = m_rules[*last.executor].executor;
    if (const auto rule = std::max(last.device, last.executor)) wish.rule = *rule + 1;
    return wish;
}

Placement placeNode(const PlanRequest& request, const RuleBook& rules, const Node& node, const TypeTable& types) {
    RuleBook::Wish wish = rules.wishFor(node);
    if (wish.executor.empty()) wish.executor = request.onlyExecutor;
    Placement out;
    out.decision.node = node.id;
    out.decision.requestedDevice = wish.device;
    out.decision.requestedExecutor = wish.executor;
    if (isControlFlow(node)) {
        out.found = true;
        out.decision.executor = kHostExecutor;
        out.decision.device = request.devices.front().info.id;
        out.decision.reason = {"plan.control_flow", {}};
        return out;
    }
    const auto all = candidates(request, wish);
    // Nobody asked for a kernel here, so none is needed: the runner hands the same memory on under the other shape.
    if (wish.device.empty() && wish.executor.empty() && isStaticView(node, types)) {
        out.found = true;
        out.decision.executor = kHostExecutor;
        out.decision.device = request.devices.front().info.id;
        out.decision.reason = {"plan.view", {}};
        return out;
    }
    const NodeQuery query{request.model.get(), &node, &types};
    for (const Candidate& candidate : all) {
        const PlanDevice& device = request.devices[candidate.device];
        const Executor& executor = *device.executors[candidate.executor];
        Support support = executor.supports(query);
        if (!support.supported) {
            out.decision.rejected.push_back(std::move(support.reason));
            continue;
        }
        out.found = true;
        out.device = candidate.device;
        out.executor = candidate.executor;
        out.decision.device = device.info.id;
        out.decision.executor = executor.id();
        out.decision.reason = reasonFor(request, wish, candidate);
        return out;
    }
    return out;
}

}  // namespace hs

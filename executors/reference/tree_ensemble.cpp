// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/tree_ensemble.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "executors/reference/values.h"

namespace hs::ref {
namespace {

enum class Mode : std::uint8_t { LessEqual, Less, GreaterEqual, Greater, Equal, NotEqual, Member };
enum class Aggregate : std::uint8_t { Average, Sum, Min, Max };

struct TreeNode {
    std::int64_t feature;
    double split;
    Mode mode;
    std::int64_t next[2];  ///< Where it goes when false, when true: a node, or a leaf …
    bool isLeaf[2];        ///< … as these say.
    bool missingIsTrue;
    Values members;
};

struct Ensemble {
    std::vector<TreeNode> nodes;
    std::vector<std::int64_t> roots, targets;
    Values weights;
    std::int64_t targetCount = 1;
};

Result<Values> attributeValues(const Call& c, std::string_view name) {
    const auto* tensor = c.node().get<Tensor>(name);
    if (tensor == nullptr) return Values();
    return toDoubles(*tensor);
}

/// Sets of all Member nodes, one after the other, each ended by a NaN.
Status readMembers(const Call& c, Ensemble& out) {
    HS_TRY(const Values all, attributeValues(c, "membership_values"));
    std::size_t at = 0;
    for (TreeNode& node : out.nodes) {
        if (node.mode != Mode::Member) continue;
        while (at < all.size() && !std::isnan(all[at]))
            node.members.push_back(all[at++]);
        ++at;
    }
    return {};
}

Result<Ensemble> readEnsemble(const Call& c) {
    Ensemble out;
    const auto list = [&](std::string_view name) { return c.node().intsOr(name); };
    const auto features = list("nodes_featureids");
    const std::vector<std::int64_t> next[2] = {list("nodes_falsenodeids"), list("nodes_truenodeids")};
    const std::vector<std::int64_t> leaf[2] = {list("nodes_falseleafs"), list("nodes_trueleafs")};
    const auto missing = list("nodes_missing_value_tracks_true");
    HS_TRY(const Values splits, attributeValues(c, "nodes_splits"));
    HS_TRY(const Values modes, attributeValues(c, "nodes_modes"));
    HS_TRY(out.weights, attributeValues(c, "leaf_weights"));
    out.roots = list("tree_roots");
    out.targets = list("leaf_targetids");
    out.targetCount = c.node().intOr("n_targets", 1);
    const std::size_t n = features.size();
    for (const std::size_t size : {splits.size(), modes.size(), next[0].size(), next[1].size(), leaf[0].size(), leaf[1].size()})
        if (size != n) return c.bad("the lists of its nodes have different lengths");
    if (out.targets.size() != out.weights.size()) return c.bad("{} leaves have {} targets", out.weights.size(), out.targets.size());
    for (std::size_t i = 0; i < n; ++i) {
        if (!(modes[i] >= 0 && modes[i] <= static_cast<double>(Mode::Member))) return c.bad("node {} has an unknown mode", i);
        TreeNode node{features[i], splits[i], static_cast<Mode>(static_cast<int>(modes[i])), {}, {}, i < missing.size() && missing[i] != 0, {}};
        for (const int way : {0, 1}) {
            node.next[way] = next[way][i];
            node.isLeaf[way] = leaf[way][i] != 0;
            const std::size_t most = node.isLeaf[way] ? out.weights.size() : n;
            if (node.next[way] < 0 || static_cast<std::size_t>(node.next[way]) >= most)
                return c.bad("node {} leads to {}, which does not exist", i, node.next[way]);
        }
        out.nodes.push_back(std::move(node));
    }
    for (const std::int64_t root : out.roots)
        if (root < 0 || static_cast<std::size_t>(root) >= n) return c.bad("the root {} is no node", root);
    for (const std::int64_t target : out.targets)
        if (target < 0 || target >= out.targetCount) return c.bad("the target {} is outside of {} targets", target, out.targetCount);
    HS_CHECK(readMembers(c, out));
    return out;
}

bool decide(const TreeNode& node, double x) {
    if (std::isnan(x) && node.missingIsTrue) return true;
    switch (node.mode) {
        case Mode::LessEqual: return x <= node.split;
        case Mode::Less: return x < node.split;
        case Mode::GreaterEqual: return x >= node.split;
        case Mode::Greater: return x > node.split;
        case Mode::Equal: return x == node.split;
        case Mode::NotEqual: return x != node.split;
        case Mode::Member: break;
    }
    return std::find(node.members.begin(), node.members.end(), x) != node.members.end();
}

/// The leaf that a row ends in. A walk longer than there are nodes goes in a circle.
Result<std::size_t> leafOf(const Call& c, const Ensemble& e, std::int64_t root, const double* row, std::int64_t features) {
    std::int64_t at = root;
    for (std::size_t step = 0; step <= e.nodes.size(); ++step) {
        const TreeNode& node = e.nodes[static_cast<std::size_t>(at)];
        if (node.feature < 0 || node.feature >= features) return c.bad("feature {} is outside of rows of {}", node.feature, features);
        const int way = decide(node, row[node.feature]) ? 1 : 0;
        at = node.next[way];
        if (node.isLeaf[way]) return static_cast<std::size_t>(at);
    }
    return c.bad("its nodes lead in a circle");
}

/// Winitzki's approximation of the inverse error function, which the operator's definition names.
double probit(double p) {
    const double x = 2 * p - 1;
    const double log = std::log((1 - x) * (1 + x));
    const double v = 2 / (3.14159 * 0.147) + 0.5 * log;
    const double root = std::sqrt(-v + std::sqrt(v * v - log / 0.147));
    return 1.41421356 * (x < 0 ? -root : root);
}

Status transform(const Call& c, double* row, std::int64_t n) {
    const std::int64_t kind = c.node().intOr("post_transform", 0);  // none, softmax, logistic, softmax without zeros, probit
    if (kind == 0) return {};
    if (kind == 2 || kind == 4) {
        std::transform(row, row + n, row, [&](double v) { return kind == 2 ? 1 / (1 + std::exp(-v)) : probit(v); });
        return {};
    }
    if (kind != 1 && kind != 3) return c.bad("post_transform {} is not known", kind);
    double most = -std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < n; ++i)
        most = std::max(most, row[i]);
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        row[i] = kind == 3 && row[i] == 0 ? 0 : std::exp(row[i] - most);
        sum += row[i];
    }
    for (std::int64_t i = 0; i < n && sum > 0; ++i)
        row[i] /= sum;
    return {};
}

void gather(Aggregate how, double weight, bool first, double& to) {
    if (how == Aggregate::Min) {
        to = first ? weight : std::min(to, weight);
    } else if (how == Aggregate::Max) {
        to = first ? weight : std::max(to, weight);
    } else {
        to += weight;
    }
}

}  // namespace

Status treeEnsemble(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& dims = c.dims(0);
    if (dims.size() != 2) return c.bad("the input must be a matrix, not {}", toString(dims));
    HS_TRY(const Ensemble e, readEnsemble(c));
    const std::int64_t how = c.node().intOr("aggregate_function", 1);
    if (how < 0 || how > 3) return c.bad("aggregate_function {} is not known", how);
    const Dims out = {dims[0], e.targetCount};
    if (!elementCount(out)) return c.bad("the output {} is out of range", toString(out));
    HS_TRY(const Values x, values(c, 0));
    Values y(static_cast<std::size_t>(dims[0] * e.targetCount), 0);
    for (std::int64_t row = 0; row < dims[0]; ++row) {
        double* to = y.data() + row * e.targetCount;
        std::vector<bool> touched(static_cast<std::size_t>(e.targetCount), false);
        for (const std::int64_t root : e.roots) {
            HS_TRY(const std::size_t leaf, leafOf(c, e, root, x.data() + row * dims[1], dims[1]));
            const auto target = static_cast<std::size_t>(e.targets[leaf]);
            gather(static_cast<Aggregate>(how), e.weights[leaf], !touched[target], to[target]);
            touched[target] = true;
        }
        if (how == static_cast<std::int64_t>(Aggregate::Average) && !e.roots.empty())
            for (std::int64_t i = 0; i < e.targetCount; ++i)
                to[i] /= static_cast<double>(e.roots.size());
        HS_CHECK(transform(c, to, e.targetCount));
    }
    return emit(c, 0, c.declared(), out, y);
}

}  // namespace hs::ref

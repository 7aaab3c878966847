// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/rnn_activation.h"

#include <algorithm>
#include <cmath>

namespace hs::ref {
namespace {

struct Known {
    const char* name;
    double (*function)(double, double, double);
    bool takesAlpha, takesBeta;
    double alpha, beta;  ///< Defaults.
};

double sigmoid(double v) {
    return v >= 0 ? 1 / (1 + std::exp(-v)) : std::exp(v) / (1 + std::exp(v));
}

const Known kKnown[] = {
    {"relu", [](double v, double, double) { return std::max(v, 0.0); }, false, false, 0, 0},
    {"tanh", [](double v, double, double) { return std::tanh(v); }, false, false, 0, 0},
    {"sigmoid", [](double v, double, double) { return sigmoid(v); }, false, false, 0, 0},
    {"affine", [](double v, double a, double b) { return a * v + b; }, true, true, 1, 0},
    {"leakyrelu", [](double v, double a, double) { return v >= 0 ? v : a * v; }, true, false, 0.01, 0},
    {"thresholdedrelu", [](double v, double a, double) { return v >= a ? v : 0; }, true, false, 1, 0},
    {"scaledtanh", [](double v, double a, double b) { return a * std::tanh(b * v); }, true, true, 1, 1},
    {"hardsigmoid", [](double v, double a, double b) { return std::clamp(a * v + b, 0.0, 1.0); }, true, true, 0.2, 0.5},
    {"elu", [](double v, double a, double) { return v >= 0 ? v : a * std::expm1(v); }, true, false, 1, 0},
    {"softsign", [](double v, double, double) { return v / (1 + std::fabs(v)); }, false, false, 0, 0},
    {"softplus", [](double v, double, double) { return std::log1p(std::exp(v)); }, false, false, 0, 0},
};

}  // namespace

Result<std::vector<RnnActivation>> rnnActivations(const Call& call, const std::vector<std::string>& defaults, std::size_t directions) {
    std::vector<std::string> names = call.node().getOr<std::vector<std::string>>("activations", {});
    if (names.empty())
        for (std::size_t d = 0; d < directions; ++d)
            names.insert(names.end(), defaults.begin(), defaults.end());
    if (names.size() != defaults.size() * directions) return call.bad("there must be {} activations, not {}", defaults.size() * directions, names.size());
    const auto alphas = call.node().getOr<std::vector<float>>("activation_alpha", {});
    const auto betas = call.node().getOr<std::vector<float>>("activation_beta", {});
    std::size_t nextAlpha = 0;
    std::size_t nextBeta = 0;
    std::vector<RnnActivation> out;
    for (std::string name : names) {
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        const auto* known = std::find_if(std::begin(kKnown), std::end(kKnown), [&](const Known& k) { return name == k.name; });
        if (known == std::end(kKnown)) return call.bad("activation \"{}\" is not known", name);
        RnnActivation activation{known->function, known->alpha, known->beta};
        if (known->takesAlpha && nextAlpha < alphas.size()) activation.alpha = static_cast<double>(alphas[nextAlpha++]);
        if (known->takesBeta && nextBeta < betas.size()) activation.beta = static_cast<double>(betas[nextBeta++]);
        out.push_back(activation);
    }
    return out;
}

}  // namespace hs::ref

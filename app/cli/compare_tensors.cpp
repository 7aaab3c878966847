// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compare_tensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

#include "app/cli/elements.h"

namespace hs::cli {
namespace {

std::string indexText(const Dims& dims, std::int64_t flat) {
    Dims index(dims.size());
    for (std::size_t axis = dims.size(); axis-- > 0;) {
        index[axis] = flat % dims[axis];
        flat /= dims[axis];
    }
    return toString(index);
}

bool isClose(double out, double expected, const Tolerance& t) {
    if (std::isnan(out) || std::isnan(expected)) return std::isnan(out) && std::isnan(expected);
    if (std::isinf(out) || std::isinf(expected)) return out == expected;
    return std::abs(out - expected) <= t.atol + t.rtol * std::abs(expected);
}

bool isClose(std::complex<double> out, std::complex<double> expected, const Tolerance& t) {
    if (out.imag() == 0 && expected.imag() == 0) return isClose(out.real(), expected.real(), t);
    return std::abs(out - expected) <= t.atol + t.rtol * std::abs(expected);
}

std::string valueText(std::complex<double> value) {
    return value.imag() == 0 ? fmt::format("{:.9g}", value.real()) : fmt::format("{:.9g}{:+.9g}i", value.real(), value.imag());
}

std::string stringMismatch(const Tensor& out, const Tensor& expected) {
    const auto a = out.data<std::string>();
    const auto b = expected.data<std::string>();
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) return fmt::format("element {} is \"{}\", expected \"{}\"", indexText(out.dims(), static_cast<std::int64_t>(i)), a[i], b[i]);
    return {};
}

std::string kindText(TypeKind kind) {
    return kind == TypeKind::Tensor ? "a tensor" : kind == TypeKind::Sequence ? "a sequence" : "an empty optional";
}

std::string itemMismatch(const Tensor& out, const Tensor& expected, const Tolerance& tolerance) {
    const auto a = out.items();
    const auto b = expected.items();
    if (a.size() != b.size()) return fmt::format("the sequence has {} items, expected {}", a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        if (const std::string why = mismatch(a[i], b[i], tolerance); !why.empty()) return fmt::format("item {}: {}", i, why);
    return {};
}

}  // namespace

std::string mismatch(const Tensor& out, const Tensor& expected, const Tolerance& tolerance) {
    if (out.kind() != expected.kind()) return fmt::format("it is {}, expected {}", kindText(out.kind()), kindText(expected.kind()));
    if (!out.isTensor()) return itemMismatch(out, expected, tolerance);
    if (out.dims() != expected.dims()) return fmt::format("shape is {}, expected {}", toString(out.dims()), toString(expected.dims()));
    if (out.dtype() != expected.dtype()) return fmt::format("type is {}, expected {}", dtypeName(out.dtype()), dtypeName(expected.dtype()));
    if (out.dtype() == DType::String) return stringMismatch(out, expected);
    if (out.bytes() == 0 || std::memcmp(out.raw(), expected.raw(), out.bytes()) == 0) return {};
    std::int64_t wrong = 0;
    std::int64_t worst = -1;
    double worstError = -1;
    for (std::int64_t i = 0; i < out.count(); ++i) {
        const auto a = elementAt(out, i);
        const auto b = elementAt(expected, i);
        if (isClose(a, b, tolerance)) continue;
        ++wrong;
        const double error = std::abs(a - b);
        if (worst < 0 || !std::isfinite(error) || error > worstError) {
            worst = i;
            worstError = std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
        }
    }
    if (wrong == 0) return {};
    return fmt::format("{} of {} elements differ, the most at {}: {}, expected {}", wrong, out.count(), indexText(out.dims(), worst),
                       valueText(elementAt(out, worst)), valueText(elementAt(expected, worst)));
}

std::string kindMismatch(const Tensor& out, const Tensor& expected) {
    if (!out.isTensor() || !expected.isTensor()) return out.kind() != expected.kind() ? "it is of another kind" : "";
    if (out.dims() != expected.dims()) return fmt::format("shape is {}, expected {}", toString(out.dims()), toString(expected.dims()));
    if (out.dtype() != expected.dtype()) return fmt::format("type is {}, expected {}", dtypeName(out.dtype()), dtypeName(expected.dtype()));
    if (out.dtype() == DType::String) return {};
    bool isWhole = true;
    bool isBit = true;
    for (std::int64_t i = 0; i < expected.count(); ++i) {
        const double value = elementAt(expected, i).real();
        isWhole = isWhole && value == std::floor(value);
        isBit = isBit && (value == 0 || value == 1);
    }
    for (std::int64_t i = 0; i < out.count(); ++i) {
        const double value = elementAt(out, i).real();
        const bool fits = std::isfinite(value) && (!isWhole || value == std::floor(value)) && (!isBit || value == 0 || value == 1);
        if (fits) continue;
        return fmt::format("element {} is {:.9g}, expected {}", indexText(out.dims(), i), value,
                           isBit     ? "0 or 1"
                           : isWhole ? "a whole number"
                                     : "a finite number");
    }
    return {};
}

Deviation deviationOf(const Tensor& a, const Tensor& b) {
    Deviation out;
    out.comparable = a.isTensor() && b.isTensor() && a.dtype() == b.dtype() && a.dims() == b.dims() && a.dtype() != DType::String;
    if (!out.comparable) return out;
    double dot = 0;
    double squaresA = 0;
    double squaresB = 0;
    for (std::int64_t i = 0; i < a.count(); ++i) {
        const auto x = elementAt(a, i);
        const auto y = elementAt(b, i);
        const double difference = std::abs(x - y);
        if (!std::isfinite(difference)) {
            const bool same = x == y || (std::isnan(std::abs(x)) && std::isnan(std::abs(y)));
            if (!same) out.maxAbs = out.maxRel = std::numeric_limits<double>::infinity();
            continue;
        }
        out.maxAbs = std::max(out.maxAbs, difference);
        if (std::abs(y) > 0) out.maxRel = std::max(out.maxRel, difference / std::abs(y));
        dot += (x * std::conj(y)).real();
        squaresA += std::norm(x);
        squaresB += std::norm(y);
    }
    const double norm = std::sqrt(squaresA) * std::sqrt(squaresB);
    out.cosine = norm > 0 ? dot / norm : (squaresA == squaresB ? 1 : 0);
    return out;
}

}  // namespace hs::cli

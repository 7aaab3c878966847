// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <unistd.h>

namespace hs::cli {
namespace {

constexpr std::size_t kBarWidth = 24;

std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free flags");

void onInterrupt(int) {
    g_interrupted.store(true, std::memory_order_relaxed);
}

std::string oneLine(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return text;
}

/// Names in models and configs may be of any length: keeps the beginning and the end of a line that no one would read.
std::string clipped(const std::string& line) {
    constexpr std::size_t kHead = 300;
    constexpr std::size_t kTail = 150;
    if (line.size() <= kHead + kTail) return line;
    const auto isContinuation = [&](std::size_t i) { return (static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U; };
    std::size_t head = kHead;
    std::size_t tail = line.size() - kTail;
    while (isContinuation(head))
        --head;
    while (tail < line.size() && isContinuation(tail))
        ++tail;
    return line.substr(0, head) + " … " + line.substr(tail);
}

/// Characters, not bytes: continuation bytes of UTF-8 take no column.
std::size_t columns(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

Status flushOutput() {
    errno = 0;
    if (std::cout.flush()) return {};
    const int error = errno;
    return fail(ErrorCode::Io, "standard output", "cannot be written: {}", error == 0 ? "a write failed" : std::strerror(error));
}

void printJson(const Json& document) {
    std::cout << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
}

Json errorJson(const Error& error) {
    return {{"code", errorCodeName(error.code)}, {"message", oneLine(error.message)}, {"where", error.where}};
}

int reportError(const Error& error, bool json) {
    std::cerr << "hscope: " << clipped(oneLine(error.text())) << '\n';
    if (json) printJson({{"error", errorJson(error)}});
    return exitStatus(error.code);
}

void warn(const std::string& text) {
    std::cerr << "hscope: warning: " << oneLine(text) << '\n';
}

std::string table(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& rightAligned) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], columns(row[i]));
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string pad(widths[i] - columns(row[i]), ' ');
            const bool right = i < rightAligned.size() && rightAligned[i];
            line += (i == 0 ? "" : "  ") + (right ? pad + row[i] : row[i] + pad);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

std::string bytesText(double bytes) {
    static constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit)
        bytes /= 1024;
    return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string shortText(double value) {
    const double magnitude = std::abs(value);
    return magnitude >= 99.95 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string msText(double milliseconds) {
    const double magnitude = std::abs(milliseconds);
    if (magnitude >= 1e4) return shortText(milliseconds / 1e3) + " s";
    if (magnitude >= 0.1 || magnitude == 0) return shortText(milliseconds) + " ms";
    if (magnitude >= 1e-4) return shortText(milliseconds * 1e3) + " µs";
    return shortText(milliseconds * 1e6) + " ns";
}

std::string countText(std::uint64_t count, const std::string& one) {
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string numberText(double value) {
    return fmt::format("{:.6g}", value);
}

Json shapeJson(const Shape& shape) {
    if (!shape.ranked()) return nullptr;
    Json out = Json::array();
    for (const Dim& dim : shape.dims()) {
        if (dim.known()) {
            out.push_back(dim.value());
        } else {
            out.push_back(dim.text());
        }
    }
    return out;
}

ProgressLine::ProgressLine() : m_terminal(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
    if (m_dirty) std::cerr << "\r\x1b[K" << std::flush;
}

void ProgressLine::show(const std::string& phase, double fraction) {
    if (!m_terminal) return;
    const auto filled = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * kBarWidth);
    std::cerr << fmt::format("\r\x1b[K[{}{}] {:3.0f} % {}", std::string(filled, '#'), std::string(kBarWidth - filled, '.'), fraction * 100, phase)
              << std::flush;
    m_dirty = true;
}

const std::atomic<bool>& catchInterrupts() {
    struct sigaction action {};
    action.sa_handler = onInterrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    return g_interrupted;
}

}  // namespace hs::cli

// SPDX-License-Identifier: Apache-2.0
#include "executors/cpu/cpu_measure.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "core/base/clock.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hs::cpu {
namespace {

constexpr std::int64_t kRoundNs = 1'500'000;  // shorter than a scheduler slice: on a busy machine some rounds still have the cores to themselves
constexpr int kRounds = 40;
constexpr int kAccumulators = 24;  // enough to hide a latency of 4 to 5 cycles on two or three ports; fits 32 registers

using PeakLoop = double (*)(int iterations, float* sink);

// x ← x·a + b with a fixed point at 1, so that no accumulator leaves the normal range
constexpr float kFactor = 0.999F;
constexpr float kOffset = 0.001F;

// Every loop returns the FLOPs that it did. Unrolled whole, so that the accumulators stay in registers. (GCC 14 drops the target of a
// function that also has an optimize attribute: hence the pragma.)
#if defined(__x86_64__)
__attribute__((target("avx512f"))) double peakAvx512(int iterations, float* sink) {
    __m512 acc[kAccumulators];
    const __m512 a = _mm512_set1_ps(kFactor);
    const __m512 b = _mm512_set1_ps(kOffset);
    for (int k = 0; k < kAccumulators; ++k)
        acc[k] = _mm512_set1_ps(1.0F + 0.01F * static_cast<float>(k));
    for (int i = 0; i < iterations; ++i)
#pragma GCC unroll 24
        for (int k = 0; k < kAccumulators; ++k)
            acc[k] = _mm512_fmadd_ps(acc[k], a, b);
    for (int k = 1; k < kAccumulators; ++k)
        acc[0] = _mm512_add_ps(acc[0], acc[k]);
    alignas(64) float out[16];
    _mm512_store_ps(out, acc[0]);
    *sink = out[0];
    return 2.0 * 16 * kAccumulators * iterations;
}

__attribute__((target("avx2,fma"))) double peakAvx2(int iterations, float* sink) {
    constexpr int kCount = 12;  // 16 registers
    __m256 acc[kCount];
    const __m256 a = _mm256_set1_ps(kFactor);
    const __m256 b = _mm256_set1_ps(kOffset);
    for (int k = 0; k < kCount; ++k)
        acc[k] = _mm256_set1_ps(1.0F + 0.01F * static_cast<float>(k));
    for (int i = 0; i < iterations; ++i)
#pragma GCC unroll 12
        for (int k = 0; k < kCount; ++k)
            acc[k] = _mm256_fmadd_ps(acc[k], a, b);
    for (int k = 1; k < kCount; ++k)
        acc[0] = _mm256_add_ps(acc[0], acc[k]);
    alignas(32) float out[8];
    _mm256_store_ps(out, acc[0]);
    *sink = out[0];
    return 2.0 * 8 * kCount * iterations;
}
#endif

double peakPortable(int iterations, float* sink) {
    std::array<float, 64> acc{};
    for (std::size_t k = 0; k < acc.size(); ++k)
        acc[k] = 1.0F + 0.01F * static_cast<float>(k);
    for (int i = 0; i < iterations; ++i)
        for (float& x : acc)
            x = x * kFactor + kOffset;
    float sum = 0;
    for (const float x : acc)
        sum += x;
    *sink = sum;
    return 2.0 * static_cast<double>(acc.size()) * iterations;
}

PeakLoop pickPeakLoop() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return peakAvx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return peakAvx2;
#endif
    return peakPortable;
}

/// Runs body(thread) on all threads at once and returns the nanoseconds from the common start to the last one's end.
template <class Body>
std::int64_t together(int threads, const Body& body) {
    std::atomic<int> waiting{threads};
    std::atomic<std::int64_t> first{INT64_MAX};
    std::atomic<std::int64_t> last{0};
    const auto work = [&](int thread) {
        waiting.fetch_sub(1);
        while (waiting.load() > 0)
            std::this_thread::yield();
        const std::int64_t start = steadyNs();
        body(thread);
        const std::int64_t end = steadyNs();
        for (std::int64_t seen = first.load(); start < seen && !first.compare_exchange_weak(seen, start);) {
        }
        for (std::int64_t seen = last.load(); end > seen && !last.compare_exchange_weak(seen, end);) {
        }
    };
    std::vector<std::jthread> pool;
    for (int t = 1; t < threads; ++t)
        pool.emplace_back(work, t);
    work(0);
    pool.clear();
    return std::max<std::int64_t>(1, last.load() - first.load());
}

void triad(float* a, const float* b, const float* c, float s, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        a[i] = b[i] + s * c[i];
}

struct Callee {
    virtual ~Callee() = default;
    virtual void call() = 0;
};

struct Counter : Callee {
    void call() override { value.fetch_add(1, std::memory_order_relaxed); }
    std::atomic<int> value{0};
};

}  // namespace

double measurePeakGflops(int threads) {
    const PeakLoop loop = pickPeakLoop();
    std::vector<float> sinks(static_cast<std::size_t>(threads) * 16);  // a cache line each
    int iterations = 10'000;
    const auto round = [&] {
        std::vector<double> flops(sinks.size());
        const std::int64_t ns = together(threads, [&](int t) {
            const auto own = static_cast<std::size_t>(t) * 16;
            flops[own] = loop(iterations, &sinks[own]);
        });
        return std::pair<double, std::int64_t>(std::accumulate(flops.begin(), flops.end(), 0.0), ns);
    };
    const auto [ignored, warmNs] = round();
    iterations = static_cast<int>(std::clamp<double>(1e4 * kRoundNs / static_cast<double>(warmNs), 1e4, 1e8));
    double best = 0;
    for (int i = 0; i < kRounds; ++i) {
        const auto [flops, ns] = round();
        best = std::max(best, flops / static_cast<double>(ns));
    }
    return best;
}

double measureBandwidthGbps(int threads, std::uint64_t cacheBytes, std::uint64_t memoryBytes) {
    constexpr std::uint64_t kLeast = std::uint64_t{24} << 20;
    constexpr std::uint64_t kMost = std::uint64_t{512} << 20;
    const std::uint64_t most = std::max<std::uint64_t>(kLeast / 4, std::min(kMost, memoryBytes / 8));
    const std::uint64_t total = std::clamp<std::uint64_t>(cacheBytes * 4, std::min(kLeast, most), most);
    const std::size_t each = total / 3 / sizeof(float) / static_cast<std::size_t>(threads);
    // one slice per thread, first touched by it, so that the pages lie on its NUMA node
    std::vector<std::unique_ptr<float[]>> slices(static_cast<std::size_t>(threads));
    const auto slice = [&](int t) -> std::unique_ptr<float[]>& { return slices[static_cast<std::size_t>(t)]; };
    together(threads, [&](int t) { slice(t) = std::make_unique<float[]>(each * 3); });
    double best = 0;
    const std::int64_t until = steadyNs() + 100'000'000;
    for (int i = 0; i < 3 || (steadyNs() < until && i < 50); ++i) {
        const std::int64_t ns = together(threads, [&](int t) { triad(slice(t).get(), slice(t).get() + each, slice(t).get() + 2 * each, 1.5F, each); });
        best = std::max(best, 3.0 * sizeof(float) * static_cast<double>(each) * threads / static_cast<double>(ns));
    }
    return best;
}

double measureLaunchNs() {
    constexpr int kCalls = 20'000;
    Counter counter;
    Callee* volatile callee = &counter;  // volatile: the call must stay virtual
    double best = 1e9;
    [[maybe_unused]] volatile std::uint64_t last = 0;  // volatile: both clock reads must stay
    for (int round = 0; round < 5; ++round) {
        const std::int64_t start = steadyNs();
        for (int i = 0; i < kCalls; ++i) {
            const std::uint64_t before = ticks();
            callee->call();
            last = ticks() - before;
        }
        best = std::min(best, static_cast<double>(steadyNs() - start) / kCalls);
    }
    return best;
}

}  // namespace hs::cpu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>

namespace hs {

/// Bounded queue for one producer and one consumer thread, without locks. Capacity is rounded up to a power of two.
template <class T>
class SpscRing {
public:
    explicit SpscRing(std::size_t capacity) : m_size(std::bit_ceil(capacity)), m_items(std::make_unique<T[]>(m_size)) {}

    std::size_t capacity() const { return m_size; }
    /// Producer. False when full.
    bool tryPush(const T& item) {
        const std::size_t head = m_head.load(std::memory_order_relaxed);
        if (head - m_tailSeen >= m_size) {
            m_tailSeen = m_tail.load(std::memory_order_acquire);
            if (head - m_tailSeen >= m_size) return false;
        }
        m_items[head & (m_size - 1)] = item;
        m_head.store(head + 1, std::memory_order_release);
        return true;
    }
    /// Consumer: calls `take(item)` for everything that is there now; returns how many.
    template <class F>
    std::size_t drain(F&& take) {
        const std::size_t tail = m_tail.load(std::memory_order_relaxed);
        const std::size_t head = m_head.load(std::memory_order_acquire);
        for (std::size_t i = tail; i != head; ++i)
            take(m_items[i & (m_size - 1)]);
        m_tail.store(head, std::memory_order_release);
        return head - tail;
    }
    /// Any thread, approximate.
    std::size_t used() const { return m_head.load(std::memory_order_relaxed) - m_tail.load(std::memory_order_relaxed); }

private:
    const std::size_t m_size;
    std::unique_ptr<T[]> m_items;
    alignas(64) std::atomic<std::size_t> m_head{0};
    std::size_t m_tailSeen = 0;  // the producer's last look at the tail
    alignas(64) std::atomic<std::size_t> m_tail{0};
};

}  // namespace hs

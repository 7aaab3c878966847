// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/window.h"

#include <algorithm>

namespace hs::ref {
namespace {

constexpr std::int64_t kMaxSetting = std::int64_t{1} << 31;  // keeps every product of two within int64

Result<Dims> setting(const Call& call, const char* name, std::size_t count, std::int64_t fallback, std::int64_t least) {
    Dims out = call.node().intsOr(name);
    if (out.empty()) out.assign(count, fallback);
    if (out.size() != count) return call.bad("attribute {} has {} entries, not {}", name, out.size(), count);
    for (const std::int64_t v : out)
        if (v < least || v > kMaxSetting) return call.bad("attribute {} has the value {}, which is out of range", name, v);
    return out;
}

}  // namespace

Result<Window> Window::make(const Call& call, const Dims& input, const Dims& kernel) {
    Window out;
    if (kernel.size() != input.size()) return call.bad("the kernel has {} spatial dimensions, the input {}", kernel.size(), input.size());
    for (const std::int64_t k : kernel)
        if (k < 1 || k > kMaxSetting) return call.bad("the kernel {} is out of range", toString(kernel));
    for (const std::int64_t size : input)
        if (size > kMaxSetting) return call.bad("the input's sizes {} are out of range", toString(input));
    out.kernel = kernel;
    HS_TRY(out.strides, setting(call, "strides", kernel.size(), 1, 1));
    HS_TRY(out.dilations, setting(call, "dilations", kernel.size(), 1, 1));
    HS_TRY(const Dims pads, setting(call, "pads", kernel.size() * 2, 0, -kMaxSetting));
    out.padBegin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(kernel.size()));
    out.padEnd.assign(pads.begin() + static_cast<std::ptrdiff_t>(kernel.size()), pads.end());
    out.autoPad = call.node().stringOr("auto_pad", "NOTSET");
    if (out.autoPad.empty()) out.autoPad = "NOTSET";
    if (out.autoPad != "NOTSET" && out.autoPad != "VALID" && out.autoPad != "SAME_UPPER" && out.autoPad != "SAME_LOWER")
        return call.bad("auto_pad \"{}\" is not known", out.autoPad);
    if (out.autoPad == "VALID") {
        std::ranges::fill(out.padBegin, 0);
        std::ranges::fill(out.padEnd, 0);
    }
    return out;
}

Result<Dims> Window::slide(const Call& call, const Dims& input, bool ceilMode) {
    Dims out;
    for (std::size_t d = 0; d < rank(); ++d) {
        if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER") {
            const std::int64_t size = (input[d] + strides[d] - 1) / strides[d];
            const std::int64_t total = std::max<std::int64_t>((size - 1) * strides[d] + extent(d) - input[d], 0);
            padBegin[d] = autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
            padEnd[d] = total - padBegin[d];
            out.push_back(size);
            continue;
        }
        const std::int64_t room = input[d] + padBegin[d] + padEnd[d] - extent(d);
        if (room < 0) return call.bad("the kernel {} is larger than the padded input {}", toString(kernel), toString(input));
        std::int64_t size = (ceilMode ? room + strides[d] - 1 : room) / strides[d] + 1;
        // A window that would start in the end padding is dropped.
        if (ceilMode && (size - 1) * strides[d] >= input[d] + padBegin[d]) --size;
        out.push_back(size);
    }
    return out;
}

}  // namespace hs::ref

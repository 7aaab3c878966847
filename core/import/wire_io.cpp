// SPDX-License-Identifier: Apache-2.0
#include "core/import/wire_io.h"

#include <google/protobuf/io/coded_stream.h>
#include <limits>

namespace hs {
namespace {

/// Nesting of messages: a subgraph takes three levels (graph, node, attribute) and ImportLimits allows 64 of them.
constexpr int kMaxSubgraphDepth = 64;
constexpr int kMaxMessageDepth = 3 * kMaxSubgraphDepth + 32;

}  // namespace

Status parseWire(std::span<const std::byte> bytes, const std::string& file, std::string_view what, google::protobuf::MessageLite& message) {
    // Protobuf prints its complaints; ours is the one line that people get.
    [[maybe_unused]] static const auto kSilenced = google::protobuf::SetLogHandler(nullptr);
    if (bytes.empty()) return fail(ErrorCode::BadInput, file, "is empty, not {}", what);
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        return fail(ErrorCode::BadInput, file, "has {} bytes, over the 2 GiB that a protobuf file may have: export the weights as external data", bytes.size());
    google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<int>(bytes.size()));
    stream.SetRecursionLimit(kMaxMessageDepth);
    const bool parsed = message.ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage();
    // Protobuf gives up one level below its limit and leaves the depth it had reached.
    if (!parsed && stream.RecursionBudget() <= 0)
        return fail(ErrorCode::BadInput, file, "is nested more than {} subgraphs deep, or damaged: over the limit for a model", kMaxSubgraphDepth);
    if (!parsed) return fail(ErrorCode::BadInput, file, "is not {}, or is truncated or damaged: it does not parse", what);
    return {};
}

}  // namespace hs

// SPDX-License-Identifier: Apache-2.0
#include "core/import/wire_io.h"

#include <google/protobuf/io/coded_stream.h>
#include <limits>

namespace hs {
namespace {

/// Nesting of messages: a subgraph takes three levels (graph, node, attribute) and ImportLimits allows 64 of them.
constexpr int kMaxSubgraphDepth = 64;
constexpr int kMaxMessageDepth = 3 * kMaxSubgraphDepth + 32;
constexpr int kProbedMessageDepth = 2000;  // well within the stack

bool parsesWithin(int depth, std::span<const std::byte> bytes, google::protobuf::MessageLite& message) {
    google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<int>(bytes.size()));
    stream.SetRecursionLimit(depth);
    return message.ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage();
}

}  // namespace

Status parseWire(std::span<const std::byte> bytes, const std::string& file, std::string_view what, google::protobuf::MessageLite& message) {
    // Protobuf prints its complaints; ours is the one line that people get.
    [[maybe_unused]] static const auto kSilenced = google::protobuf::SetLogHandler(nullptr);
    if (bytes.empty()) return fail(ErrorCode::BadInput, file, "is empty, not {}", what);
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        return fail(ErrorCode::BadInput, file, "has {} bytes, over the 2 GiB that a protobuf file may have: export the weights as external data", bytes.size());
    if (parsesWithin(kMaxMessageDepth, bytes, message)) return {};
    // Protobuf does not say why it gave up: where more room helps, it was the depth.
    if (parsesWithin(kProbedMessageDepth, bytes, message))
        return fail(ErrorCode::BadInput, file, "has subgraphs that are nested deeper than {}", kMaxSubgraphDepth);
    return fail(ErrorCode::BadInput, file, "is not {}, or is truncated or damaged: it does not parse", what);
}

}  // namespace hs

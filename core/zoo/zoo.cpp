// SPDX-License-Identifier: Apache-2.0
#include "core/zoo/zoo.h"

#include <new>

#include "core/zoo/families.h"

namespace hs {
namespace {

struct Recipe {
    ZooEntry entry;
    Result<ModelPtr> (*build)(std::uint64_t seed);
};

const std::vector<Recipe>& recipes() {
    constexpr const char* kImage = "input: float32[N,3,224,224]";
    constexpr const char* kBert = "input_ids, attention_mask, token_type_ids: int64[N,seq]";
    constexpr const char* kGpt = "input_ids: int64[N,seq]";
    constexpr const char* kSequence = "input: float32[seq,N,64]";
    constexpr const char* kWide = "input: float32[N,32]";
    static const std::vector<Recipe> all = {
        {{"resnet50", "Residual CNN for images, batch normalisation unfolded", kImage}, buildResnet50},
        {{"mobilenet_v2", "Small CNN of depthwise convolutions, width 1.0", kImage}, buildMobilenetV2},
        {{"squeezenet", "SqueezeNet 1.1, small CNN without normalisation", kImage}, buildSqueezenet},
        {{"yolo_like", "Detector with SiLU, pooling pyramid, Resize neck and three decoded heads", "images: float32[N,3,320,320]"}, buildYoloLike},
        {{"bert_base", "Encoder of 12 layers in the raw operators of an export", kBert},
         [](std::uint64_t seed) {
             return buildBert({"bert_base", 12, 768, 12, 30522, 512}, seed);
         }},
        {{"bert_tiny", "Encoder of 2 layers, hidden 128", kBert},
         [](std::uint64_t seed) {
             return buildBert({"bert_tiny", 2, 128, 2, 1000, 128}, seed);
         }},
        {{"gpt2_like", "Decoder of 12 layers with a causal mask, vocabulary of 8192", kGpt},
         [](std::uint64_t seed) {
             return buildGpt2({"gpt2_like", 12, 768, 12, 8192, 1024}, seed);
         }},
        {{"gpt2_tiny", "Decoder of 2 layers, hidden 128", kGpt},
         [](std::uint64_t seed) {
             return buildGpt2({"gpt2_tiny", 2, 128, 2, 1000, 128}, seed);
         }},
        {{"lstm", "Two LSTM layers, the first in both directions", kSequence}, buildLstm},
        {{"gru", "Two GRU layers, the first in both directions", kSequence}, buildGru},
        {{"mlp", "Three dense layers", "input: float32[N,784]"}, buildMlp},
        {{"wide-1k", "Stress graph of 1,000 tiny nodes", kWide}, [](std::uint64_t seed) { return buildWide("wide-1k", 1'000, seed); }},
        {{"wide-10k", "Stress graph of 10,000 tiny nodes", kWide}, [](std::uint64_t seed) { return buildWide("wide-10k", 10'000, seed); }},
        {{"wide-50k", "Stress graph of 50,000 tiny nodes", kWide}, [](std::uint64_t seed) { return buildWide("wide-50k", 50'000, seed); }},
    };
    return all;
}

}  // namespace

const std::vector<ZooEntry>& zooEntries() {
    static const std::vector<ZooEntry> entries = [] {
        std::vector<ZooEntry> out;
        for (const Recipe& recipe : recipes())
            out.push_back(recipe.entry);
        return out;
    }();
    return entries;
}

Result<ModelPtr> buildZooModel(std::string_view name, std::uint64_t seed) {
    try {
        std::string names;
        for (const Recipe& recipe : recipes()) {
            if (recipe.entry.name == name) return recipe.build(seed);
            names += (names.empty() ? "" : ", ") + recipe.entry.name;
        }
        return fail(ErrorCode::BadRequest, std::string(name), "no such model in the zoo; there are {}", names);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, std::string(name), "not enough memory to make the model");
    }
}

}  // namespace hs

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
    static const std::vector<Recipe> all = {
        {{"resnet50", "Residual CNN for images, batch normalisation unfolded", kImage}, buildResnet50},
        {{"mobilenet_v2", "Small CNN of depthwise convolutions, width 1.0", kImage}, buildMobilenetV2},
        {{"mlp", "Three dense layers", "input: float32[N,784]"}, buildMlp},
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

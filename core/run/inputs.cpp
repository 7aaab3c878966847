// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>

#include "core/run/profiled_run.h"

namespace hs {
namespace {

constexpr std::int64_t kDefaultSequence = 16;

bool isSequenceSymbol(const std::string& symbol) {
    static constexpr std::array<std::string_view, 7> kNames = {"s", "seq", "seqlen", "sequence", "sequencelength", "time", "length"};
    std::string plain;
    for (const char c : symbol)
        if (std::isalpha(static_cast<unsigned char>(c)) != 0) plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return std::find(kNames.begin(), kNames.end(), plain) != kNames.end() || plain.starts_with("seq");
}

Status bindGiven(const Value& value, const Tensor& tensor, DimBindings& dims) {
    const ValueType& type = value.type;
    if (type.dtype != DType::Undefined && type.dtype != tensor.dtype())
        return fail(ErrorCode::BadInput, value.name, "the given input is {}, the model wants {}", tensor.type().text(), type.text());
    if (!type.shape.ranked()) return {};
    bool fits = type.shape.rank() == tensor.rank();
    for (std::size_t i = 0; fits && i < tensor.rank(); ++i) {
        const Dim& dim = type.shape[i];
        if (dim.known()) fits = dim.value() == tensor.dims()[i];
        if (!dim.symbolic()) continue;
        const auto [it, isNew] = dims.emplace(dim.symbol(), tensor.dims()[i]);
        if (it->second != tensor.dims()[i])
            return fail(ErrorCode::BadInput, value.name, "the given input has {} = {}, elsewhere it is {}", dim.symbol(), tensor.dims()[i], it->second);
    }
    if (!fits) return fail(ErrorCode::BadInput, value.name, "the given input is {}, the model wants {}", tensor.type().text(), type.text());
    return {};
}

std::int64_t sizeOf(const Dim& dim, const DimBindings& dims) {
    if (dim.known()) return dim.value();
    if (const auto it = dims.find(dim.symbol()); dim.symbolic() && it != dims.end()) return it->second;
    return dim.symbolic() && isSequenceSymbol(dim.symbol()) ? kDefaultSequence : 1;
}

/// Exclusive bound for the values of an integer input: the shortest axis that it indexes as far as the graph shows it.
std::int64_t indexBound(const Model& model, ValueId input) {
    std::int64_t bound = 0;
    for (const NodeId id : model.value(input).consumers) {
        const Node& node = model.node(id);
        if (node.opType != "Gather" || node.inputs.size() < 2 || node.inputs[1] != input || !node.inputs[0]) continue;
        const Value& data = model.value(node.inputs[0]);
        const Shape shape = data.initializer ? Shape::of(data.initializer->dims()) : data.type.shape;
        std::int64_t axis = node.intOr("axis", 0);
        if (axis < 0) axis += static_cast<std::int64_t>(shape.rank());
        if (axis < 0 || axis >= static_cast<std::int64_t>(shape.rank()) || !shape[static_cast<std::size_t>(axis)].known()) continue;
        const std::int64_t size = shape[static_cast<std::size_t>(axis)].value();
        bound = bound == 0 ? size : std::min(bound, size);
    }
    return bound == 0 ? 2 : bound;
}

/// splitmix64 (Steele, Lea, Flood 2014): the same numbers on every standard library, unlike <random>'s distributions.
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next() {
        std::uint64_t z = (m_state += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  // [0, 1)

private:
    std::uint64_t m_state;
};

std::uint16_t halfBits(float value) {  // |value| < 1, so no overflow; rounding toward zero is good enough for noise
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000U);
    const int exponent = static_cast<int>((bits >> 23) & 0xFFU) - 127 + 15;
    if (exponent <= 0) return sign;
    return static_cast<std::uint16_t>(sign | (static_cast<unsigned>(exponent) << 10) | ((bits >> 13) & 0x3FFU));
}

template <class T, class F>
void fill(Tensor& tensor, F&& value) {
    for (T& element : tensor.data<T>())
        element = static_cast<T>(value());
}

Status fillRandom(Tensor& tensor, Random& random, std::int64_t bound) {
    const auto real = [&] { return 2 * random.unit() - 1; };
    const auto integer = [&] { return static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(std::max<std::int64_t>(bound, 1))); };
    const auto small = [&] { return static_cast<std::int64_t>(random.next() % 256); };
    switch (tensor.dtype()) {
        case DType::F32: fill<float>(tensor, real); return {};
        case DType::F64: fill<double>(tensor, real); return {};
        case DType::F16: fill<std::uint16_t>(tensor, [&] { return halfBits(static_cast<float>(real())); }); return {};
        case DType::BF16: fill<std::uint16_t>(tensor, [&] { return std::bit_cast<std::uint32_t>(static_cast<float>(real())) >> 16; }); return {};
        case DType::I64: fill<std::int64_t>(tensor, integer); return {};
        case DType::I32: fill<std::int32_t>(tensor, integer); return {};
        case DType::I16:
        case DType::U16: fill<std::uint16_t>(tensor, integer); return {};
        case DType::U32: fill<std::uint32_t>(tensor, integer); return {};
        case DType::U64: fill<std::uint64_t>(tensor, integer); return {};
        case DType::I8:
        case DType::U8: fill<std::uint8_t>(tensor, small); return {};
        case DType::Bool: fill<std::uint8_t>(tensor, [&] { return random.next() & 1U; }); return {};
        case DType::String:
            for (std::string& text : tensor.data<std::string>())
                text = "s" + std::to_string(random.next() % 100);
            return {};
        case DType::C64: {
            auto* parts = static_cast<float*>(tensor.raw());
            std::generate_n(parts, 2 * tensor.count(), [&] { return static_cast<float>(real()); });
            return {};
        }
        case DType::C128: {
            auto* parts = static_cast<double*>(tensor.raw());
            std::generate_n(parts, 2 * tensor.count(), real);
            return {};
        }
        case DType::Undefined: return fail(ErrorCode::BadInput, "", "its element type is not known: give it with --input");
        default: break;
    }
    // The small formats: any bit pattern with the exponent's top bits clear is a small finite number in all of them.
    auto* bytes = static_cast<std::uint8_t*>(tensor.raw());
    std::generate_n(bytes, tensor.bytes(), [&] { return static_cast<std::uint8_t>(random.next() & 0x33U); });
    return {};
}

}  // namespace

Status bindBatch(const Model& model, std::int64_t batch, DimBindings& dims) {
    if (batch < 1) return fail(ErrorCode::BadRequest, "--batch", "must be at least 1");
    for (const ValueId id : model.requiredInputs()) {
        const Shape& shape = model.value(id).type.shape;
        if (!shape.ranked() || shape.rank() == 0 || !shape[0].symbolic()) continue;
        dims.emplace(shape[0].symbol(), batch);
        return {};
    }
    return fail(ErrorCode::BadRequest, "--batch", "no input of the model has a symbolic first dimension: its batch is fixed, leave --batch out");
}

Result<std::map<ValueId, ValueType>> inputTypes(const Model& model, const DimBindings& dims, const std::map<ValueId, Tensor>& given) {
    const auto symbols = inputSymbols(model);
    for (const auto& [symbol, size] : dims) {
        if (size < 0) return fail(ErrorCode::BadRequest, "--dim " + symbol, "a dimension cannot be negative");
        if (std::find(symbols.begin(), symbols.end(), symbol) != symbols.end()) continue;
        std::string list;
        for (const auto& s : symbols)
            list += (list.empty() ? "" : ", ") + s;
        return fail(ErrorCode::BadRequest, "--dim " + symbol, "the model's inputs have no such dimension: they have {}", list.empty() ? "none" : list);
    }
    DimBindings bound = dims;
    std::map<ValueId, ValueType> out;
    for (const auto& [id, tensor] : given) {
        HS_CHECK(bindGiven(model.value(id), tensor, bound));
        out.emplace(id, tensor.type());
    }
    for (const ValueId id : model.requiredInputs()) {
        if (out.contains(id)) continue;
        const Value& value = model.value(id);
        if (value.type.kind != TypeKind::Tensor)
            return fail(ErrorCode::Unsupported, value.name, "the input is a {}: only tensors can be fed", value.type.text());
        if (!value.type.shape.ranked())
            return fail(ErrorCode::BadRequest, value.name, "the model does not say the rank of this input: give it with --input {}=FILE", value.name);
        Dims sizes;
        for (const Dim& dim : value.type.shape.dims())
            sizes.push_back(sizeOf(dim, bound));
        if (!elementCount(sizes)) return fail(ErrorCode::BadInput, value.name, "an input of shape {} is too large", toString(sizes));
        out.emplace(id, ValueType{TypeKind::Tensor, value.type.dtype, Shape::of(sizes)});
    }
    return out;
}

Result<std::map<ValueId, Tensor>> makeInputs(const Model& model, const DimBindings& dims, const std::map<ValueId, Tensor>& given, std::uint64_t seed) {
    HS_TRY(const auto types, inputTypes(model, dims, given));
    std::map<ValueId, Tensor> out = given;
    for (const auto& [id, type] : types) {
        if (out.contains(id)) continue;
        auto tensor = Tensor::allocate(type.dtype, *type.shape.concrete());
        if (!tensor) return fail(tensor.error().code, model.value(id).name, "{}", tensor.error().message);
        // Each input has a stream of its own, so that giving one of them does not change the others.
        Random random(seed * 0x9E3779B97F4A7C15ULL + id.index());
        const bool isIndex = isInteger(type.dtype);
        if (auto filled = fillRandom(*tensor, random, isIndex ? indexBound(model, id) : 0); !filled)
            return fail(filled.error().code, model.value(id).name, "{}", filled.error().message);
        out.emplace(id, std::move(*tensor));
    }
    return out;
}

}  // namespace hs

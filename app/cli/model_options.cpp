// SPDX-License-Identifier: Apache-2.0
#include "app/cli/model_options.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>

#include "app/cli/checks.h"
#include "app/cli/npy.h"
#include "core/base/clock.h"
#include "core/import/importer.h"
#include "core/run/profiled_run.h"

namespace hs::cli {
namespace {

Result<Tensor> readRaw(const std::string& path, const ValueType& type) {
    const auto dims = type.shape.concrete();
    const auto bytes = type.byteSize();
    if (!dims || !bytes || type.dtype == DType::String)
        return fail(ErrorCode::BadInput, path, "raw bytes need an input of known shape, this one is {}: use .npy or .pb", type.text());
    std::ifstream file;
    HS_TRY(const std::uint64_t size, openRegular(path, ErrorCode::BadInput, file));
    if (size != static_cast<std::uint64_t>(*bytes)) return fail(ErrorCode::BadInput, path, "has {} bytes, {} needs {}", size, type.text(), *bytes);
    HS_TRY(Tensor tensor, Tensor::allocate(type.dtype, *dims));
    if (!file.read(static_cast<char*>(tensor.raw()), *bytes)) return fail(ErrorCode::BadInput, path, "cannot be read to its end");
    return tensor;
}

Result<Tensor> readInput(const std::string& path, const ValueType& type) {
    if (path.ends_with(".pb")) return readTensorFile(path);
    if (path.ends_with(".npy")) return readNpy(path);
    return readRaw(path, type);
}

/// The input's declared type with the sizes that are bound.
ValueType boundType(const ValueType& type, const DimBindings& bindings) {
    if (!type.shape.ranked()) return type;
    std::vector<Dim> dims = type.shape.dims();
    for (Dim& dim : dims)
        if (const auto it = bindings.find(dim.symbol()); dim.symbolic() && it != bindings.end()) dim = Dim(it->second);
    return {type.kind, type.dtype, Shape(std::move(dims))};
}

}  // namespace

void ModelOptions::addTo(CLI::App& verb) {
    verb.add_option("MODEL", path, "ONNX file")->required()->type_name("");
    verb.add_option("--dim", dims, "Size of a symbolic dimension, NAME=N; may be repeated")->type_name("NAME=N")->allow_extra_args(false);
    verb.add_option("--batch", batch, "Size of the first symbolic dimension that stands at axis 0 of an input")
        ->check(wholeNumber(1, std::numeric_limits<std::int64_t>::max()))
        ->type_name("N");
}

Result<LoadedModel> loadModel(const ModelOptions& options) {
    const std::int64_t start = steadyNs();
    LoadedModel out;
    HS_TRY(out.model, importModel(options.path));
    out.importMs = static_cast<double>(steadyNs() - start) / 1e6;
    for (const std::string& text : options.dims) {
        const std::size_t equals = text.find('=');
        std::int64_t size = -1;
        const char* end = text.data() + text.size();
        const bool isPair = equals != std::string::npos && equals > 0;
        const auto parsed = isPair ? std::from_chars(text.data() + equals + 1, end, size) : std::from_chars_result{end, std::errc::invalid_argument};
        if (parsed.ec != std::errc{} || parsed.ptr != end || size < 0)
            return fail(ErrorCode::BadRequest, "--dim " + text, "expected NAME=N with N a number that is not negative");
        out.dims[text.substr(0, equals)] = size;
    }
    if (options.batch > 0) HS_CHECK(bindBatch(*out.model, options.batch, out.dims));
    return out;
}

Result<InferOptions> planShapes(const LoadedModel& loaded) {
    InferOptions out;
    out.dims = loaded.dims;
    HS_TRY(out.inputs, inputTypes(*loaded.model, loaded.dims, {}));
    return out;
}

Result<std::map<ValueId, Tensor>> readInputs(const LoadedModel& loaded, const std::vector<std::string>& given) {
    std::map<ValueId, Tensor> out;
    const Model& model = *loaded.model;
    for (const std::string& text : given) {
        // The longest name that fits: names may hold '=' too.
        ValueId found;
        for (const ValueId id : model.main().inputs) {
            const std::string& name = model.value(id).name;
            if (text.starts_with(name + "=") && (!found || name.size() > model.value(found).name.size())) found = id;
        }
        if (!found) {
            std::string names;
            for (const ValueId id : model.requiredInputs())
                names += (names.empty() ? "" : ", ") + model.value(id).name;
            return fail(ErrorCode::BadRequest, "--input " + text, "expected NAME=FILE with NAME an input of the model: {}", names);
        }
        const std::string path = text.substr(model.value(found).name.size() + 1);
        if (path.empty()) return fail(ErrorCode::BadRequest, "--input " + text, "names no file");
        if (out.contains(found)) return fail(ErrorCode::BadRequest, "--input " + text, "the input is given twice");
        HS_TRY(out[found], readInput(path, boundType(model.value(found).type, loaded.dims)));
    }
    return out;
}

}  // namespace hs::cli

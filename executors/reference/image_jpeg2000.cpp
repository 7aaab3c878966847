// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/image_codec.h"

#ifdef HS_HAVE_JPEG2000
#include <algorithm>
#include <cstring>
#include <memory>
#include <openjpeg.h>

namespace hs::ref {
namespace {

struct MemoryFile {
    ImageBytes bytes;
    std::size_t at = 0;
};

OPJ_SIZE_T readBytes(void* to, OPJ_SIZE_T count, void* user) {
    auto& file = *static_cast<MemoryFile*>(user);
    const std::size_t n = std::min(count, file.bytes.size() - file.at);
    if (n == 0) return static_cast<OPJ_SIZE_T>(-1);
    std::memcpy(to, file.bytes.data() + file.at, n);
    file.at += n;
    return n;
}

OPJ_OFF_T skip(OPJ_OFF_T count, void* user) {
    auto& file = *static_cast<MemoryFile*>(user);
    const std::size_t n = std::min(static_cast<std::size_t>(std::max<OPJ_OFF_T>(count, 0)), file.bytes.size() - file.at);
    file.at += n;
    return static_cast<OPJ_OFF_T>(n);
}

OPJ_BOOL seek(OPJ_OFF_T to, void* user) {
    auto& file = *static_cast<MemoryFile*>(user);
    if (to < 0 || static_cast<std::size_t>(to) > file.bytes.size()) return OPJ_FALSE;
    file.at = static_cast<std::size_t>(to);
    return OPJ_TRUE;
}

using Stream = std::unique_ptr<opj_stream_t, decltype(&opj_stream_destroy)>;
using Codec = std::unique_ptr<opj_codec_t, decltype(&opj_destroy_codec)>;
using Decoded = std::unique_ptr<opj_image_t, decltype(&opj_image_destroy)>;

Stream streamOf(MemoryFile& file) {
    Stream stream(opj_stream_default_create(OPJ_TRUE), &opj_stream_destroy);
    if (!stream) return stream;
    opj_stream_set_user_data(stream.get(), &file, nullptr);
    opj_stream_set_user_data_length(stream.get(), file.bytes.size());
    opj_stream_set_read_function(stream.get(), readBytes);
    opj_stream_set_skip_function(stream.get(), skip);
    opj_stream_set_seek_function(stream.get(), seek);
    return stream;
}

/// One or three components of 8 bits, without subsampling.
Result<Image> pixelsOf(const opj_image_t& from) {
    const std::uint32_t count = from.numcomps >= 3 ? 3 : 1;
    HS_TRY(Image image, makeImage(from.comps[0].w, from.comps[0].h));
    for (std::uint32_t k = 0; k < count; ++k) {
        const opj_image_comp_t& part = from.comps[k];
        if (part.data == nullptr || part.w != from.comps[0].w || part.h != from.comps[0].h || part.prec != 8 || from.color_space == OPJ_CLRSPC_SYCC)
            return fail(ErrorCode::Unsupported, "", "JPEG 2000 images other than grey or RGB of 8 bits are not supported");
        const int offset = part.sgnd != 0 ? 128 : 0;
        for (std::size_t i = 0; i < image.rgb.size() / 3; ++i) {
            const auto value = static_cast<std::uint8_t>(std::clamp(part.data[i] + offset, 0, 255));
            image.rgb[3 * i + k] = value;
            if (count == 1) image.rgb[3 * i + 1] = image.rgb[3 * i + 2] = value;
        }
    }
    return image;
}

}  // namespace

Result<Image> decodeJpeg2000(ImageBytes bytes) {
    MemoryFile file{bytes};
    const Stream stream = streamOf(file);
    const Codec codec(opj_create_decompress(bytes[0] == 0xFF ? OPJ_CODEC_J2K : OPJ_CODEC_JP2), &opj_destroy_codec);
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    opj_image_t* header = nullptr;
    const auto damaged = fail(ErrorCode::BadInput, "", "the JPEG 2000 image is damaged");
    if (!stream || !codec || opj_setup_decoder(codec.get(), &parameters) == OPJ_FALSE) return damaged;
    const bool hasHeader = opj_read_header(stream.get(), codec.get(), &header) != OPJ_FALSE;
    const Decoded image(header, &opj_image_destroy);
    if (!hasHeader || image->numcomps < 1) return damaged;
    HS_CHECK(makeImage(std::int64_t{image->x1} - image->x0, std::int64_t{image->y1} - image->y0));  // the size, before it is decoded
    if (opj_decode(codec.get(), stream.get(), image.get()) == OPJ_FALSE || opj_end_decompress(codec.get(), stream.get()) == OPJ_FALSE) return damaged;
    return pixelsOf(*image);
}

}  // namespace hs::ref

#else

hs::Result<hs::ref::Image> hs::ref::decodeJpeg2000(ImageBytes) {
    return fail(ErrorCode::Unsupported, "", "this build lacks OpenJPEG: install libopenjp2-7-dev and build again");
}

#endif

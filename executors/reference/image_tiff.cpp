// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/image_codec.h"

#ifdef HS_HAVE_TIFF
#include <algorithm>
#include <cstring>
#include <memory>
#include <tiffio.h>

namespace hs::ref {
namespace {

/// A file in memory, for reading.
struct MemoryFile {
    ImageBytes bytes;
    std::size_t at = 0;
};

tmsize_t readBytes(thandle_t handle, void* to, tmsize_t count) {
    auto& file = *static_cast<MemoryFile*>(handle);
    const std::size_t n = std::min(static_cast<std::size_t>(std::max<tmsize_t>(count, 0)), file.bytes.size() - std::min(file.at, file.bytes.size()));
    if (n > 0) std::memcpy(to, file.bytes.data() + file.at, n);
    file.at += n;
    return static_cast<tmsize_t>(n);
}

tmsize_t writeNothing(thandle_t, void*, tmsize_t) {
    return 0;
}

toff_t seek(thandle_t handle, toff_t offset, int whence) {
    auto& file = *static_cast<MemoryFile*>(handle);
    file.at = static_cast<std::size_t>(offset) + (whence == SEEK_CUR ? file.at : whence == SEEK_END ? file.bytes.size() : 0);
    return file.at;
}

int closeNothing(thandle_t) {
    return 0;
}

toff_t sizeOf(thandle_t handle) {
    return static_cast<MemoryFile*>(handle)->bytes.size();
}

}  // namespace

Result<Image> decodeTiff(ImageBytes bytes) {
    static const bool kQuiet = [] {
        TIFFSetErrorHandler(nullptr);
        TIFFSetWarningHandler(nullptr);
        return true;
    }();
    MemoryFile file{bytes};
    // "m": no mapping, so that every access goes through readBytes.
    const std::unique_ptr<TIFF, decltype(&TIFFClose)> tiff(
        kQuiet ? TIFFClientOpen("image", "rm", &file, readBytes, writeNothing, seek, closeNothing, sizeOf, nullptr, nullptr) : nullptr, &TIFFClose);
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    if (!tiff || TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width) == 0 || TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height) == 0)
        return fail(ErrorCode::BadInput, "", "the TIFF image is damaged");
    HS_TRY(Image image, makeImage(width, height));
    std::vector<std::uint32_t> pixels(image.rgb.size() / 3);
    if (TIFFReadRGBAImageOriented(tiff.get(), width, height, pixels.data(), ORIENTATION_TOPLEFT, 1) == 0)
        return fail(ErrorCode::BadInput, "", "the TIFF image is damaged or of a kind that libtiff does not read");
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        image.rgb[3 * i] = static_cast<std::uint8_t>(pixels[i]);
        image.rgb[3 * i + 1] = static_cast<std::uint8_t>(pixels[i] >> 8);
        image.rgb[3 * i + 2] = static_cast<std::uint8_t>(pixels[i] >> 16);
    }
    return image;
}

}  // namespace hs::ref

#else

hs::Result<hs::ref::Image> hs::ref::decodeTiff(ImageBytes) {
    return fail(ErrorCode::Unsupported, "", "this build lacks libtiff: install libtiff-dev and build again");
}

#endif

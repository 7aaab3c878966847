// SPDX-License-Identifier: Apache-2.0
// Private to executors/reference: decoders of image files, each on top of one library or on its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace hs::ref {

/// Most pixels of an image that is decoded: a small file may claim any size.
inline constexpr std::int64_t kMaxPixels = std::int64_t{1} << 27;

/// An image of three bytes a pixel: red, green, blue; rows from top to bottom without gaps.
struct Image {
    std::int64_t width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

using ImageBytes = std::span<const std::uint8_t>;

/// An image with room for its pixels. BadInput for sizes below 1 or over the limit.
Result<Image> makeImage(std::int64_t width, std::int64_t height);

// Decoders. BadInput: the bytes are no such image; Unsupported: this build lacks the library, or a variant is not read.
Result<Image> decodeBmp(ImageBytes bytes);       ///< 8, 24 and 32 bits a pixel, not compressed.
Result<Image> decodePnm(ImageBytes bytes);       ///< P1 to P6, up to 8 bits a sample.
Result<Image> decodeJpeg(ImageBytes bytes);      ///< libjpeg-turbo, accurate integer transform.
Result<Image> decodePng(ImageBytes bytes);       ///< libpng.
Result<Image> decodeTiff(ImageBytes bytes);      ///< libtiff, first page.
Result<Image> decodeWebp(ImageBytes bytes);      ///< libwebp.
Result<Image> decodeJpeg2000(ImageBytes bytes);  ///< OpenJPEG: JP2 files and code streams, 8 bits a sample.

/// The decoder that fits the first bytes. BadInput when none does.
Result<Image> decodeImage(ImageBytes bytes);

}  // namespace hs::ref

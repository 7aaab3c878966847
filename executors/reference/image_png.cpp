// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/image_codec.h"

#ifdef HS_HAVE_PNG
#include <png.h>

hs::Result<hs::ref::Image> hs::ref::decodePng(ImageBytes bytes) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    const auto damaged = [&] { return fail(ErrorCode::BadInput, "", "the PNG image is damaged: {}", static_cast<const char*>(png.message)); };
    if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) return damaged();
    // Pixels behind a transparent part keep their colour, as the file has it.
    png.format = (png.format & PNG_FORMAT_FLAG_ALPHA) != 0 ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
    auto image = makeImage(png.width, png.height);
    if (!image) {
        png_image_free(&png);
        return image;
    }
    const std::size_t samples = PNG_IMAGE_SAMPLE_CHANNELS(png.format);
    std::vector<std::uint8_t> pixels(samples == 3 ? 0 : image->rgb.size() / 3 * samples);
    if (png_image_finish_read(&png, nullptr, samples == 3 ? image->rgb.data() : pixels.data(), 0, nullptr) == 0) return damaged();
    for (std::size_t i = 0; i < pixels.size(); ++i)
        if (i % samples < 3) image->rgb[i / samples * 3 + i % samples] = pixels[i];
    return image;
}

#else

hs::Result<hs::ref::Image> hs::ref::decodePng(ImageBytes) {
    return fail(ErrorCode::Unsupported, "", "this build lacks libpng: install libpng-dev and build again");
}

#endif

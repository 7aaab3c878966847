// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/image_codec.h"

#ifdef HS_HAVE_WEBP
#include <webp/decode.h>

hs::Result<hs::ref::Image> hs::ref::decodeWebp(ImageBytes bytes) {
    int width = 0;
    int height = 0;
    if (WebPGetInfo(bytes.data(), bytes.size(), &width, &height) == 0) return fail(ErrorCode::BadInput, "", "the WebP image is damaged");
    HS_TRY(Image image, makeImage(width, height));
    if (WebPDecodeRGBInto(bytes.data(), bytes.size(), image.rgb.data(), image.rgb.size(), width * 3) == nullptr)
        return fail(ErrorCode::BadInput, "", "the WebP image is damaged");
    return image;
}

#else

hs::Result<hs::ref::Image> hs::ref::decodeWebp(ImageBytes) {
    return fail(ErrorCode::Unsupported, "", "this build lacks libwebp: install libwebp-dev and build again");
}

#endif

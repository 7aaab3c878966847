// SPDX-License-Identifier: Apache-2.0
#include "executors/reference/image_codec.h"

#ifdef HS_HAVE_JPEG
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it first
#include <jpeglib.h>

namespace hs::ref {
namespace {

/// libjpeg reports errors by a call that must not return.
struct JpegErrors {
    jpeg_error_mgr manager;
    std::jmp_buf back;
    char message[JMSG_LENGTH_MAX];
};

void onError(j_common_ptr info) {
    auto* errors = reinterpret_cast<JpegErrors*>(info->err);
    info->err->format_message(info, errors->message);
    std::longjmp(errors->back, 1);
}

void onMessage(j_common_ptr) {}

/// No object with a destructor lives between setjmp and longjmp. False: the message says why.
bool readHeader(jpeg_decompress_struct& info, JpegErrors& errors, ImageBytes bytes) {
    if (setjmp(errors.back) != 0) return false;
    jpeg_mem_src(&info, bytes.data(), bytes.size());
    jpeg_read_header(&info, TRUE);
    info.out_color_space = JCS_RGB;
    info.dct_method = JDCT_ISLOW;
    return true;
}

bool readRows(jpeg_decompress_struct& info, JpegErrors& errors, std::uint8_t* to) {
    if (setjmp(errors.back) != 0) return false;
    jpeg_start_decompress(&info);
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = to + std::size_t{info.output_scanline} * info.output_width * 3;
        jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_finish_decompress(&info);
    return true;
}

}  // namespace

Result<Image> decodeJpeg(ImageBytes bytes) {
    JpegErrors errors{};
    jpeg_decompress_struct info{};
    info.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = onError;
    errors.manager.output_message = onMessage;
    if (setjmp(errors.back) != 0) return fail(ErrorCode::OutOfMemory, "", "libjpeg: {}", static_cast<const char*>(errors.message));
    jpeg_create_decompress(&info);
    Result<Image> image = fail(ErrorCode::BadInput, "", "the JPEG image is damaged");
    if (readHeader(info, errors, bytes)) {
        image = makeImage(info.image_width, info.image_height);
        if (image && !readRows(info, errors, image->rgb.data())) image = fail(ErrorCode::BadInput, "", "the JPEG image is damaged");
    }
    if (!image && errors.message[0] != '\0') image.error().message += std::string(": ") + errors.message;
    jpeg_destroy_decompress(&info);
    return image;
}

}  // namespace hs::ref

#else

hs::Result<hs::ref::Image> hs::ref::decodeJpeg(ImageBytes) {
    return fail(ErrorCode::Unsupported, "", "this build lacks libjpeg: install libjpeg-dev and build again");
}

#endif

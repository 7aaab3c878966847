// SPDX-License-Identifier: Apache-2.0
// ImageDecoder: the bytes of an image file to [H, W, C].
#include <algorithm>
#include <string_view>

#include "executors/reference/image_codec.h"
#include "executors/reference/registry.h"

namespace hs::ref {

Result<Image> makeImage(std::int64_t width, std::int64_t height) {
    if (width < 1 || height < 1 || width > kMaxPixels || height > kMaxPixels / width)
        return fail(ErrorCode::BadInput, "", "an image of {} by {} pixels is out of range", width, height);
    return Image{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width * height * 3))};
}

Result<Image> decodeImage(ImageBytes bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    using namespace std::string_view_literals;
    if (text.starts_with("\xFF\xD8\xFF"sv)) return decodeJpeg(bytes);
    if (text.starts_with("\x89PNG\r\n\x1A\n"sv)) return decodePng(bytes);
    if (text.starts_with("BM"sv)) return decodeBmp(bytes);
    if (text.size() > 2 && text[0] == 'P' && text[1] >= '1' && text[1] <= '6') return decodePnm(bytes);
    if (text.starts_with("II*\0"sv) || text.starts_with("MM\0*"sv)) return decodeTiff(bytes);
    if (text.starts_with("RIFF"sv) && text.substr(0, 12).ends_with("WEBP"sv)) return decodeWebp(bytes);
    if (text.starts_with("\0\0\0\x0CjP  \r\n\x87\n"sv) || text.starts_with("\xFF\x4F\xFF\x51"sv)) return decodeJpeg2000(bytes);
    return fail(ErrorCode::BadInput, "", "the bytes are no image of a known format: BMP, JPEG, JPEG 2000, PNG, PNM, TIFF or WebP");
}

namespace {

/// Luma of ITU-R BT.601 in 16-bit fixed point, rounded.
std::uint8_t luma(const std::uint8_t* rgb) {
    constexpr std::uint32_t kRed = 19595;
    constexpr std::uint32_t kGreen = 38470;
    constexpr std::uint32_t kBlue = 7471;
    return static_cast<std::uint8_t>((rgb[0] * kRed + rgb[1] * kGreen + rgb[2] * kBlue + 0x8000U) >> 16);
}

Status imageDecoder(Call& c) {
    HS_CHECK(c.need(1));
    const std::string format = c.node().stringOr("pixel_format", "RGB");
    if (format != "RGB" && format != "BGR" && format != "Grayscale") return c.bad("pixel_format \"{}\" is not known", format);
    auto image = decodeImage(c.in(0).data<std::uint8_t>());
    if (!image) {
        if (image.error().code == ErrorCode::Unsupported) return c.unsupported("{}", image.error().message);
        return c.bad("{}", image.error().message);
    }
    const bool isGray = format == "Grayscale";
    HS_TRY(Tensor * y, c.out(0, DType::U8, {image->height, image->width, isGray ? 1 : 3}));
    auto to = y->data<std::uint8_t>();
    const std::vector<std::uint8_t>& from = image->rgb;
    if (isGray) {
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = luma(from.data() + 3 * i);
        return {};
    }
    std::ranges::copy(from, to.begin());
    if (format == "BGR")
        for (std::size_t i = 0; i < to.size(); i += 3)
            std::swap(to[i], to[i + 2]);
    return {};
}

const Operator kOperators[] = {{"ImageDecoder", imageDecoder, bit(DType::U8)}};

}  // namespace

std::span<const Operator> imageDecoderOperators() {
    return kOperators;
}

}  // namespace hs::ref

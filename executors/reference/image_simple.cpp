// SPDX-License-Identifier: Apache-2.0
// BMP and PNM, which need no library.
#include <cctype>
#include <cstdlib>
#include <optional>

#include "executors/reference/image_codec.h"

namespace hs::ref {
namespace {

std::uint32_t little(ImageBytes bytes, std::size_t at, std::size_t count) {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < count && at + i < bytes.size(); ++i)
        out |= static_cast<std::uint32_t>(bytes[at + i]) << (8 * i);
    return out;
}

/// Reads the numbers of a PNM file, between white space and comments.
class PnmText {
public:
    explicit PnmText(ImageBytes bytes) : m_bytes(bytes) {}
    /// `digits`: at most so many (bitmaps need no space between their digits).
    std::optional<std::int64_t> number(int digits = 9) {
        while (m_at < m_bytes.size() && (std::isspace(m_bytes[m_at]) != 0 || m_bytes[m_at] == '#')) {
            if (m_bytes[m_at] == '#')
                while (m_at < m_bytes.size() && m_bytes[m_at] != '\n')
                    ++m_at;
            else
                ++m_at;
        }
        std::int64_t out = 0;
        int count = 0;
        for (; count < digits && m_at < m_bytes.size() && std::isdigit(m_bytes[m_at]) != 0; ++count)
            out = out * 10 + (m_bytes[m_at++] - '0');
        if (count == 0) return std::nullopt;
        return out;
    }
    /// What follows the one white space after the header.
    ImageBytes rest() const { return m_bytes.subspan(std::min(m_at + 1, m_bytes.size())); }

private:
    ImageBytes m_bytes;
    std::size_t m_at = 2;
};

tl::unexpected<Error> truncated(const char* what) {
    return fail(ErrorCode::BadInput, "", "the {} image ends too early", what);
}

struct PnmHead {
    int kind;  ///< 1 to 6.
    std::int64_t most;
    std::uint8_t scaled(std::int64_t value) const { return static_cast<std::uint8_t>(std::min((value * 255 + most / 2) / most, std::int64_t{255})); }
};

Status fillText(PnmText& text, const PnmHead& head, Image& image) {
    const bool isColour = head.kind == 3;
    for (std::size_t i = 0; i < image.rgb.size(); i += isColour ? 1 : 3) {
        const auto value = text.number(head.kind == 1 ? 1 : 9);
        if (!value) return truncated("PNM");
        const std::uint8_t byte = head.kind == 1 ? (*value != 0 ? 0 : 255) : head.scaled(*value);
        image.rgb[i] = byte;
        if (!isColour) image.rgb[i + 1] = image.rgb[i + 2] = byte;
    }
    return {};
}

Status fillBinary(ImageBytes data, const PnmHead& head, Image& image) {
    const std::size_t bitRow = static_cast<std::size_t>(image.width + 7) / 8;
    const std::size_t needed = head.kind == 4 ? bitRow * static_cast<std::size_t>(image.height) : image.rgb.size() / (head.kind == 6 ? 1 : 3);
    if (data.size() < needed) return truncated("PNM");
    for (std::size_t i = 0; i < image.rgb.size(); ++i) {
        const std::size_t pixel = i / 3;
        if (head.kind == 4) {
            const std::size_t x = pixel % static_cast<std::size_t>(image.width);
            const std::size_t y = pixel / static_cast<std::size_t>(image.width);
            image.rgb[i] = ((data[y * bitRow + x / 8] >> (7 - x % 8)) & 1) != 0 ? 0 : 255;
        } else {
            image.rgb[i] = head.scaled(data[head.kind == 6 ? i : pixel]);
        }
    }
    return {};
}

}  // namespace

Result<Image> decodePnm(ImageBytes bytes) {
    PnmText text(bytes);
    const auto width = text.number();
    const auto height = text.number();
    PnmHead head{bytes[1] - '0', 1};
    if (head.kind != 1 && head.kind != 4) head.most = text.number().value_or(0);
    if (!width || !height || head.most < 1) return fail(ErrorCode::BadInput, "", "the header of the PNM image is damaged");
    if (head.most > 255) return fail(ErrorCode::Unsupported, "", "PNM images of more than 8 bits a sample are not supported");
    HS_TRY(Image image, makeImage(*width, *height));
    HS_CHECK(head.kind <= 3 ? fillText(text, head, image) : fillBinary(text.rest(), head, image));
    return image;
}

Result<Image> decodeBmp(ImageBytes bytes) {
    constexpr std::size_t kHeaderEnd = 54;
    if (bytes.size() < kHeaderEnd) return truncated("BMP");
    const std::size_t data = little(bytes, 10, 4);
    const std::size_t palette = 14 + static_cast<std::size_t>(little(bytes, 14, 4));
    const auto width = static_cast<std::int32_t>(little(bytes, 18, 4));
    const auto rows = static_cast<std::int32_t>(little(bytes, 22, 4));  // negative: from top to bottom
    const std::uint32_t bits = little(bytes, 28, 2);
    const std::uint32_t compression = little(bytes, 30, 4);
    constexpr std::uint32_t kBitFields = 3;
    if ((compression != 0 && !(compression == kBitFields && bits == 32)) || (bits != 8 && bits != 24 && bits != 32))
        return fail(ErrorCode::Unsupported, "", "a BMP image of {} bits with compression {} is not supported", bits, compression);
    HS_TRY(Image image, makeImage(width, std::abs(static_cast<std::int64_t>(rows))));
    const auto columns = static_cast<std::size_t>(image.width);
    const auto height = static_cast<std::size_t>(image.height);
    const std::size_t stride = (columns * bits / 8 + 3) / 4 * 4;
    if (data > bytes.size() || (bytes.size() - data) / stride < height) return truncated("BMP");
    for (std::size_t y = 0; y < height; ++y) {
        const std::size_t row = data + stride * (rows < 0 ? y : height - 1 - y);
        for (std::size_t x = 0; x < columns; ++x) {
            std::size_t at = row + x * bits / 8;
            if (bits == 8) at = palette + std::size_t{4} * bytes[at];
            if (at + 2 >= bytes.size()) return truncated("BMP");
            for (std::size_t k = 0; k < 3; ++k)
                image.rgb[(y * columns + x) * 3 + k] = bytes[at + 2 - k];
        }
    }
    return image;
}

}  // namespace hs::ref

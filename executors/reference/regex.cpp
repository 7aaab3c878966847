// SPDX-License-Identifier: Apache-2.0
// RegexFullMatch, whose definition names the syntax of RE2.
#include "executors/reference/registry.h"

#ifdef HS_HAVE_RE2
#include <re2/re2.h>
#endif

namespace hs::ref {
namespace {

#ifdef HS_HAVE_RE2

constexpr std::int64_t kMaxRegexBytes = std::int64_t{8} << 20;  // of a compiled pattern

Status regexFullMatch(Call& c) {
    HS_CHECK(c.need(1));
    re2::RE2::Options options(re2::RE2::Quiet);
    options.set_max_mem(kMaxRegexBytes);
    const re2::RE2 pattern(c.node().stringOr("pattern", ""), options);
    if (!pattern.ok()) return c.bad("the pattern \"{}\" is no regular expression of RE2: {}", pattern.pattern(), pattern.error());
    HS_TRY(Tensor * y, c.out(0, DType::Bool, c.dims(0)));
    auto to = y->data<std::uint8_t>().begin();
    for (const std::string& text : c.in(0).data<std::string>())
        *to++ = re2::RE2::FullMatch(text, pattern) ? 1 : 0;
    return {};
}

constexpr std::string (*kRefuses)(const Node&) = nullptr;

#else

Status regexFullMatch(Call& c) {
    return c.unsupported("this build lacks RE2: install libre2-dev and build again");
}

std::string kRefuses(const Node&) {
    return "pattern (built without RE2: install libre2-dev and build again)";
}

#endif

const Operator kOperators[] = {{"RegexFullMatch", regexFullMatch, bit(DType::String), Widen::None, 0, 1, kLatest, "", 0, kRefuses}};

}  // namespace

std::span<const Operator> regexOperators() {
    return kOperators;
}

}  // namespace hs::ref

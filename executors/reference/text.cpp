// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "executors/reference/registry.h"
#include "executors/reference/values.h"

namespace hs::ref {
namespace {

/// An n-gram pool: sequences of numbers or strings (both as strings), each with its column and weight.
struct NGrams {
    std::map<std::vector<std::string>, std::pair<std::int64_t, double>> places;
    std::int64_t columns = 0, least = 1, most = 1, skips = 0;
    std::string mode;
};

Result<NGrams> nGrams(Call& c) {
    NGrams out;
    const Node& n = c.node();
    std::vector<std::string> pool = n.getOr<std::vector<std::string>>("pool_strings", {});
    if (pool.empty())
        for (const std::int64_t v : n.intsOr("pool_int64s"))
            pool.push_back(std::to_string(v));
    const std::vector<std::int64_t> counts = n.intsOr("ngram_counts");
    const std::vector<std::int64_t> indexes = n.intsOr("ngram_indexes");
    const auto weights = n.getOr<std::vector<float>>("weights", {});
    out.least = n.intOr("min_gram_length", 1);
    out.most = n.intOr("max_gram_length", 1);
    out.skips = n.intOr("max_skip_count", 0);
    out.mode = n.stringOr("mode", "TF");
    if (out.least < 1 || out.most < out.least || out.most > (1 << 20) || out.skips < 0 || out.skips > (1 << 20))
        return c.bad("the gram lengths or the skip count are out of range");
    if (out.mode != "TF" && out.mode != "IDF" && out.mode != "TFIDF") return c.bad("mode \"{}\" is not known", out.mode);
    std::size_t next = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const std::int64_t end = k + 1 < counts.size() ? counts[k + 1] : static_cast<std::int64_t>(pool.size());
        if (counts[k] < 0 || end < counts[k] || end > static_cast<std::int64_t>(pool.size())) return c.bad("ngram_counts do not fit the pool");
        for (std::int64_t at = counts[k]; at + static_cast<std::int64_t>(k) < end; at += static_cast<std::int64_t>(k) + 1, ++next) {
            if (next >= indexes.size() || indexes[next] < 0 || indexes[next] > kMaxElements) return c.bad("ngram_indexes do not fit the pool");
            out.columns = std::max(out.columns, indexes[next] + 1);
            out.places[{pool.begin() + at, pool.begin() + at + static_cast<std::int64_t>(k) + 1}] = {
                indexes[next], next < weights.size() ? static_cast<double>(weights[next]) : 1.0};
        }
    }
    return out;
}

/// Counts the pool's n-grams among the words of one row, with gaps of up to `skips` words. Single words have no gaps.
void countRow(const NGrams& grams, const std::string* words, std::int64_t count, double* row) {
    for (std::int64_t length = grams.least; length <= std::min(grams.most, count); ++length)
        for (std::int64_t step = 1; step <= (length == 1 ? 1 : grams.skips + 1) && (length - 1) * step < count; ++step)
            for (std::int64_t first = 0; first + (length - 1) * step < count; ++first) {
                std::vector<std::string> gram;
                for (std::int64_t k = 0; k < length; ++k)
                    gram.push_back(words[first + k * step]);
                if (const auto found = grams.places.find(gram); found != grams.places.end()) row[found->second.first] += 1;
            }
    for (const auto& [gram, place] : grams.places) {
        double& v = row[place.first];
        if (grams.mode == "IDF") v = v > 0 ? place.second : 0;
        if (grams.mode == "TFIDF") v *= place.second;
    }
}

Status tfIdfVectorizer(Call& c) {
    HS_CHECK(c.need(1));
    HS_TRY(const NGrams grams, nGrams(c));
    const Dims& x = c.dims(0);
    if (x.empty() || x.size() > 2) return c.bad("the input must have rank 1 or 2");
    std::vector<std::string> words;
    if (c.in(0).dtype() == DType::String)
        words.assign(c.in(0).data<std::string>().begin(), c.in(0).data<std::string>().end());
    else
        for (const std::int64_t v : toInt64s(c.in(0)))
            words.push_back(std::to_string(v));
    const std::int64_t rows = x.size() == 1 ? 1 : x[0];
    Dims dims = {rows, grams.columns};
    if (!elementCount(dims)) return c.bad("the output {} is too large", toString(dims));
    Values y(static_cast<std::size_t>(rows * grams.columns), 0);
    for (std::int64_t r = 0; r < rows; ++r)
        countRow(grams, words.data() + r * x.back(), x.back(), y.data() + r * grams.columns);
    if (x.size() == 1) dims.erase(dims.begin());
    return emit(c, 0, DType::F32, dims, y);
}

Status stringConcat(Call& c) {
    HS_CHECK(c.need(2));
    if (c.in(1).dtype() != DType::String) return c.bad("both operands must be strings");
    const std::array<const Dims*, 2> both = {&c.dims(0), &c.dims(1)};
    HS_TRY(const Broadcast broadcast, Broadcast::make(both));
    HS_TRY(Tensor * y, c.out(0, DType::String, broadcast.dims()));
    broadcast.rows([&](std::int64_t at, const std::int64_t* from, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i)
            y->data<std::string>()[static_cast<std::size_t>(at + i)] = c.in(0).data<std::string>()[static_cast<std::size_t>(from[0] + i * broadcast.step(0))] +
                                                                       c.in(1).data<std::string>()[static_cast<std::size_t>(from[1] + i * broadcast.step(1))];
    });
    return {};
}

/// Parts of a text between delimiters; without one, between runs of white space. `most` < 0: no limit on the cuts.
std::vector<std::string> parts(const std::string& text, const std::string& delimiter, std::int64_t most) {
    std::vector<std::string> out;
    std::size_t at = 0;
    const char* blanks = " \t\n\r\f\v";
    if (delimiter.empty()) at = std::min(text.find_first_not_of(blanks), text.size());
    if (text.empty() || (delimiter.empty() && at == text.size())) return out;
    while (most < 0 || static_cast<std::int64_t>(out.size()) < most) {
        const std::size_t cut = delimiter.empty() ? text.find_first_of(blanks, at) : text.find(delimiter, at);
        if (cut == std::string::npos) break;
        out.push_back(text.substr(at, cut - at));
        at = delimiter.empty() ? text.find_first_not_of(blanks, cut) : cut + delimiter.size();
        if (at == std::string::npos) return out;
    }
    std::string rest = text.substr(at);
    if (delimiter.empty()) rest.erase(rest.find_last_not_of(blanks) + 1);
    out.push_back(std::move(rest));
    return out;
}

Status stringSplit(Call& c) {
    HS_CHECK(c.need(1));
    const std::string delimiter = c.node().stringOr("delimiter", "");
    const std::int64_t most = c.node().intOr("maxsplit", -1);
    std::vector<std::vector<std::string>> all;
    std::size_t widest = 0;
    for (const std::string& text : c.in(0).data<std::string>()) {
        all.push_back(parts(text, delimiter, most));
        widest = std::max(widest, all.back().size());
    }
    Dims dims = c.dims(0);
    dims.push_back(static_cast<std::int64_t>(widest));
    HS_TRY(Tensor * y, c.out(0, DType::String, dims));
    fillZero(*y);
    Values counts;
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::copy(all[i].begin(), all[i].end(), y->data<std::string>().begin() + static_cast<std::ptrdiff_t>(i * widest));
        counts.push_back(static_cast<double>(all[i].size()));
    }
    return emit(c, 1, DType::I64, c.dims(0), counts);
}

/// Changes the case of ASCII letters and drops stop words; an empty result is one empty string.
Status stringNormalizer(Call& c) {
    HS_CHECK(c.need(1));
    const Dims& x = c.dims(0);
    if (x.size() != 1 && !(x.size() == 2 && x[0] == 1)) return c.bad("the input must be [C] or [1,C]");
    const std::string change = c.node().stringOr("case_change_action", "NONE");
    const bool exact = c.node().intOr("is_case_sensitive", 0) != 0;
    const auto stops = c.node().getOr<std::vector<std::string>>("stopwords", {});
    const auto recase = [](std::string text, bool upper) {
        std::transform(text.begin(), text.end(), text.begin(),
                       [=](unsigned char ch) { return static_cast<char>(upper ? std::toupper(ch) : std::tolower(ch)); });
        return text;
    };
    std::vector<std::string> kept;
    for (const std::string& word : c.in(0).data<std::string>()) {
        const bool stop =
            std::any_of(stops.begin(), stops.end(), [&](const std::string& s) { return exact ? s == word : recase(s, false) == recase(word, false); });
        if (!stop) kept.push_back(change == "NONE" ? word : recase(word, change == "UPPER"));
    }
    if (kept.empty()) kept.emplace_back();
    Dims dims = {static_cast<std::int64_t>(kept.size())};
    if (x.size() == 2) dims.insert(dims.begin(), 1);
    HS_TRY(Tensor * y, c.out(0, DType::String, dims));
    std::ranges::copy(kept, y->data<std::string>().begin());
    return {};
}

constexpr TypeSet kStrings = bit(DType::String);

const Operator kOperators[] = {
    {"TfIdfVectorizer", tfIdfVectorizer, kStrings | bit(DType::I32) | bit(DType::I64)},
    {"StringConcat", stringConcat, kStrings},
    {"StringSplit", stringSplit, kStrings},
    {"StringNormalizer", stringNormalizer, kStrings},
};

}  // namespace

std::span<const Operator> textOperators() {
    return kOperators;
}

}  // namespace hs::ref

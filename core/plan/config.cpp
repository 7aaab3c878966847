// SPDX-License-Identifier: Apache-2.0
#include "core/plan/config.h"

#include <cstddef>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

namespace hs {
namespace {

using nlohmann::json;

constexpr std::string_view kSchema = "heteroscope.config/1";
constexpr std::size_t kMaxConfigBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxRules = 1'000'000;
constexpr std::size_t kMaxDepth = 8;

/// A JSON value with the line on which it stands: what messages need and the library's own tree lacks.
struct Item {
    enum class Kind { Null, Bool, Number, String, Array, Object };
    Kind kind = Kind::Null;
    int line = 0;
    bool flag = false;
    std::string text;
    std::vector<std::pair<std::string, int>> keys;  // objects: name and line of each member, parallel to children
    std::vector<Item> children;
};

/// Counts the lines of what the lexer has consumed. The lexer may be one character ahead, so the line is that of the last one.
struct Cursor {
    int line = 1;
    bool lastWasNewline = false;
    void consume(char c) {
        if (lastWasNewline) ++line;
        lastWasNewline = c == '\n';
    }
};

class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, Cursor* cursor) : m_at(at), m_cursor(cursor) {}
    reference operator*() const { return *m_at; }
    CountingIterator& operator++() {
        m_cursor->consume(*m_at++);
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator& other) const { return m_at == other.m_at; }
    bool operator!=(const CountingIterator& other) const { return m_at != other.m_at; }

private:
    const char* m_at;
    Cursor* m_cursor;
};

/// Builds the tree of Items from the library's events.
class TreeBuilder : public nlohmann::json_sax<json> {
public:
    explicit TreeBuilder(const Cursor& cursor) : m_cursor(cursor) {}

    bool null() override { return add({}); }
    bool boolean(bool value) override {
        Item item;
        item.kind = Item::Kind::Bool;
        item.flag = value;
        return add(std::move(item));
    }
    bool number_integer(number_integer_t) override { return number(); }
    bool number_unsigned(number_unsigned_t) override { return number(); }
    bool number_float(number_float_t, const string_t&) override { return number(); }
    bool string(string_t& value) override {
        Item item;
        item.kind = Item::Kind::String;
        item.text = std::move(value);
        return add(std::move(item));
    }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Item::Kind::Object); }
    bool start_array(std::size_t) override { return open(Item::Kind::Array); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& value) override {
        Item& object = m_open.back();
        for (const auto& [name, line] : object.keys) {
            if (name != value) continue;
            problem = "key \"" + value + "\" appears twice";
            problemLine = m_cursor.line;
            return false;
        }
        object.keys.emplace_back(std::move(value), m_cursor.line);
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
        // The library's text starts with its own id and position: keep what comes after them.
        const std::string what = error.what();
        const std::size_t at = what.find("syntax error");
        problem = "not valid JSON: " + (at == std::string::npos ? what : what.substr(at));
        problemLine = m_cursor.line;
        return false;
    }

    Item root;
    std::string problem;
    int problemLine = 0;

private:
    bool number() {
        Item item;
        item.kind = Item::Kind::Number;
        return add(std::move(item));
    }
    bool open(Item::Kind kind) {
        if (m_open.size() >= kMaxDepth) {
            problem = "nested too deeply";
            problemLine = m_cursor.line;
            return false;
        }
        Item item;
        item.kind = kind;
        item.line = m_cursor.line;
        m_open.push_back(std::move(item));
        return true;
    }
    bool close() {
        Item done = std::move(m_open.back());
        m_open.pop_back();
        return place(std::move(done));
    }
    bool add(Item item) {
        item.line = m_cursor.line;
        return place(std::move(item));
    }
    bool place(Item item) {
        if (m_open.empty()) {
            root = std::move(item);
        } else {
            m_open.back().children.push_back(std::move(item));
        }
        return true;
    }

    const Cursor& m_cursor;
    std::vector<Item> m_open;
};

std::string at(const std::string& path, int line) {
    return path + ":" + std::to_string(line);
}

Status readString(const Item& value, const std::string& path, const std::string& key, std::string& out) {
    if (value.kind != Item::Kind::String || value.text.empty())
        return fail(ErrorCode::BadRequest, at(path, value.line), "\"{}\" must be a non-empty string", key);
    out = value.text;
    return {};
}

Status readRuleKey(const std::string& key, int keyLine, const Item& value, const std::string& path, Rule& rule) {
    if (key == "node") return readString(value, path, key, rule.match.node);
    if (key == "pattern") return readString(value, path, key, rule.match.pattern);
    if (key == "op") return readString(value, path, key, rule.match.opType);
    if (key == "device") return readString(value, path, key, rule.device);
    if (key == "executor") return readString(value, path, key, rule.executor);
    if (key == "enabled") {
        if (value.kind != Item::Kind::Bool) return fail(ErrorCode::BadRequest, at(path, value.line), "\"enabled\" must be true or false");
        rule.enabled = value.flag;
        return {};
    }
    return fail(ErrorCode::BadRequest, at(path, keyLine), "unknown key \"{}\" in a rule: expected node, pattern, op, device, executor or enabled", key);
}

Result<Rule> readRule(const Item& item, const std::string& path) {
    if (item.kind != Item::Kind::Object) return fail(ErrorCode::BadRequest, at(path, item.line), "a rule must be an object");
    Rule rule;
    rule.line = item.line;
    for (std::size_t i = 0; i < item.keys.size(); ++i)
        HS_CHECK(readRuleKey(item.keys[i].first, item.keys[i].second, item.children[i], path, rule));
    const int matches = int{!rule.match.node.empty()} + int{!rule.match.pattern.empty()} + int{!rule.match.opType.empty()};
    if (matches != 1) return fail(ErrorCode::BadRequest, at(path, item.line), "a rule needs exactly one of \"node\", \"pattern\" and \"op\"");
    if (rule.device.empty() && rule.executor.empty()) return fail(ErrorCode::BadRequest, at(path, item.line), "a rule needs \"device\" or \"executor\"");
    return rule;
}

Result<Edits> readConfig(const Item& root, const std::string& path) {
    if (root.kind != Item::Kind::Object) return fail(ErrorCode::BadRequest, at(path, root.line), "a config must be a JSON object");
    Edits edits;
    bool sawSchema = false;
    for (std::size_t i = 0; i < root.keys.size(); ++i) {
        const auto& [key, line] = root.keys[i];
        const Item& value = root.children[i];
        if (key == "schema") {
            if (value.kind != Item::Kind::String || value.text != kSchema)
                return fail(ErrorCode::BadRequest, at(path, value.line), "\"schema\" must be \"{}\": this version reads no other", kSchema);
            sawSchema = true;
        } else if (key == "rules") {
            if (value.kind != Item::Kind::Array) return fail(ErrorCode::BadRequest, at(path, value.line), "\"rules\" must be an array");
            if (value.children.size() > kMaxRules) return fail(ErrorCode::BadRequest, at(path, value.line), "more than {} rules", kMaxRules);
            for (const Item& item : value.children) {
                HS_TRY(Rule rule, readRule(item, path));
                edits.rules.push_back(std::move(rule));
            }
        } else {
            return fail(ErrorCode::BadRequest, at(path, line), "unknown key \"{}\": expected \"schema\" and \"rules\"", key);
        }
    }
    if (!sawSchema) return fail(ErrorCode::BadRequest, at(path, root.line), "\"schema\" is missing: add \"schema\": \"{}\"", kSchema);
    return edits;
}

}  // namespace

Result<Edits> parseConfig(std::string_view text, const std::string& path) {
    if (text.size() > kMaxConfigBytes) return fail(ErrorCode::BadRequest, path, "the config is larger than {} bytes", kMaxConfigBytes);
    Cursor cursor;
    TreeBuilder builder(cursor);
    const CountingIterator begin(text.data(), &cursor);
    const CountingIterator end(text.data() + text.size(), &cursor);
    if (!json::sax_parse(begin, end, &builder)) return fail(ErrorCode::BadRequest, at(path, builder.problemLine), "{}", builder.problem);
    return readConfig(builder.root, path);
}

std::string writeConfig(const Edits& edits) {
    const auto quoted = [](const std::string& text) { return json(text).dump(-1, ' ', false, json::error_handler_t::replace); };
    std::string out = "{\n  \"schema\": " + quoted(std::string(kSchema)) + ",\n  \"rules\": [";
    bool first = true;
    for (const Rule& rule : edits.rules) {
        out += first ? "\n    {" : ",\n    {";
        first = false;
        if (!rule.match.node.empty()) out += "\"node\": " + quoted(rule.match.node);
        if (!rule.match.pattern.empty()) out += "\"pattern\": " + quoted(rule.match.pattern);
        if (!rule.match.opType.empty()) out += "\"op\": " + quoted(rule.match.opType);
        if (!rule.device.empty()) out += ", \"device\": " + quoted(rule.device);
        if (!rule.executor.empty()) out += ", \"executor\": " + quoted(rule.executor);
        if (!rule.enabled) out += ", \"enabled\": false";
        out += "}";
    }
    return out + (first ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace hs

// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <iostream>
#include <limits>

#include "app/cli/checks.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "core/store/session_reader.h"

namespace hs::cli {
namespace {

constexpr std::size_t kMaxRows = 10'000'000;

struct QueryOptions {
    std::string session, sql;
    bool csv = false;
    std::size_t limit = kMaxRows;
};

Json cellJson(const Cell& cell) {
    return std::visit(
        [](const auto& value) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
                return nullptr;
            } else {
                return value;
            }
        },
        cell);
}

std::string cellText(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
    if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{}", *real);
    return {};
}

/// For people: whole from a million on, six digits below. CSV and JSON have every digit.
std::string realText(double value) {
    constexpr double kWhole = 1e6;
    constexpr double kExact = 9e15;
    return std::abs(value) >= kWhole && std::abs(value) < kExact ? fmt::format("{:.0f}", value) : numberText(value);
}

/// RFC 4180: quoted where it holds a comma, a quote or a line end.
std::string csvField(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + "\"";
}

void printCsv(const QueryResult& result) {
    const auto line = [](const std::vector<std::string>& fields) {
        for (std::size_t i = 0; i < fields.size(); ++i)
            std::cout << (i == 0 ? "" : ",") << csvField(fields[i]);
        std::cout << "\r\n";
    };
    line(result.columns);
    for (const auto& row : result.rows) {
        std::vector<std::string> fields;
        for (const Cell& cell : row)
            fields.push_back(cellText(cell));
        line(fields);
    }
}

void printTable(const QueryResult& result) {
    std::vector<std::vector<std::string>> rows = {result.columns};
    std::vector<bool> isNumber(result.columns.size(), true);
    for (const auto& row : result.rows) {
        rows.emplace_back();
        for (std::size_t i = 0; i < row.size(); ++i) {
            const auto* real = std::get_if<double>(&row[i]);
            rows.back().push_back(real != nullptr ? realText(*real) : cellText(row[i]));
            if (std::holds_alternative<std::string>(row[i])) isNumber[i] = false;
        }
    }
    std::cout << table(rows, isNumber);
}

Result<int> query(const QueryOptions& options, bool json) {
    if (options.csv && json) return fail(ErrorCode::BadRequest, "--csv", "choose one of --csv and --json");
    HS_TRY(const auto reader, SessionReader::open(options.session));
    HS_TRY(const QueryResult result, reader->query(options.sql, options.limit));
    if (result.truncated)
        warn(result.rows.size() >= options.limit
                 ? fmt::format("only the first {} rows are shown: raise --limit for more", result.rows.size())
                 : fmt::format("only the first {} rows are shown: the result is larger than a query may return", result.rows.size()));
    if (json) {
        Json rows = Json::array();
        for (const auto& row : result.rows) {
            Json cells = Json::array();
            for (const Cell& cell : row)
                cells.push_back(cellJson(cell));
            rows.push_back(std::move(cells));
        }
        printJson({{"columns", result.columns}, {"rows", std::move(rows)}, {"truncated", result.truncated}});
    } else if (options.csv) {
        printCsv(result);
    } else {
        printTable(result);
    }
    return 0;
}

}  // namespace

void addQueryVerb(CLI::App& app, Invocation& invocation) {
    auto options = std::make_shared<QueryOptions>();
    CLI::App* verb = addVerb(app, invocation, "query", "Read a session with SQL; never writes it",
                             "hscope query run.hscope \"select name, mean_ns from op_stats order by total_ns desc limit 5\"",
                             [&invocation, options] { return query(*options, invocation.json); });
    verb->add_option("SESSION", options->session, "Session file")->required()->type_name("");
    verb->add_option("SQL", options->sql, "One SELECT")->required()->type_name("");
    verb->add_flag("--csv", options->csv, "Comma-separated values (RFC 4180)");
    verb->add_option("--limit", options->limit, "Most rows to return")->capture_default_str()->check(wholeNumber(1, kMaxRows))->type_name("N");
}

}  // namespace hs::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "core/graph/model.h"

namespace hs::cli {

/// Writes one JSON document to standard output.
void printJson(const Json& document);

/// {"code": …, "message": …, "where": …}
Json errorJson(const Error& error);

/// Reports an error: one line on standard error, and with `json` the contract's document on standard output.
/// Returns the exit status.
int reportError(const Error& error, bool json);

/// A warning for people, on standard error.
void warn(const std::string& text);

/// Columns of text, the first row being their heads. Numbers (by `rightAligned`) lean right.
std::string table(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& rightAligned);

/// "12.3 MiB"
std::string bytesText(double bytes);
/// Six significant digits at most.
std::string numberText(double value);
/// "float32", [1, 3, "H"] as JSON; null for an unknown rank, "?" for an unknown size.
Json shapeJson(const Shape& shape);

/// One line that is rewritten in place; says nothing when standard error is no terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    void show(const std::string& phase, double fraction);

private:
    bool m_terminal;
    bool m_dirty = false;
};

/// Makes SIGINT and SIGTERM set the flag that this returns, instead of ending the process. A second one ends it.
const std::atomic<bool>& catchInterrupts();

}  // namespace hs::cli

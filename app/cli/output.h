// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "core/graph/model.h"

namespace hs::cli {

/// Ends what was written to standard output. Io when it did not get there: a full disk, a closed descriptor.
Status flushOutput();

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
/// Three significant digits, never fewer than all of those before the point: "0.00123", "1.23", "1234".
std::string shortText(double value);
/// "1.23 ms", "85 ns", "2.5 s": three significant digits in the unit that suits.
std::string msText(double milliseconds);
/// "1 run", "2 runs"
std::string countText(std::uint64_t count, const std::string& one);
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

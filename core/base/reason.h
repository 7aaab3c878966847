// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hs {

/// Why something is not as asked, or not available. Data, not prose: a stable code with arguments, so that logs word it
/// in English and the window in the person's language. A template's %1, %2 … stand for the arguments.
struct Reason {
    std::string code;               ///< Stable key, for example "kernel.dtype".
    std::vector<std::string> args;  ///< In the order of the template's %1, %2 …

    bool empty() const { return code.empty(); }
    /// English wording: the template of the code with the arguments filled in.
    std::string text() const;
    bool operator==(const Reason&) const = default;
};

/// A known code with its English template.
struct ReasonTemplate {
    std::string_view code;
    std::string_view english;
};

/// Every code that Heteroscope itself may give, sorted by code. The window's translations are checked against it.
const std::vector<ReasonTemplate>& reasonTemplates();

/// Fills %1 … %9 of a template.
std::string fillTemplate(std::string_view pattern, const std::vector<std::string>& args);

}  // namespace hs

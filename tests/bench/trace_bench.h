// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hs::bench {

/// One measured figure; `limit` is what it should stay below (or above, for rates).
struct Figure {
    std::string name, unit;
    double value = 0;
    std::optional<double> atMost, atLeast;
    std::string note;
    bool ok() const { return (!atMost || value <= *atMost) && (!atLeast || value >= *atLeast); }
};

/// What the engine adds to a step, with and without recording.
std::vector<Figure> benchDispatch();
/// Rows a second through the whole writer (rings, summaries, SQLite), into a file in `folder`.
std::vector<Figure> benchWriter(const std::string& folder);
/// A producer of `spansPerSecond` for `seconds`: what is kept, what is dropped, whether every span is accounted for.
std::vector<Figure> benchFlood(const std::string& folder, double spansPerSecond, double seconds);

}  // namespace hs::bench

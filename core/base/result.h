// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace hs {

/// What kind of failure it was. Decides the exit status of the command line and how the window words it.
enum class ErrorCode {
    BadRequest,    ///< The request cannot be understood: bad flag, unknown device, malformed config.
    BadInput,      ///< The input cannot be used: missing, corrupt, inconsistent.
    Unsupported,   ///< The input is well-formed but asks for something that no executor has.
    DeviceFailed,  ///< The device, its driver or a worker failed during the run.
    OutOfMemory,   ///< A host or device allocation failed, or a stated budget would be exceeded.
    Io,            ///< A file could not be written: full disk, no permission.
    Cancelled,     ///< A person or a signal stopped it.
    Internal,      ///< A broken promise inside Heteroscope.
};

/// Stable spelling of a code, used in JSON ("bad_input").
std::string_view errorCodeName(ErrorCode code);

/// Exit status promised by the command-line contract for a code (2, 3, 4 or 130).
int exitStatus(ErrorCode code);

/// One clear failure: what is wrong, where (file, node or key), and what to do about it.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;  ///< One line of English, ends with the remedy where there is one.
    std::string where;    ///< The file, node, key or device that it is about; may be empty.

    /// "where: message", or the message alone.
    std::string text() const;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

/// Returns a failure from a function whose return type is any Result<T>.
template <class... Args>
tl::unexpected<Error> fail(ErrorCode code, std::string where, fmt::format_string<Args...> format, Args&&... args) {
    return tl::unexpected<Error>(Error{code, fmt::format(format, std::forward<Args>(args)...), std::move(where)});
}

}  // namespace hs

#define HS_CONCAT_INNER(a, b) a##b
#define HS_CONCAT(a, b) HS_CONCAT_INNER(a, b)

/// HS_TRY(auto x, f()): declares x from the value of a Result, or returns its error from the enclosing function.
#define HS_TRY(decl, expr)                                                                                                \
    auto HS_CONCAT(hsTry, __LINE__) = (expr);                                                                             \
    if (!HS_CONCAT(hsTry, __LINE__)) return ::tl::unexpected<::hs::Error>(std::move(HS_CONCAT(hsTry, __LINE__)).error()); \
    decl = std::move(*HS_CONCAT(hsTry, __LINE__))

/// HS_CHECK(f()): returns the error of a Status (or any Result) from the enclosing function.
#define HS_CHECK(expr)                                                               \
    if (auto hsCheck = (expr); !hsCheck) /* NOLINT(readability-else-after-return) */ \
    return ::tl::unexpected<::hs::Error>(std::move(hsCheck).error())

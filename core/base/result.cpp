// SPDX-License-Identifier: Apache-2.0
#include "core/base/result.h"

namespace hs {

std::string_view errorCodeName(ErrorCode code) {
    switch (code) {
        case ErrorCode::BadRequest: return "bad_request";
        case ErrorCode::BadInput: return "bad_input";
        case ErrorCode::Unsupported: return "unsupported";
        case ErrorCode::DeviceFailed: return "device_failed";
        case ErrorCode::OutOfMemory: return "out_of_memory";
        case ErrorCode::Io: return "io";
        case ErrorCode::Cancelled: return "cancelled";
        case ErrorCode::Internal: return "internal";
    }
    return "internal";
}

int exitStatus(ErrorCode code) {
    switch (code) {
        case ErrorCode::BadRequest: return 2;
        case ErrorCode::BadInput:
        case ErrorCode::Unsupported: return 3;
        case ErrorCode::Cancelled: return 130;
        case ErrorCode::DeviceFailed:
        case ErrorCode::OutOfMemory:
        case ErrorCode::Io:
        case ErrorCode::Internal: return 4;
    }
    return 4;
}

std::string Error::text() const {
    return where.empty() ? message : where + ": " + message;
}

}  // namespace hs

// SPDX-License-Identifier: Apache-2.0
#include "core/base/log.h"

#include <spdlog/sinks/stdout_sinks.h>

namespace hs {

void setUpLogging(bool verbose) {
    auto logger = std::make_shared<spdlog::logger>("hs", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    logger->set_pattern("%l: %v");
    logger->set_level(verbose ? spdlog::level::debug : spdlog::level::warn);
    spdlog::set_default_logger(std::move(logger));
}

}  // namespace hs

#pragma once

#include <string>
#include <tuple>

#include "batchscope/schema/run_config.hpp"

namespace batchscope::timing {

// What configurations of one model have in common: how they warm up, and what slows them down now
// and then, whatever the batch size and the threads.
using ModelKey = std::tuple<std::string, std::string, std::string, schema::Mode, std::string>;

inline ModelKey model_key(const schema::RunConfig& config) {
  return {config.engine, config.model, config.device, config.mode, config.gc.value_or("")};
}

}  // namespace batchscope::timing

#pragma once

#include <string>

#include "batchscope/schema/run_config.hpp"

namespace batchscope::tune {

// All that is set, as lines of YAML, and as NAME=value lines of an environment file; what a table
// measured elsewhere does not state is left out.
std::string yaml_of(const schema::RunConfig& config);
std::string env_of(const schema::RunConfig& config);

}  // namespace batchscope::tune

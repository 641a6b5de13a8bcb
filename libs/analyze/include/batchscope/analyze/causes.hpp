#pragma once

#include <map>
#include <string>
#include <vector>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::analyze {

// An experiment that confirms or refutes a cause: the configurations are measured with and without
// `environment`, interleaved, in visits of purpose `intervention`.
struct Intervention {
  std::string cause;                       // "cause.heap-returned"
  std::vector<schema::RunConfig> configs;  // the size in question, then a neighbour if there is one
  std::map<std::string, std::string> environment;
};

// The configuration with these variables set as well.
schema::RunConfig under(schema::RunConfig config,
                        const std::map<std::string, std::string>& environment);

// The experiments that the signals of a run call for, the strongest signal first: at most one for
// each cause and scaling table. Empty for an imported run, which has no signals.
std::vector<Intervention> proposed_interventions(const schema::RunFile& run);

}  // namespace batchscope::analyze

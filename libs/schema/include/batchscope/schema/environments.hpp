#pragma once

#include <map>
#include <string>
#include <vector>

namespace batchscope::schema {

struct RunFile;

// Variables that visits are made under, beside those of the program that makes them.
using Environment = std::map<std::string, std::string>;

// The environments that a run was to measure, each once, in the order of the file: those of the
// configurations that it began with. What looks for causes adds others later,
// which are no choice of anybody. Of files that do not say how many configurations they began with:
// those of visits made to measure.
std::vector<Environment> planned_environments(const RunFile& run);

// The one with the fewest variables, of several the first: what experiments start from. Empty for a
// run without configurations.
Environment plainest_environment(const RunFile& run);

}  // namespace batchscope::schema

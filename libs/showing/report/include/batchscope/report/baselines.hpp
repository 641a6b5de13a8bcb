#pragma once

#include <string>
#include <vector>

#include "batchscope/schema/baseline.hpp"

namespace batchscope::report {

// A line each: name, runs, commits, machine, models.
std::string baselines_text(const std::vector<schema::Baseline>& baselines);
// docs/reference/schema/baselines.schema.json
std::string baselines_json(std::vector<schema::Baseline> baselines);

}  // namespace batchscope::report

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchscope/tune/tune.hpp"

namespace batchscope::cli {

// What is printed of a search: of a run that measured, or of a replay.
struct TuneResult {
  tune::Tuned tuned;
  bool replayed = false;
  // Of a replay: throughput of the pick over the best of the whole table, and that best.
  std::optional<double> share_of_best{};
  std::optional<schema::RunConfig> best{};
  std::vector<std::string> warnings{};
};

std::string tune_text(const TuneResult& result);
// {"schema_version":1,"recommendation":{...},"fronts":{...},"points":[...],...}, indented.
std::string tune_json(const TuneResult& result);

}  // namespace batchscope::cli

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "batchscope/telemetry/sample.hpp"

namespace batchscope::stepfeed {

struct StepLine {
  telemetry::TrainingStep step;
  int64_t unknown_fields = 0;
  std::string problem;  // empty: it is a step
};

// A JSON object in one line, as Python's json.dumps writes it: NaN, Infinity and -Infinity are
// taken where a number stands.
StepLine read_step_line(std::string_view line, int64_t now_ns);

// The line with NaN and the like in quotes, as strict JSON; empty where it is nested too deep.
std::string as_json(std::string_view line);

}  // namespace batchscope::stepfeed

#pragma once

#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::report {

// Throughput over batch size with its intervals, as SVG that a notebook shows: of what `analyze
// --format json` printed. Empty where there is nothing to draw. Errors: input (no JSON).
base::Result<std::string> throughput_picture(std::string_view analysis_json);

}  // namespace batchscope::report

#pragma once

#include <string>

#include "batchscope/study/noise_report.hpp"

namespace batchscope::report {

std::string noise_text(const study::NoiseReport& reported);
// docs/reference/schema/noise-scale.schema.json
std::string noise_json(const study::NoiseReport& reported);

}  // namespace batchscope::report

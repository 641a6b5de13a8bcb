#pragma once

#include <string>

#include "batchscope/study/noise_report.hpp"

namespace batchscope::report {

std::string noise_text(const study::NoiseReport& told);
// docs/reference/schema/noise-scale.schema.json
std::string noise_json(const study::NoiseReport& told);

}  // namespace batchscope::report

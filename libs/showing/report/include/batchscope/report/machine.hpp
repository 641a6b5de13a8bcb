#pragma once

#include <string>
#include <vector>

#include "batchscope/doctor/doctor.hpp"
#include "batchscope/study/calibrate.hpp"

namespace batchscope::report {

// The doctor's answer, then a line a check.
std::string checks_text(const std::vector<doctor::Check>& checks);
std::string checks_json(const std::vector<doctor::Check>& checks);

std::string calibration_text(const study::Calibration& calibration);
std::string calibration_json(const study::Calibration& calibration);

}  // namespace batchscope::report

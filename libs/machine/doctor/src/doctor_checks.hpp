#pragma once

#include <vector>

#include "batchscope/doctor/doctor.hpp"

namespace batchscope::doctor {

// The doctor's checks by subject, each appending to `checks`.
void check_processor(const DoctorFacts& facts, std::vector<Check>& checks);
void check_limits(const DoctorFacts& facts, std::vector<Check>& checks);
void check_disturbances(const DoctorFacts& facts, std::vector<Check>& checks);
void check_settings(const DoctorFacts& facts, std::vector<Check>& checks);
void check_gpus(const DoctorFacts& facts, const gpu::Gpus& gpus, std::vector<Check>& checks);

}  // namespace batchscope::doctor

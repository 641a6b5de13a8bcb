#pragma once

#include <string>
#include <string_view>

#include "batchscope/findings/finding.hpp"

namespace batchscope::monitor_report {

// The GPU that a finding is about, as GpuReading::gpu; empty: none.
std::string gpu_of(const findings::Finding& finding);

// "GPU 3: ..." where the sentence does not say so itself.
std::string with_place(const findings::Finding& finding, const std::string& what);

std::string_view label_of(findings::Severity severity);  // "HIGH"

}  // namespace batchscope::monitor_report

#pragma once

#include <filesystem>
#include <string>

#include "batchscope/api/report.hpp"
#include "batchscope/base/result.hpp"

namespace batchscope::api {

// Whether a file is what a monitor recorded, by its first line.
bool is_monitor_log(const std::filesystem::path& file);

// What a monitor, or that of a training loop, recorded, on one page: judged anew, by the rules of
// this version. Errors: those of telemetry::read_log; failed (a build without the page's script).
base::Result<std::string> report_log(const std::filesystem::path& file, Page page);

}  // namespace batchscope::api

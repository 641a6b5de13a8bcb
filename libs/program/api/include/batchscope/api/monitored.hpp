#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batchscope/api/report.hpp"
#include "batchscope/base/result.hpp"

namespace batchscope::api {

// Whether a file is what a monitor recorded, or the log of a training that a framework wrote.
bool is_monitor_log(const std::filesystem::path& file);

struct LogReport {
  std::string text;
  std::vector<std::string> doubts;  // about what was read
  std::string note;                 // what a framework's log is, and does not tell; may be empty
};

// What a monitor, that of a training loop, or a framework recorded, on one page: judged anew, by
// the rules of this version, and by the targets of then. Errors: input (cannot be read, is no such
// log), failed (a build without the page's script).
base::Result<LogReport> report_log(const std::filesystem::path& file, Page page);

}  // namespace batchscope::api

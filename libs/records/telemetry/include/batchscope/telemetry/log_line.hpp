#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/telemetry/sample.hpp"

// A log of what was monitored: JSON lines. The first is a `monitor` line (LogHeader), then `sample`
// and `step` lines in the order of their times, and `finding` lines, as findings::to_json writes
// them, for readers that do not judge anew.
namespace batchscope::telemetry {

inline constexpr int kLogSchemaVersion = 1;

// One of what decides on findings, such as a target.
struct JudgedBy {
  std::string name;  // "gpu_busy_low"
  double value = 0;
};

struct LogHeader {
  int schema_version = kLogSchemaVersion;
  std::string tool_version;
  std::string created;               // "2026-10-01T12:00:00Z"
  std::string host;                  // the name of the machine
  double interval_seconds = 0;       // between two samples; 0: none are taken
  double window_seconds = 0;         // that findings were judged over; 0: the usual one
  std::vector<JudgedBy> judged_by;   // all of it; empty: the usual, as in older logs
  std::vector<std::string> command;  // that was started and watched
};

std::string to_line(const LogHeader& header);  // without '\n', as the others
std::string to_line(const Sample& sample);
std::string to_line(const TrainingStep& step);

// Whoever reads a log. What is not known is passed over and counted.
struct LogContent {
  LogHeader header;
  std::vector<Sample> samples;
  std::vector<TrainingStep> steps;
  bool steps_are_epochs = false;  // a line of the log is one
  // How many steps stand before the line of each sample; a log that was put together elsewhere may
  // lack it, and has its steps by their times.
  std::vector<std::size_t> steps_before;
  int64_t finding_lines = 0;
  int64_t unread_lines = 0;   // that are none of these, or wrong
  std::string first_problem;  // of those: "line 12: time_ns is missing"
  // Samples that are older than the one before them: a clock was set back, or logs were joined.
  // Then samples and steps are in the order of their times, and steps_before is empty.
  int64_t times_back = 0;
};
// Errors: input (no file, no `monitor` line first, a newer schema version).
base::Result<LogContent> read_log(const std::string& path);
// True where a text begins as a log does.
bool is_log(std::string_view first_line);

}  // namespace batchscope::telemetry

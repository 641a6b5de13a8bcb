#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/finding.hpp"
#include "batchscope/monitor/outputs.hpp"
#include "batchscope/monitor/session.hpp"
#include "format.hpp"

namespace batchscope::cli {

// As typed.
struct MonitorFlags {
  std::string interval, duration, window;
  bool once = false;
  std::optional<int> pid;
  std::vector<std::string> command;
  std::string compat;
  std::filesystem::path replay, steps;
  monitor::OutputOptions outputs;  // of its members those that are typed as they are
  Format format = Format::text;
  bool no_color = false, plain = false, ascii = false, quiet = false;
  std::string fail_on;
  std::string gpu_busy, gpu_memory, cpu_busy;
};

// As read.
struct MonitorRequest {
  base::Nanoseconds interval{};
  std::optional<base::Nanoseconds> duration, window;
  std::optional<findings::Severity> fail_on;
  monitor::MonitorOptions rules;
};

void add_flags(CLI::App& app, MonitorFlags& flags);
// Errors: usage, naming the flag; flags that contradict each other.
base::Result<MonitorRequest> read_flags(const MonitorFlags& flags);
// Those that are typed, into the targets; the others stay.
base::Result<void> read_targets(const MonitorFlags& flags, watch::Targets& targets);

}  // namespace batchscope::cli

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rule_context.hpp"

namespace batchscope::watch {

// What is seen beside a GPU's own busy time, as numbers whose means over time say the same of all
// of it.
struct Signals {
  double idle = 0;
  double swing = 0;
  double turns = 0;          // from busy to not and back
  double knows_loading = 0;  // 0 or 1, or the share of the time
  double loading = 0;        // of the steps' time, times that; of the loop that waits most
  double least_loading = 0;  // of the one that waits least
  double worker_cpu = 0;
  double workers = 0;
  double thread = 0;
  double io_pressure = 0, io_wait = 0;
  double knows_process_io_wait = 0;  // not: the kernel does not count it
  double process_io_wait = 0;        // times that
  double reads = 0, writes = 0;      // of disks, bytes a second
  double hottest_core = 0, mean_core = 0, hot_cores = 0;
  double cpus = 0, cpu_busy = 0;
  double is_watching = 0, is_training = 0;
  double gpus = 0;  // that are used

  static Signals from(std::span<const double> numbers);
  std::vector<double> numbers() const;

  std::optional<double> loading_if_reported() const {
    return knows_loading > 0 ? std::optional(loading / knows_loading) : std::nullopt;
  }
  std::optional<double> process_io_wait_if_known() const {
    return knows_process_io_wait > 0 ? std::optional(process_io_wait / knows_process_io_wait)
                                     : std::nullopt;
  }
};

Signals signals_of(const GpuState& gpu, const RuleContext& facts);

}  // namespace batchscope::watch

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/telemetry/log_line.hpp"
#include "series/clock.hpp"

namespace batchscope::monitor_report {

// A training loop that told of its steps.
struct Loop {
  std::string name;  // that it gave itself; untrusted
  std::vector<const telemetry::TrainingStep*> steps;
  size_t clock = 0;
};

// What is in a log, by what told it, each in the order of its times. Lives as long as the log.
struct RecordedSeries {
  std::vector<const telemetry::Sample*> samples;
  std::vector<std::string> gpus;  // by their names, "0" first
  std::vector<Loop> loops;
  int64_t start_ns = 0, end_ns = 0;
  std::vector<TimeAxis> clocks;  // of the samples, then of each loop

  bool empty() const { return samples.empty() && loops.empty(); }
  int64_t wall_ns() const { return end_ns - start_ns; }
};

// Without what has a time before 1970.
RecordedSeries series_in(const telemetry::LogContent& log);

// nullptr where the sample has no such GPU.
const telemetry::GpuReading* reading_of(const telemetry::Sample& sample, const std::string& gpu);

}  // namespace batchscope::monitor_report

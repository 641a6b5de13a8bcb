#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/monitor/streaming_histogram.hpp"
#include "batchscope/telemetry/sample.hpp"
#include "batchscope/watch/active_finding.hpp"

// What is said at the end, of all the time that was watched.
namespace batchscope::monitor {

// A number over that time, by its name in telemetry/metrics.hpp.
struct MetricTotal {
  std::string name;
  StreamingHistogram values;
};

struct GpuTotal {
  std::string gpu, uuid, name;       // `gpu`: as the driver numbered it first
  std::string last_gpu;              // as it did last, another where it numbered them anew
  std::vector<MetricTotal> metrics;  // in the order of gpu_metrics(); those that were said
  double up_seconds = 0, down_seconds = 0;
  std::string why_down;  // the last time
  // By its counter; where it has none, power by time.
  std::optional<double> energy_joules;
  std::map<std::string, double> throttled_seconds;  // by reason
};

struct TrainingTotal {
  std::string source;
  int64_t first_step = 0, last_step = 0, steps = 0;
  StreamingHistogram seconds;
  int64_t samples = 0;         // of steps that said how many
  double sample_seconds = 0;   // of those steps
  std::optional<double> loss;  // the last; absent where it was not finite, or none was told
  std::string loss_word;       // of the last that was not finite: "nan"
};

struct MonitorSummary {
  std::string host;
  int64_t began_ns = 0, ended_ns = 0;  // of the first and the last sample
  int64_t samples = 0;
  std::vector<GpuTotal> gpus;
  std::vector<MetricTotal> host_metrics;
  std::vector<TrainingTotal> training;
  std::vector<watch::ActiveFinding> findings;  // those that ended too
  // What is bad all the time is told after so long; 0: not known.
  double min_detection_seconds = 0;
  std::string gpu_absent;  // why no GPU could be asked in all that time, where that is known
  bool steps_are_epochs = false;
};

// Adds up samples and steps as they come, in room that does not grow with time.
class Totals {
 public:
  void add(const telemetry::Sample& sample);
  void add(const telemetry::TrainingStep& step);

  MonitorSummary summary(const std::string& host, std::vector<watch::ActiveFinding> findings) const;

 private:
  struct Gpu {
    GpuTotal total;
    std::string number;  // that it has now; empty where another has it
    std::optional<double> energy_before;
    double energy_by_counter = 0, energy_by_power = 0;
    bool has_counter = false, has_power = false;
    telemetry::CountByName throttle_before;
  };

  Gpu& gpu_of(const telemetry::GpuReading& reading);
  void add(const telemetry::GpuReading& reading, double seconds);

  int64_t began_ns_ = 0, ended_ns_ = 0, samples_ = 0;
  std::string gpu_absent_;
  std::vector<Gpu> gpus_;  // as they came
  std::vector<MetricTotal> host_;
  std::map<std::string, TrainingTotal> training_;
};

}  // namespace batchscope::monitor

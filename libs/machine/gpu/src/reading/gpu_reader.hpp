#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpm.hpp"
#include "metric_queries.hpp"
#include "slices.hpp"
#include "throttle_time.hpp"

namespace batchscope::gpu {

// What a GPU said, or why it said nothing.
struct GpuAnswer {
  std::vector<telemetry::GpuReading> readings;  // of the GPU, then of its slices; empty: it is down
  std::string why_down;
  bool driver_absent = false;  // then nothing can be had from any
};

// Reads one GPU. Each call may take long, or never return.
class GpuReader {
 public:
  // The totals of a UUID that were counted before this reader was made.
  using TotalsBefore = std::function<telemetry::CountByName(const std::string& uuid)>;
  GpuReader(std::shared_ptr<const nvml::Library> library, unsigned index, TotalsBefore before);

  GpuAnswer read(int64_t now_ns);
  // The handle of the GPU; null where it does not answer.
  nvml::Device device() const { return device_; }

 private:
  // What is kept from reading to reading, as long as the handle of the GPU is good.
  struct Kept {
    Kept(const std::shared_ptr<const nvml::Library>& library, nvml::Device device)
        : gpm(library, device, std::nullopt), slices(library, device) {}
    MetricQueries identity{identity_questions(), MetricQueries::Repeat::until_answered};
    MetricQueries lasting{lasting_questions(), MetricQueries::Repeat::until_answered};
    MetricQueries own{own_questions(), MetricQueries::Repeat::always};
    MetricQueries shared{shared_questions(), MetricQueries::Repeat::always};
    MetricQueries slow{slow_questions(), MetricQueries::Repeat::always};
    Gpm gpm;
    Slices slices;
  };
  void find(Progress& progress);
  std::vector<telemetry::GpuReading> read_all(int64_t now_ns, Progress& progress);

  std::shared_ptr<const nvml::Library> library_;
  unsigned index_;
  TotalsBefore before_;
  nvml::Device device_ = nullptr;
  telemetry::GpuReading known_;  // what does not change
  std::optional<ThrottleTime> throttle_time_;
  std::optional<Kept> kept_;
};

}  // namespace batchscope::gpu

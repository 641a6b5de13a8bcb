#pragma once

#include <array>
#include <memory>
#include <optional>

#include "metric_queries.hpp"

namespace batchscope::gpu {

// What multiprocessors, tensor cores, memory and links did between two readings: counters of the
// GPU itself (Hopper and later).
class Gpm {
 public:
  // `instance`: of a slice, whose whole GPU `device` is.
  Gpm(std::shared_ptr<const nvml::Library> library, nvml::Device device,
      std::optional<unsigned> instance);
  ~Gpm();
  Gpm(const Gpm&) = delete;
  Gpm& operator=(const Gpm&) = delete;

  // The first reading, and the first after one that failed, has nothing to compare with.
  void read(telemetry::GpuReading& reading, Progress& progress);
  // The GPU has none, or does not tell this user.
  bool refused() const { return refused_; }

 private:
  nvml::Status prepare();
  nvml::Status take();
  nvml::Status compare(telemetry::GpuReading& reading) const;

  std::shared_ptr<const nvml::Library> library_;
  nvml::Device device_;
  std::optional<unsigned> instance_;
  std::array<nvml::GpmSample, 2> samples_{};  // the earlier first
  bool has_earlier_ = false;
  bool refused_ = false;
};

}  // namespace batchscope::gpu

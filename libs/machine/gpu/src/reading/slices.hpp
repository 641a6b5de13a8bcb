#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpm.hpp"
#include "metric_queries.hpp"

namespace batchscope::gpu {

// The slices of one GPU (MIG), which come and go while it is there.
class Slices {
 public:
  Slices(std::shared_ptr<const nvml::Library> library, nvml::Device physical);

  // Whether the GPU is divided.
  bool exist(Progress& progress);
  // Appends a reading of each behind that of the whole GPU, the last of `readings`. What a slice
  // fails to answer is its own matter, unless the driver is gone.
  void read(std::vector<telemetry::GpuReading>& readings, Progress& progress);

 private:
  // What is kept of one from reading to reading.
  struct Slice {
    MetricQueries questions{own_questions(), MetricQueries::Repeat::always};
    std::optional<int64_t> instance{};
    std::unique_ptr<Gpm> gpm;  // null where it is not known which slice it is
  };
  using ByUuid = std::map<std::string, Slice>;

  void read_one(nvml::Device handle, ByUuid& seen, telemetry::GpuReading& reading,
                Progress& progress);
  Slice begin(nvml::Device handle) const;

  std::shared_ptr<const nvml::Library> library_;
  nvml::Device physical_;
  bool refused_ = false;
  ByUuid slices_;
};

}  // namespace batchscope::gpu

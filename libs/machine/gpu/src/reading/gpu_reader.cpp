#include "gpu_reader.hpp"

#include <utility>

namespace batchscope::gpu {

using telemetry::GpuReading;

GpuReader::GpuReader(std::shared_ptr<const nvml::Library> library, unsigned index,
                     TotalsBefore before)
    : library_(std::move(library)), index_(index), before_(std::move(before)) {
  known_.gpu = std::to_string(index);
}

void GpuReader::find(Progress& progress) {
  const nvml::Status status = library_->device_handle(index_, &device_);
  if (status != nvml::kSuccess) return progress.stop(status);
  kept_.emplace(library_, device_);
}

std::vector<GpuReading> GpuReader::read_all(int64_t now_ns, Progress& progress) {
  if (!kept_) find(progress);
  if (progress.stopped()) return {};
  kept_->identity.ask(*library_, device_, known_, progress);
  kept_->lasting.ask(*library_, device_, known_, progress);
  GpuReading reading = known_;
  reading.up = true;
  reading.read_ns = now_ns;
  const bool divided = kept_->slices.exist(progress);
  if (!divided) kept_->own.ask(*library_, device_, reading, progress);
  kept_->shared.ask(*library_, device_, reading, progress);
  if (!throttle_time_) throttle_time_.emplace(before_(known_.uuid));
  throttle_time_->read(*library_, device_, now_ns, reading, progress);
  kept_->gpm.read(reading, progress);
  if (kept_->gpm.refused()) kept_->slow.ask(*library_, device_, reading, progress);
  std::vector<GpuReading> readings;
  readings.push_back(std::move(reading));
  if (divided) kept_->slices.read(readings, progress);
  return readings;
}

GpuAnswer GpuReader::read(int64_t now_ns) {
  Progress progress;
  std::vector<GpuReading> readings = read_all(now_ns, progress);
  if (!progress.is_down()) return {std::move(readings), {}, false};
  // It may come back as another one: everything is asked anew.
  kept_.reset();
  device_ = nullptr;
  if (throttle_time_) throttle_time_->interrupt();
  return {{}, nvml::in_words(progress.failure()), progress.driver_absent()};
}

}  // namespace batchscope::gpu

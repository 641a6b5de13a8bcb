#include "slices.hpp"

#include <utility>

#include "down.hpp"

namespace batchscope::gpu {

using telemetry::GpuReading;

Slices::Slices(std::shared_ptr<const nvml::Library> library, nvml::Device physical)
    : library_(std::move(library)), physical_(physical) {}

bool Slices::exist(Progress& progress) {
  if (refused_ || progress.stopped()) return false;
  unsigned current = 0, pending = 0;
  const nvml::Status status = nvml::call(library_->mig_mode, physical_, &current, &pending);
  refused_ = progress.note(status) == nvml::Outcome::refused;
  return status == nvml::kSuccess && current == 1;
}

Slices::Slice Slices::begin(nvml::Device handle) const {
  Slice slice;
  unsigned instance = 0;
  if (nvml::call(library_->gpu_instance, handle, &instance) == nvml::kSuccess) {
    slice.instance = instance;
    slice.gpm = std::make_unique<Gpm>(library_, physical_, instance);
  }
  return slice;
}

void Slices::read_one(nvml::Device handle, ByUuid& seen, GpuReading& reading, Progress& progress) {
  MetricQueries identity(identity_questions(), MetricQueries::Repeat::always);
  identity.ask(*library_, handle, reading, progress);
  if (progress.stopped()) return;
  const std::string& key = reading.uuid.empty() ? reading.gpu : reading.uuid;
  auto kept = slices_.extract(key);
  Slice& slice = seen[key] = kept ? std::move(kept.mapped()) : begin(handle);
  reading.gpu_instance = slice.instance;
  slice.questions.ask(*library_, handle, reading, progress);
  if (slice.gpm != nullptr) slice.gpm->read(reading, progress);
}

void Slices::read(std::vector<GpuReading>& readings, Progress& progress) {
  const GpuReading physical = readings.back();
  unsigned most = 0;
  if (progress.note(nvml::call(library_->max_slices, physical_, &most)) !=
      nvml::Outcome::answered) {
    return;
  }
  ByUuid seen;
  for (unsigned place = 0; place < most && !progress.stopped(); ++place) {
    nvml::Device handle = nullptr;
    if (nvml::call(library_->slice, physical_, place, &handle) != nvml::kSuccess) continue;
    GpuReading reading;
    reading.gpu = physical.gpu + ':' + std::to_string(place);
    reading.name = physical.name;
    reading.pci_bus_id = physical.pci_bus_id;
    reading.read_ns = physical.read_ns;
    reading.up = true;
    Progress own;
    read_one(handle, seen, reading, own);
    if (own.driver_absent()) progress.note(own.failure());
    readings.push_back(own.is_down() ? down(reading, nvml::in_words(own.failure()))
                                     : std::move(reading));
  }
  slices_ = std::move(seen);
}

}  // namespace batchscope::gpu

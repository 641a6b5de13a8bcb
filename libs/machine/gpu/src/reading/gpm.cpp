#include "gpm.hpp"

#include <utility>

#include "plausible.hpp"

namespace batchscope::gpu {
namespace {

using telemetry::GpuReading;

constexpr double kPercent = 100, kMebi = 1024.0 * 1024, kMostMebibytes = 1e7;

struct GpmRow {
  unsigned id;
  std::optional<double> GpuReading::*field;
  bool is_ratio;
};

constexpr std::array kGpmRows{
    GpmRow{nvml::kGpmGraphicsActive, &GpuReading::graphics_active_ratio, true},
    GpmRow{nvml::kGpmSmActive, &GpuReading::sm_active_ratio, true},
    GpmRow{nvml::kGpmSmOccupancy, &GpuReading::sm_occupancy_ratio, true},
    GpmRow{nvml::kGpmTensorActive, &GpuReading::tensor_active_ratio, true},
    GpmRow{nvml::kGpmDramActive, &GpuReading::dram_active_ratio, true},
    GpmRow{nvml::kGpmPcieTransmit, &GpuReading::pcie_transmit_bytes_per_second, false},
    GpmRow{nvml::kGpmPcieReceive, &GpuReading::pcie_receive_bytes_per_second, false},
    GpmRow{nvml::kGpmNvlinkTransmit, &GpuReading::nvlink_transmit_bytes_per_second, false},
    GpmRow{nvml::kGpmNvlinkReceive, &GpuReading::nvlink_receive_bytes_per_second, false}};

// A metric that the GPU does not have comes with success and 0, but without a name.
std::optional<double> value_of(const GpmRow& row, const nvml::GpmMetric& metric) {
  if (metric.status != nvml::kSuccess || metric.short_name == nullptr) return std::nullopt;
  if (row.is_ratio) return plausible_ratio(metric.value / kPercent);
  return plausible_amount(metric.value, kMostMebibytes, kMebi);
}

}  // namespace

Gpm::Gpm(std::shared_ptr<const nvml::Library> library, nvml::Device device,
         std::optional<unsigned> instance)
    : library_(std::move(library)), device_(device), instance_(instance) {}

Gpm::~Gpm() {
  for (const nvml::GpmSample sample : samples_) {
    if (sample != nullptr) nvml::call(library_->free_gpm_sample, sample);
  }
}

nvml::Status Gpm::prepare() {
  nvml::GpmSupport support{1, 0};
  nvml::Status status = nvml::call(library_->gpm_support, device_, &support);
  if (status == nvml::kSuccess && support.supported == 0) return nvml::kNotSupported;
  for (nvml::GpmSample& sample : samples_) {
    if (status == nvml::kSuccess && sample == nullptr) {
      status = nvml::call(library_->make_gpm_sample, &sample);
    }
  }
  return status;
}

nvml::Status Gpm::take() {
  if (!instance_) return nvml::call(library_->take_gpm_sample, device_, samples_[1]);
  return nvml::call(library_->take_slice_gpm_sample, device_, *instance_, samples_[1]);
}

nvml::Status Gpm::compare(GpuReading& reading) const {
  nvml::GpmMetrics metrics{};
  metrics.version = 1;
  metrics.count = static_cast<unsigned>(kGpmRows.size());
  metrics.earlier = samples_[0];
  metrics.later = samples_[1];
  for (std::size_t each = 0; each < kGpmRows.size(); ++each) {
    metrics.metrics[each].id = kGpmRows[each].id;
  }
  const nvml::Status status = nvml::call(library_->gpm_metrics, &metrics);
  if (status != nvml::kSuccess) return status;
  for (std::size_t each = 0; each < kGpmRows.size(); ++each) {
    reading.*kGpmRows[each].field = value_of(kGpmRows[each], metrics.metrics[each]);
  }
  return status;
}

void Gpm::read(GpuReading& reading, Progress& progress) {
  if (refused_ || progress.stopped()) return;
  const bool compares = std::exchange(has_earlier_, false);
  nvml::Status status = samples_[1] == nullptr ? prepare() : nvml::kSuccess;
  if (status == nvml::kSuccess) status = take();
  if (status == nvml::kSuccess) {
    has_earlier_ = true;
    if (compares) status = compare(reading);
    std::swap(samples_[0], samples_[1]);
  }
  refused_ = progress.note(status) == nvml::Outcome::refused;
}

}  // namespace batchscope::gpu

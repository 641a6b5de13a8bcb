#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "text/families.hpp"

namespace batchscope::exporter {
namespace {

using telemetry::GpuReading;
using telemetry::MetricKind;

constexpr double kMebibyte = 1 << 20;
constexpr double kPercent = 100, kMega = 1e6, kMilli = 1e3;

using Value = std::optional<double>;

template <auto kMember>
Value plain(const GpuReading& gpu) {
  const auto& value = gpu.*kMember;
  return value ? Value(static_cast<double>(*value)) : Value();
}

template <auto kMember, const double& kFactor>
Value times(const GpuReading& gpu) {
  const Value value = plain<kMember>(gpu);
  return value ? Value(*value * kFactor) : Value();
}

template <auto kMember, const double& kDivisor>
Value over(const GpuReading& gpu) {
  const Value value = plain<kMember>(gpu);
  return value ? Value(*value / kDivisor) : Value();
}

// Neither used nor kept by the driver.
Value free_mebibytes(const GpuReading& gpu) {
  if (!gpu.memory_used_bytes || !gpu.memory_total_bytes) return {};
  const int64_t taken = *gpu.memory_used_bytes + gpu.memory_reserved_bytes.value_or(0);
  return static_cast<double>(*gpu.memory_total_bytes - taken) / kMebibyte;
}

struct Row {
  std::string_view name;
  MetricKind kind = MetricKind::gauge;
  std::string_view help;
  Value (*get)(const GpuReading&) = nullptr;
};

constexpr auto kGauge = MetricKind::gauge;
constexpr auto kCounter = MetricKind::counter;
using G = GpuReading;

// Names, kinds and units are those of dcgm-exporter 3 and 4.
constexpr std::array kRows{
    Row{"DCGM_FI_DEV_SM_CLOCK", kGauge, "SM clock, MHz", over<&G::sm_clock_hertz, kMega>},
    Row{"DCGM_FI_DEV_MEM_CLOCK", kGauge, "Memory clock, MHz", over<&G::memory_clock_hertz, kMega>},
    Row{"DCGM_FI_DEV_MEMORY_TEMP", kGauge, "Memory temperature, degrees Celsius",
        plain<&G::memory_temperature_celsius>},
    Row{"DCGM_FI_DEV_GPU_TEMP", kGauge, "GPU temperature, degrees Celsius",
        plain<&G::temperature_celsius>},
    Row{"DCGM_FI_DEV_SLOWDOWN_TEMP", kGauge,
        "Temperature at which the GPU slows down, degrees Celsius",
        plain<&G::slowdown_temperature_celsius>},
    Row{"DCGM_FI_DEV_POWER_USAGE", kGauge, "Power draw of the board, W", plain<&G::power_watts>},
    Row{"DCGM_FI_DEV_POWER_MGMT_LIMIT", kGauge,
        "Power limit at which the driver throttles the clock, W", plain<&G::power_limit_watts>},
    Row{"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", kCounter,
        "Energy used since the driver started, mJ", times<&G::energy_joules_total, kMilli>},
    Row{"DCGM_FI_DEV_PCIE_REPLAY_COUNTER", kCounter, "PCIe packets sent again",
        plain<&G::pcie_replays_total>},
    Row{"DCGM_FI_DEV_PCIE_LINK_GEN", kGauge, "Current PCIe generation of the link",
        plain<&G::pcie_link_generation>},
    Row{"DCGM_FI_DEV_PCIE_LINK_WIDTH", kGauge, "Current number of PCIe lanes",
        plain<&G::pcie_link_width>},
    Row{"DCGM_FI_DEV_GPU_UTIL", kGauge, "Share of time in which a kernel ran, however small, %",
        times<&G::busy_ratio, kPercent>},
    Row{"DCGM_FI_DEV_MEM_COPY_UTIL", kGauge,
        "Share of time with reads or writes of device memory, %",
        times<&G::memory_busy_ratio, kPercent>},
    Row{"DCGM_FI_DEV_FB_FREE", kGauge, "Free device memory, MiB", free_mebibytes},
    Row{"DCGM_FI_DEV_FB_USED", kGauge, "Used device memory, MiB",
        over<&G::memory_used_bytes, kMebibyte>},
    Row{"DCGM_FI_DEV_FB_RESERVED", kGauge, "Device memory reserved by the driver, MiB",
        over<&G::memory_reserved_bytes, kMebibyte>},
    Row{"DCGM_FI_DEV_FB_TOTAL", kGauge, "Total device memory, MiB",
        over<&G::memory_total_bytes, kMebibyte>},
    Row{"DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", kCounter,
        "Corrected memory errors since the driver started", plain<&G::ecc_corrected_errors_total>},
    Row{"DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", kCounter,
        "Uncorrectable memory errors since the driver started",
        plain<&G::ecc_uncorrected_errors_total>},
    Row{"DCGM_FI_DEV_ROW_REMAP_PENDING", kGauge,
        "1 if the GPU needs a reset to replace a memory row, else 0", plain<&G::remap_pending>},
    Row{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", kGauge,
        "Share of time in which a compute or graphics engine was active",
        plain<&G::graphics_active_ratio>},
    Row{"DCGM_FI_PROF_SM_ACTIVE", kGauge,
        "Share of cycles in which a multiprocessor had work, mean of all",
        plain<&G::sm_active_ratio>},
    Row{"DCGM_FI_PROF_SM_OCCUPANCY", kGauge, "Resident warps as a share of the maximum",
        plain<&G::sm_occupancy_ratio>},
    Row{"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", kGauge,
        "Share of cycles in which tensor cores were active", plain<&G::tensor_active_ratio>},
    Row{"DCGM_FI_PROF_DRAM_ACTIVE", kGauge, "Used share of the memory bandwidth",
        plain<&G::dram_active_ratio>},
    Row{"DCGM_FI_PROF_PCIE_TX_BYTES", kGauge, "Bytes per second from the GPU over PCIe",
        plain<&G::pcie_transmit_bytes_per_second>},
    Row{"DCGM_FI_PROF_PCIE_RX_BYTES", kGauge, "Bytes per second to the GPU over PCIe",
        plain<&G::pcie_receive_bytes_per_second>},
    Row{"DCGM_FI_PROF_NVLINK_TX_BYTES", kGauge, "Bytes per second from the GPU over NVLink",
        plain<&G::nvlink_transmit_bytes_per_second>},
    Row{"DCGM_FI_PROF_NVLINK_RX_BYTES", kGauge, "Bytes per second to the GPU over NVLink",
        plain<&G::nvlink_receive_bytes_per_second>}};

// "1g.10gb" of "NVIDIA H100 80GB HBM3 MIG 1g.10gb"; empty: not said.
std::string profile_of(const GpuReading& slice) {
  constexpr std::string_view kBefore = " MIG ";
  const std::size_t found = slice.name.rfind(kBefore);
  return found == std::string::npos ? std::string() : slice.name.substr(found + kBefore.size());
}

// By its instance, as the driver numbers them; by its place where that is not known.
void add_slice_labels(const GpuReading& slice, const std::string& place, Labels& labels) {
  const std::string profile = profile_of(slice);
  if (!profile.empty()) labels.emplace_back("GPU_I_PROFILE", profile);
  labels.emplace_back("GPU_I_ID", slice.gpu_instance ? std::to_string(*slice.gpu_instance) : place);
}

// A slice goes by the number, the UUID and the model of its GPU there, and by what it is of it.
Labels dcgm_labels(const GpuReading& gpu, const telemetry::Sample& sample,
                   const std::string& host) {
  const std::size_t colon = gpu.gpu.find(':');
  const std::string number = gpu.gpu.substr(0, colon);
  const GpuReading* physical = &gpu;
  for (const auto& other : sample.gpus) {
    if (other.gpu == number) physical = &other;
  }
  Labels labels{{"gpu", number}, {"UUID", physical->uuid}};
  if (!physical->pci_bus_id.empty()) labels.emplace_back("pci_bus_id", physical->pci_bus_id);
  labels.emplace_back("device", "nvidia" + number);
  labels.emplace_back("modelName", physical->name);
  if (colon != std::string::npos) add_slice_labels(gpu, gpu.gpu.substr(colon + 1), labels);
  labels.emplace_back("Hostname", host);
  return labels;
}

Value number_in(const std::string& text) {
  int number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  return wrong == std::errc() && end == text.data() + text.size() ? Value(number) : Value();
}

// Slices have none of their own.
Family last_xids(const MetricsSnapshot& exposition, const std::string& host) {
  Family xid{
      "DCGM_FI_DEV_XID_ERRORS", kGauge, "Number of the driver's last error (XID); 0: none", {}};
  for (const auto& gpu : exposition.sample.gpus) {
    if (!gpu.up || gpu.gpu.find(':') != std::string::npos) continue;
    const auto last = exposition.gpu_last_xid.find(gpu.gpu);
    xid.add(dcgm_labels(gpu, exposition.sample, host),
            last == exposition.gpu_last_xid.end() ? Value(0) : number_in(last->second));
  }
  return xid;
}

}  // namespace

std::vector<Family> dcgm_families(const MetricsSnapshot& exposition, const std::string& host) {
  const auto& sample = exposition.sample;
  std::vector<Family> families;
  for (const auto& row : kRows) {
    Family family{std::string(row.name), row.kind, std::string(row.help), {}};
    for (const auto& gpu : sample.gpus) {
      if (gpu.up) family.add(dcgm_labels(gpu, sample, host), row.get(gpu));
    }
    families.push_back(std::move(family));
  }
  families.push_back(last_xids(exposition, host));
  return families;
}

}  // namespace batchscope::exporter

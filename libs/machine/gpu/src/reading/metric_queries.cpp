#include "metric_queries.hpp"

#include <array>
#include <iterator>
#include <vector>

#include "batchscope/base/subprocess.hpp"
#include "plausible.hpp"

namespace batchscope::gpu {
namespace {

using nvml::call;
using nvml::Device;
using nvml::kSuccess;
using nvml::Library;
using nvml::Status;
using telemetry::GpuReading;

// The programs that compute on a GPU or a slice: a question as the others.
nvml::Status processes(const nvml::Library& library, nvml::Device device,
                       telemetry::GpuReading& reading) {
  // Programs start between two calls: a list that was too short is asked for again, with room.
  constexpr int kTries = 4;
  constexpr unsigned kRoom = 8;
  std::vector<nvml::Process> list(kRoom);
  for (int tries = 0; tries < kTries; ++tries) {
    auto count = static_cast<unsigned>(list.size());
    const nvml::Status status =
        nvml::call(library.list_processes, device, &count, static_cast<void*>(list.data()));
    if (status == nvml::kInsufficientSize) {
      list.resize(std::size_t{count} + kRoom);
      continue;
    }
    if (status != nvml::kSuccess) return status;
    list.resize(std::min<std::size_t>(count, list.size()));
    for (const nvml::Process& each : list) {
      reading.processes.push_back(
          {each.pid, plausible_count(each.memory), !base::process_exists(each.pid)});
    }
    return status;
  }
  return nvml::kInsufficientSize;
}

constexpr double kMega = 1e6, kKilo = 1e3, kMillis = 1000;  // of one
constexpr double kMostMegahertz = 1e5, kMostWatts = 1e5, kMostKilobytes = 1e9;

Status ask_text(nvml::DeviceTextCall function, Device device, std::string& into) {
  std::array<char, nvml::kNameCapacity> text{};
  const Status status = call(function, device, text.data(), nvml::kNameCapacity);
  text.back() = '\0';
  if (status == kSuccess) into = text.data();
  return status;
}

// Asks for a number of 32 bits, and gives it to `take`.
template <class Function, class Take, class... Kinds>
Status ask_number(Take take, Function function, Device device, Kinds... kinds) {
  unsigned value = 0;
  const Status status = call(function, device, kinds..., &value);
  if (status == kSuccess) take(value);
  return status;
}

Status ask_watts(nvml::DeviceNumberCall function, Device device, std::optional<double>& into) {
  return ask_number(
      [&](unsigned value) { into = plausible_amount(value / kMillis, kMostWatts, 1); }, function,
      device);
}

Status ask_count(nvml::DeviceNumberCall function, Device device, std::optional<int64_t>& into) {
  return ask_number([&](unsigned value) { into = plausible_count(value); }, function, device);
}

Status ask_ecc(const Library& nvml, Device device, unsigned kind, std::optional<int64_t>& into) {
  unsigned long long count = 0;
  const Status status = call(nvml.ecc_errors, device, kind, nvml::kEccSinceDriverLoad, &count);
  if (status == kSuccess) into = plausible_count(count);
  return status;
}

Status ask_pcie(const Library& nvml, Device device, unsigned kind, std::optional<double>& into) {
  return ask_number([&](unsigned value) { into = plausible_amount(value, kMostKilobytes, kKilo); },
                    nvml.pcie_throughput, device, kind);
}

Status slowdown_temperature(const Library& nvml, Device device, GpuReading& reading) {
  return ask_number(
      [&](unsigned value) { reading.slowdown_temperature_celsius = plausible_celsius(value); },
      nvml.temperature_threshold, device, nvml::kThresholdSlowdown);
}

constexpr std::array<MetricQuery, 2> kIdentity{
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_text(nvml.name, device, reading.name);
    },
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_text(nvml.uuid, device, reading.uuid);
    },
};

Status pci_bus_id(const Library& nvml, Device device, GpuReading& reading) {
  nvml::PciInfo info{};
  const Status status = call(nvml.pci_info, device, &info);
  std::end(info.bus_id)[-1] = '\0';
  if (status == kSuccess) reading.pci_bus_id = info.bus_id;
  return status;
}

constexpr std::array<MetricQuery, 3> kLasting{
    pci_bus_id,
    slowdown_temperature,
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_hertz(nvml.max_clock, device, nvml::kClockSm, reading.max_sm_clock_hertz);
    },
};

Status older_memory(const Library& nvml, Device device, GpuReading& reading) {
  nvml::Memory memory{};
  const Status status = call(nvml.memory, device, &memory);
  if (status != kSuccess) return status;
  reading.memory_total_bytes = plausible_count(memory.total);
  reading.memory_used_bytes = plausible_count(memory.used);
  return status;
}

constexpr std::array<MetricQuery, 2> kOwn{ask_memory, processes};

Status busy_ratios(const Library& nvml, Device device, GpuReading& reading) {
  constexpr double kAllPercent = 100;
  nvml::Utilization used{};
  const Status status = call(nvml.utilization, device, &used);
  if (status != kSuccess) return status;
  reading.busy_ratio = plausible_ratio(used.gpu / kAllPercent);
  reading.memory_busy_ratio = plausible_ratio(used.memory / kAllPercent);
  return status;
}

Status energy(const Library& nvml, Device device, GpuReading& reading) {
  unsigned long long millijoules = 0;
  const Status status = call(nvml.energy, device, &millijoules);
  if (status != kSuccess) return status;
  const auto known = plausible_count(millijoules);
  if (known) reading.energy_joules_total = static_cast<double>(*known) / kMillis;
  return status;
}

Status temperature(const Library& nvml, Device device, GpuReading& reading) {
  return ask_number([&](unsigned value) { reading.temperature_celsius = plausible_celsius(value); },
                    nvml.temperature, device, nvml::kTemperatureGpu);
}

Status memory_temperature(const Library& nvml, Device device, GpuReading& reading) {
  nvml::FieldValue field{};
  field.field = nvml::kFieldMemoryTemperature;
  const Status status = call(nvml.fields, device, 1, &field);
  if (status != kSuccess || field.status != kSuccess) {
    return status != kSuccess ? status : field.status;
  }
  reading.memory_temperature_celsius = plausible_celsius(field.value.narrow);
  return status;
}

Status remapped_rows(const Library& nvml, Device device, GpuReading& reading) {
  unsigned corrected = 0, uncorrected = 0, pending = 0, failed = 0;
  const Status status =
      call(nvml.remapped_rows, device, &corrected, &uncorrected, &pending, &failed);
  if (status != kSuccess) return status;
  const auto first = plausible_count(corrected), second = plausible_count(uncorrected);
  if (first && second) reading.remapped_rows_total = *first + *second;
  if (pending <= 1) reading.remap_pending = pending == 1;
  return status;
}

constexpr std::array<MetricQuery, 14> kShared{
    busy_ratios,
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_watts(nvml.power, device, reading.power_watts);
    },
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_watts(nvml.power_limit, device, reading.power_limit_watts);
    },
    energy,
    temperature,
    memory_temperature,
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_hertz(nvml.clock, device, nvml::kClockSm, reading.sm_clock_hertz);
    },
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_hertz(nvml.clock, device, nvml::kClockMemory, reading.memory_clock_hertz);
    },
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_ecc(nvml, device, nvml::kEccCorrected, reading.ecc_corrected_errors_total);
    },
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_ecc(nvml, device, nvml::kEccUncorrected, reading.ecc_uncorrected_errors_total);
    },
    remapped_rows,
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_count(nvml.pcie_replays, device, reading.pcie_replays_total);
    },
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_count(nvml.pcie_generation, device, reading.pcie_link_generation);
    },
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_count(nvml.pcie_width, device, reading.pcie_link_width);
    },
};

constexpr std::array<MetricQuery, 2> kSlow{
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_pcie(nvml, device, nvml::kPcieTransmit, reading.pcie_transmit_bytes_per_second);
    },
    [](const Library& nvml, Device device, GpuReading& reading) {
      return ask_pcie(nvml, device, nvml::kPcieReceive, reading.pcie_receive_bytes_per_second);
    },
};

}  // namespace

Status ask_hertz(nvml::DeviceKindNumberCall function, Device device, unsigned kind,
                 std::optional<double>& into) {
  return ask_number([&](unsigned mhz) { into = plausible_amount(mhz, kMostMegahertz, kMega); },
                    function, device, kind);
}

// The older call counts what the driver keeps for itself as used.
Status ask_memory(const Library& nvml, Device device, GpuReading& reading) {
  nvml::MemoryV2 memory{};
  memory.version = nvml::version_of<nvml::MemoryV2>(2);
  const Status status = call(nvml.memory_v2, device, &memory);
  if (nvml::outcome_of(status) == nvml::Outcome::refused) {
    return older_memory(nvml, device, reading);
  }
  if (status != kSuccess) return status;
  reading.memory_total_bytes = plausible_count(memory.total);
  reading.memory_used_bytes = plausible_count(memory.used);
  reading.memory_reserved_bytes = plausible_count(memory.reserved);
  return status;
}

std::span<const MetricQuery> identity_questions() {
  return kIdentity;
}

std::span<const MetricQuery> lasting_questions() {
  return kLasting;
}

std::span<const MetricQuery> own_questions() {
  return kOwn;
}

std::span<const MetricQuery> shared_questions() {
  return kShared;
}

std::span<const MetricQuery> slow_questions() {
  return kSlow;
}

}  // namespace batchscope::gpu

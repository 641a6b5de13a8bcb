#include "batchscope/telemetry/metrics.hpp"

#include <array>

namespace batchscope::telemetry {
namespace {

template <class Of, class Value>
constexpr Of owner(Value Of::*);

template <class Value>
std::optional<double> number(const std::optional<Value>& value) {
  return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
}

template <class Value>
std::optional<double> number(const Value& value) {
  return static_cast<double>(value);
}

template <auto kMember>
constexpr auto row(std::string_view name, MetricKind kind, std::string_view help) {
  using Of = decltype(owner(kMember));
  return Metric<Of>{name, kind, help, [](const Of& of) { return number(of.*kMember); }};
}

constexpr std::array kGpuMetrics = {
    row<&GpuReading::busy_ratio>(
        "busy_ratio", MetricKind::gauge,
        "Share of time in which some kernel ran, however small; not how much of the GPU was used"),
    row<&GpuReading::memory_busy_ratio>("memory_busy_ratio", MetricKind::gauge,
                                        "Share of time in which device memory was read or written"),
    row<&GpuReading::graphics_active_ratio>(
        "graphics_active_ratio", MetricKind::gauge,
        "Share of time in which an engine that computes or draws was at work"),
    row<&GpuReading::sm_active_ratio>("sm_active_ratio", MetricKind::gauge,
                                      "Share of cycles in which a multiprocessor had work, mean "
                                      "over all of them; per cycle of the SM clock"),
    row<&GpuReading::sm_occupancy_ratio>(
        "sm_occupancy_ratio", MetricKind::gauge,
        "Warps that multiprocessors held, of those that they can hold"),
    row<&GpuReading::tensor_active_ratio>(
        "tensor_active_ratio", MetricKind::gauge,
        "Share of cycles in which tensor cores worked; per cycle of the SM clock"),
    row<&GpuReading::dram_active_ratio>("dram_active_ratio", MetricKind::gauge,
                                        "Share of the bandwidth of device memory that was used"),
    row<&GpuReading::pcie_transmit_bytes_per_second>("pcie_transmit_bytes_per_second",
                                                     MetricKind::gauge,
                                                     "Bytes a second from the GPU over PCIe"),
    row<&GpuReading::pcie_receive_bytes_per_second>(
        "pcie_receive_bytes_per_second", MetricKind::gauge, "Bytes a second to the GPU over PCIe"),
    row<&GpuReading::nvlink_transmit_bytes_per_second>("nvlink_transmit_bytes_per_second",
                                                       MetricKind::gauge,
                                                       "Bytes a second from the GPU over NVLink"),
    row<&GpuReading::nvlink_receive_bytes_per_second>("nvlink_receive_bytes_per_second",
                                                      MetricKind::gauge,
                                                      "Bytes a second to the GPU over NVLink"),
    row<&GpuReading::memory_used_bytes>("memory_used_bytes", MetricKind::gauge,
                                        "Device memory in use by all programs; older drivers add "
                                        "what they keep for themselves"),
    row<&GpuReading::memory_total_bytes>("memory_total_bytes", MetricKind::gauge,
                                         "Device memory that there is"),
    row<&GpuReading::memory_reserved_bytes>("memory_reserved_bytes", MetricKind::gauge,
                                            "Device memory that the driver keeps for itself"),
    row<&GpuReading::power_watts>("power_watts", MetricKind::gauge,
                                  "Power drawn by the board, as the driver averages it"),
    row<&GpuReading::power_limit_watts>("power_limit_watts", MetricKind::gauge,
                                        "Power from where the driver holds the clock down"),
    row<&GpuReading::energy_joules_total>("energy_joules_total", MetricKind::counter,
                                          "Energy used since the driver was loaded"),
    row<&GpuReading::temperature_celsius>("temperature_celsius", MetricKind::gauge,
                                          "Temperature of the GPU"),
    row<&GpuReading::memory_temperature_celsius>("memory_temperature_celsius", MetricKind::gauge,
                                                 "Temperature of the device memory"),
    row<&GpuReading::slowdown_temperature_celsius>(
        "slowdown_temperature_celsius", MetricKind::gauge,
        "Temperature from where the GPU slows itself down"),
    row<&GpuReading::sm_clock_hertz>("sm_clock_hertz", MetricKind::gauge,
                                     "Clock of the multiprocessors"),
    row<&GpuReading::max_sm_clock_hertz>("max_sm_clock_hertz", MetricKind::gauge,
                                         "Highest clock of the multiprocessors"),
    row<&GpuReading::memory_clock_hertz>("memory_clock_hertz", MetricKind::gauge,
                                         "Clock of the device memory"),
    row<&GpuReading::ecc_corrected_errors_total>(
        "ecc_corrected_errors_total", MetricKind::counter,
        "Errors of memory that were corrected, since the driver was loaded"),
    row<&GpuReading::ecc_uncorrected_errors_total>(
        "ecc_uncorrected_errors_total", MetricKind::counter,
        "Errors of memory that could not be corrected, since the driver was loaded"),
    row<&GpuReading::remapped_rows_total>(
        "remapped_rows_total", MetricKind::counter,
        "Rows of device memory that were replaced because of errors"),
    row<&GpuReading::remap_pending>("remap_pending", MetricKind::gauge,
                                    "1 where a reset is needed for a row to be replaced, else 0"),
    row<&GpuReading::pcie_replays_total>("pcie_replays_total", MetricKind::counter,
                                         "Packets that had to be sent again over PCIe"),
    row<&GpuReading::pcie_link_generation>("pcie_link_generation", MetricKind::gauge,
                                           "Generation of PCIe that the link runs at now"),
    row<&GpuReading::pcie_link_width>("pcie_link_width", MetricKind::gauge,
                                      "Lanes of PCIe that the link uses now")};

constexpr std::array kHostMetrics = {
    row<&HostReading::cpus>("cpus", MetricKind::gauge, "CPUs that may be used"),
    row<&HostReading::cpu_limit>(
        "cpu_limit", MetricKind::gauge,
        "CPUs that the cgroup's quota allows at most; 1.5 is one and a half"),
    row<&HostReading::cpu_busy_ratio>(
        "cpu_busy_ratio", MetricKind::gauge,
        "Share of the time of the CPUs that was spent working, for anyone"),
    row<&HostReading::cpu_system_ratio>(
        "cpu_system_ratio", MetricKind::gauge,
        "Share of the time of the CPUs that was spent in the kernel"),
    row<&HostReading::cpu_iowait_ratio>(
        "cpu_iowait_ratio", MetricKind::gauge,
        "Share of the time of the CPUs that was idle because work waited for disks"),
    row<&HostReading::cpu_steal_ratio>(
        "cpu_steal_ratio", MetricKind::gauge,
        "Share of the time of the CPUs that the hypervisor gave to other guests"),
    row<&HostReading::cpu_throttled_ratio>(
        "cpu_throttled_ratio", MetricKind::gauge,
        "Share of the periods of the CPU quota in which it stopped work"),
    row<&HostReading::load_average>("load_average", MetricKind::gauge,
                                    "Threads that ran or were ready to, mean of one minute"),
    row<&HostReading::memory_used_bytes>("memory_used_bytes", MetricKind::gauge,
                                         "Memory that cannot be had without taking it from a "
                                         "program; of the cgroup where it is limited"),
    row<&HostReading::memory_total_bytes>(
        "memory_total_bytes", MetricKind::gauge,
        "Memory that there is; of the cgroup where it is limited"),
    row<&HostReading::swap_used_bytes>("swap_used_bytes", MetricKind::gauge, "Swap space in use"),
    row<&HostReading::pressure_cpu_some_ratio>(
        "pressure_cpu_some_ratio", MetricKind::gauge,
        "Share of time in which some thread was ready and had no CPU"),
    row<&HostReading::pressure_memory_some_ratio>(
        "pressure_memory_some_ratio", MetricKind::gauge,
        "Share of time in which some thread waited for memory"),
    row<&HostReading::pressure_memory_full_ratio>(
        "pressure_memory_full_ratio", MetricKind::gauge,
        "Share of time in which all threads waited for memory"),
    row<&HostReading::pressure_io_some_ratio>(
        "pressure_io_some_ratio", MetricKind::gauge,
        "Share of time in which some thread waited for disks"),
    row<&HostReading::pressure_io_full_ratio>(
        "pressure_io_full_ratio", MetricKind::gauge,
        "Share of time in which all threads waited for disks"),
    row<&HostReading::disk_read_bytes_per_second>("disk_read_bytes_per_second", MetricKind::gauge,
                                                  "Bytes a second read from all disks"),
    row<&HostReading::disk_write_bytes_per_second>("disk_write_bytes_per_second", MetricKind::gauge,
                                                   "Bytes a second written to all disks"),
    row<&HostReading::disk_busy_ratio>(
        "disk_busy_ratio", MetricKind::gauge,
        "Share of time in which the busiest disk had something to do"),
    row<&HostReading::network_receive_bytes_per_second>(
        "network_receive_bytes_per_second", MetricKind::gauge,
        "Bytes a second received on all interfaces but the loopback"),
    row<&HostReading::network_transmit_bytes_per_second>(
        "network_transmit_bytes_per_second", MetricKind::gauge,
        "Bytes a second sent on all interfaces but the loopback")};

constexpr std::array kProcessMetrics = {
    row<&ProcessReading::cpu_cores>(
        "cpu_cores", MetricKind::gauge,
        "CPUs in use, as CPU time over wall time: 1.5 is one and a half"),
    row<&ProcessReading::busiest_thread_ratio>("busiest_thread_ratio", MetricKind::gauge,
                                               "Share of one CPU that its busiest thread used"),
    row<&ProcessReading::threads>("threads", MetricKind::gauge, "Threads of the process"),
    row<&ProcessReading::io_wait_ratio>(
        "io_wait_ratio", MetricKind::gauge,
        "Share of time in which its threads waited for disks, summed over threads"),
    row<&ProcessReading::resident_bytes>("resident_bytes", MetricKind::gauge,
                                         "Memory of the process that is in RAM"),
    row<&ProcessReading::read_bytes_per_second>("read_bytes_per_second", MetricKind::gauge,
                                                "Bytes a second that it made disks read"),
    row<&ProcessReading::write_bytes_per_second>("write_bytes_per_second", MetricKind::gauge,
                                                 "Bytes a second that it made disks write"),
    row<&ProcessReading::gpu_memory_bytes>("gpu_memory_bytes", MetricKind::gauge,
                                           "Device memory that it holds on all GPUs")};

constexpr std::array kTrainingMetrics = {
    row<&TrainingStep::step>("step", MetricKind::gauge,
                             "Number of the last step that the training loop told of"),
    row<&TrainingStep::seconds>("step_seconds", MetricKind::gauge,
                                "Wall time of the last step, with the wait for its batch"),
    row<&TrainingStep::loss>(
        "loss", MetricKind::gauge,
        "Loss as last told; absent where that is not finite, or none was told"),
    row<&TrainingStep::learning_rate>("learning_rate", MetricKind::gauge,
                                      "Learning rate as last told"),
    row<&TrainingStep::batch_size>("batch_size", MetricKind::gauge,
                                   "Samples of a step, as last told"),
    row<&TrainingStep::loading_seconds>(
        "loading_seconds", MetricKind::gauge,
        "Time of a step in which it waited for its batch, as last told")};

}  // namespace

std::span<const Metric<GpuReading>> gpu_metrics() {
  return kGpuMetrics;
}

std::span<const Metric<HostReading>> host_metrics() {
  return kHostMetrics;
}

std::span<const Metric<ProcessReading>> process_metrics() {
  return kProcessMetrics;
}

std::span<const Metric<TrainingStep>> training_metrics() {
  return kTrainingMetrics;
}

}  // namespace batchscope::telemetry

#include "rows/row.hpp"
#include "sample_tables.hpp"

namespace batchscope {
namespace {

using schema::Omit;
using telemetry::gauge;
using telemetry::HostReading;
using telemetry::plain;

constexpr std::array kHostRows = {
    gauge<&HostReading::cpus>("cpus", "Usable CPUs"),
    gauge<&HostReading::cpu_limit>("cpu_limit", "CPUs that the cgroup's quota allows, such as 1.5"),
    gauge<&HostReading::cpu_busy_ratio>("cpu_busy_ratio",
                                        "Share of CPU time spent working, for any program"),
    gauge<&HostReading::cpu_system_ratio>("cpu_system_ratio",
                                          "Share of CPU time spent in the kernel"),
    gauge<&HostReading::cpu_iowait_ratio>("cpu_iowait_ratio",
                                          "Share of CPU time that was idle, waiting for disks"),
    gauge<&HostReading::cpu_steal_ratio>(
        "cpu_steal_ratio", "Share of CPU time that the hypervisor gave to other guests"),
    plain<&HostReading::cpu_busy_ratio_by_core>("cpu_busy_ratio_by_core", {.omit = Omit::empty}),
    gauge<&HostReading::cpu_throttled_ratio>(
        "cpu_throttled_ratio", "Share of periods in which the CPU quota throttled the work"),
    gauge<&HostReading::load_average>("load_average",
                                      "Running or ready threads, mean of one minute"),
    gauge<&HostReading::memory_used_bytes>(
        "memory_used_bytes",
        "Used memory that cannot be reclaimed; of the cgroup if it has a limit"),
    gauge<&HostReading::memory_total_bytes>("memory_total_bytes",
                                            "Total memory; the cgroup's limit if it has one"),
    gauge<&HostReading::swap_used_bytes>("swap_used_bytes", "Used swap space"),
    gauge<&HostReading::pressure_cpu_some_ratio>(
        "pressure_cpu_some_ratio", "Share of time in which a ready thread had no CPU"),
    gauge<&HostReading::pressure_memory_some_ratio>(
        "pressure_memory_some_ratio", "Share of time in which a thread waited for memory"),
    gauge<&HostReading::pressure_memory_full_ratio>(
        "pressure_memory_full_ratio", "Share of time in which all threads waited for memory"),
    gauge<&HostReading::pressure_io_some_ratio>("pressure_io_some_ratio",
                                                "Share of time in which a thread waited for disks"),
    gauge<&HostReading::pressure_io_full_ratio>(
        "pressure_io_full_ratio", "Share of time in which all threads waited for disks"),
    gauge<&HostReading::disk_read_bytes_per_second>("disk_read_bytes_per_second",
                                                    "Bytes per second read from all disks"),
    gauge<&HostReading::disk_write_bytes_per_second>("disk_write_bytes_per_second",
                                                     "Bytes per second written to all disks"),
    gauge<&HostReading::disk_busy_ratio>("disk_busy_ratio",
                                         "Share of time in which the busiest disk was active"),
    gauge<&HostReading::network_receive_bytes_per_second>(
        "network_receive_bytes_per_second",
        "Bytes per second received on all interfaces except loopback"),
    gauge<&HostReading::network_transmit_bytes_per_second>(
        "network_transmit_bytes_per_second",
        "Bytes per second sent on all interfaces except loopback")};

}  // namespace

template <>
const schema::Table& schema::table_of<HostReading>() {
  static constexpr auto kFields = telemetry::fields_of(kHostRows);
  static constexpr Table kTable{kFields};
  return kTable;
}

std::span<const telemetry::MetricDescriptor<HostReading>> telemetry::host_metrics() {
  static constexpr auto kMetrics = telemetry::metrics_of<kHostRows>();
  return kMetrics;
}

}  // namespace batchscope

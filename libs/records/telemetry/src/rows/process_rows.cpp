#include "rows/row.hpp"
#include "sample_tables.hpp"

namespace batchscope {
namespace {

using schema::Omit;
using telemetry::gauge;
using telemetry::plain;
using telemetry::ProcessReading;

constexpr std::array kProcessRows = {
    plain<&ProcessReading::pid>("pid", {.required = true}),
    plain<&ProcessReading::parent>("parent", {.omit = Omit::empty}),
    plain<&ProcessReading::name>("name", {.omit = Omit::empty}),
    gauge<&ProcessReading::cpu_cores>("cpu_cores",
                                      "CPUs in use (CPU time over wall time), such as 1.5"),
    gauge<&ProcessReading::busiest_thread_ratio>("busiest_thread_ratio",
                                                 "CPU share of its busiest thread"),
    gauge<&ProcessReading::threads>("threads", "Threads of the process"),
    gauge<&ProcessReading::io_wait_ratio>(
        "io_wait_ratio", "Share of time that its threads waited for disks, summed over threads"),
    gauge<&ProcessReading::resident_bytes>("resident_bytes", "Resident memory of the process"),
    gauge<&ProcessReading::read_bytes_per_second>("read_bytes_per_second",
                                                  "Bytes per second that it read from disks"),
    gauge<&ProcessReading::write_bytes_per_second>("write_bytes_per_second",
                                                   "Bytes per second that it wrote to disks"),
    gauge<&ProcessReading::gpu_memory_bytes>("gpu_memory_bytes", "Its device memory on all GPUs")};

}  // namespace

template <>
const schema::Table& schema::table_of<ProcessReading>() {
  static constexpr auto kFields = telemetry::fields_of(kProcessRows);
  static constexpr Table kTable{kFields};
  return kTable;
}

std::span<const telemetry::MetricDescriptor<ProcessReading>> telemetry::process_metrics() {
  static constexpr auto kMetrics = telemetry::metrics_of<kProcessRows>();
  return kMetrics;
}

}  // namespace batchscope

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
    gauge<&ProcessReading::cpu_cores>(
        "cpu_cores", "CPUs in use, as CPU time over wall time: 1.5 is one and a half"),
    gauge<&ProcessReading::busiest_thread_ratio>("busiest_thread_ratio",
                                                 "Share of one CPU that its busiest thread used"),
    gauge<&ProcessReading::threads>("threads", "Threads of the process"),
    gauge<&ProcessReading::io_wait_ratio>(
        "io_wait_ratio",
        "Share of time in which its threads waited for disks, summed over threads"),
    gauge<&ProcessReading::resident_bytes>("resident_bytes",
                                           "Memory of the process that is in RAM"),
    gauge<&ProcessReading::read_bytes_per_second>("read_bytes_per_second",
                                                  "Bytes a second that it made disks read"),
    gauge<&ProcessReading::write_bytes_per_second>("write_bytes_per_second",
                                                   "Bytes a second that it made disks write"),
    gauge<&ProcessReading::gpu_memory_bytes>("gpu_memory_bytes",
                                             "Device memory that it holds on all GPUs")};

}  // namespace

template <>
const schema::Table& schema::table_of<ProcessReading>() {
  static constexpr auto kFields = telemetry::fields_of(kProcessRows);
  static constexpr Table kTable{kFields};
  return kTable;
}

std::span<const telemetry::Metric<ProcessReading>> telemetry::process_metrics() {
  static constexpr auto kMetrics = telemetry::metrics_of<kProcessRows>();
  return kMetrics;
}

}  // namespace batchscope

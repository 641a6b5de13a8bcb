#include "rows/row.hpp"
#include "sample_tables.hpp"

namespace batchscope {
namespace {

using schema::Omit;
using telemetry::counter;
using telemetry::gauge;
using telemetry::GpuReading;
using telemetry::plain;

constexpr std::array kGpuRows = {
    plain<&GpuReading::gpu>("gpu", {.required = true}),
    plain<&GpuReading::uuid>("uuid", {.omit = Omit::empty}),
    plain<&GpuReading::name>("name", {.omit = Omit::empty}),
    plain<&GpuReading::pci_bus_id>("pci_bus_id", {.omit = Omit::empty}),
    plain<&GpuReading::gpu_instance>("gpu_instance"),
    plain<&GpuReading::up>("up", {.required = true}),
    plain<&GpuReading::why_down>("why_down", {.omit = Omit::empty}),
    plain<&GpuReading::read_ns>("read_ns", {.omit = Omit::empty}),
    gauge<&GpuReading::busy_ratio>(
        "busy_ratio",
        "Share of time in which a kernel ran, however small; not how much of the GPU was used"),
    gauge<&GpuReading::memory_busy_ratio>("memory_busy_ratio",
                                          "Share of time with reads or writes of device memory"),
    gauge<&GpuReading::graphics_active_ratio>(
        "graphics_active_ratio", "Share of time in which a compute or graphics engine was active"),
    gauge<&GpuReading::sm_active_ratio>(
        "sm_active_ratio", "Share of SM cycles in which a multiprocessor had work, mean of all"),
    gauge<&GpuReading::sm_occupancy_ratio>("sm_occupancy_ratio",
                                           "Resident warps as a share of the maximum"),
    gauge<&GpuReading::tensor_active_ratio>("tensor_active_ratio",
                                            "Share of SM cycles in which tensor cores were active"),
    gauge<&GpuReading::dram_active_ratio>("dram_active_ratio",
                                          "Used share of the memory bandwidth"),
    gauge<&GpuReading::pcie_transmit_bytes_per_second>("pcie_transmit_bytes_per_second",
                                                       "Bytes per second from the GPU over PCIe"),
    gauge<&GpuReading::pcie_receive_bytes_per_second>("pcie_receive_bytes_per_second",
                                                      "Bytes per second to the GPU over PCIe"),
    gauge<&GpuReading::nvlink_transmit_bytes_per_second>(
        "nvlink_transmit_bytes_per_second", "Bytes per second from the GPU over NVLink"),
    gauge<&GpuReading::nvlink_receive_bytes_per_second>("nvlink_receive_bytes_per_second",
                                                        "Bytes per second to the GPU over NVLink"),
    gauge<&GpuReading::memory_used_bytes>(
        "memory_used_bytes", "Device memory used by all programs; older drivers add their own"),
    gauge<&GpuReading::memory_total_bytes>("memory_total_bytes", "Total device memory"),
    gauge<&GpuReading::memory_reserved_bytes>("memory_reserved_bytes",
                                              "Device memory reserved by the driver"),
    gauge<&GpuReading::power_watts>("power_watts",
                                    "Power draw of the board, averaged by the driver"),
    gauge<&GpuReading::power_limit_watts>("power_limit_watts",
                                          "Power limit at which the driver throttles the clock"),
    counter<&GpuReading::energy_joules_total>("energy_joules_total",
                                              "Energy used since the driver started"),
    gauge<&GpuReading::temperature_celsius>("temperature_celsius", "GPU temperature"),
    gauge<&GpuReading::memory_temperature_celsius>("memory_temperature_celsius",
                                                   "Memory temperature"),
    gauge<&GpuReading::slowdown_temperature_celsius>("slowdown_temperature_celsius",
                                                     "Temperature at which the GPU slows down"),
    gauge<&GpuReading::sm_clock_hertz>("sm_clock_hertz", "SM clock"),
    gauge<&GpuReading::max_sm_clock_hertz>("max_sm_clock_hertz", "Highest SM clock"),
    gauge<&GpuReading::memory_clock_hertz>("memory_clock_hertz", "Memory clock"),
    plain<&GpuReading::throttle_ns_total>("throttle_ns_total", {.omit = Omit::empty}),
    plain<&GpuReading::throttle_reasons>("throttle_reasons", {.omit = Omit::empty}),
    counter<&GpuReading::ecc_corrected_errors_total>(
        "ecc_corrected_errors_total", "Corrected memory errors since the driver started"),
    counter<&GpuReading::ecc_uncorrected_errors_total>(
        "ecc_uncorrected_errors_total", "Uncorrectable memory errors since the driver started"),
    counter<&GpuReading::remapped_rows_total>("remapped_rows_total",
                                              "Memory rows replaced after errors"),
    gauge<&GpuReading::remap_pending>("remap_pending",
                                      "1 if the GPU needs a reset to replace a memory row, else 0"),
    plain<&GpuReading::xid_errors_total>("xid_errors_total", {.omit = Omit::empty}),
    counter<&GpuReading::pcie_replays_total>("pcie_replays_total", "PCIe packets sent again"),
    gauge<&GpuReading::pcie_link_generation>("pcie_link_generation",
                                             "Current PCIe generation of the link"),
    gauge<&GpuReading::pcie_link_width>("pcie_link_width", "Current number of PCIe lanes"),
    plain<&GpuReading::processes>("processes", {.omit = Omit::empty})};

}  // namespace

template <>
const schema::Table& schema::table_of<GpuReading>() {
  static constexpr auto kFields = telemetry::fields_of(kGpuRows);
  static constexpr Table kTable{kFields};
  return kTable;
}

std::span<const telemetry::MetricDescriptor<GpuReading>> telemetry::gpu_metrics() {
  static constexpr auto kMetrics = telemetry::metrics_of<kGpuRows>();
  return kMetrics;
}

}  // namespace batchscope

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
        "Share of time in which some kernel ran, however small; not how much of the GPU was used"),
    gauge<&GpuReading::memory_busy_ratio>(
        "memory_busy_ratio", "Share of time in which device memory was read or written"),
    gauge<&GpuReading::graphics_active_ratio>(
        "graphics_active_ratio",
        "Share of time in which an engine that computes or draws was at work"),
    gauge<&GpuReading::sm_active_ratio>("sm_active_ratio",
                                        "Share of cycles in which a multiprocessor had work, mean "
                                        "over all of them; per cycle of the SM clock"),
    gauge<&GpuReading::sm_occupancy_ratio>(
        "sm_occupancy_ratio", "Warps that multiprocessors held, of those that they can hold"),
    gauge<&GpuReading::tensor_active_ratio>(
        "tensor_active_ratio",
        "Share of cycles in which tensor cores worked; per cycle of the SM clock"),
    gauge<&GpuReading::dram_active_ratio>("dram_active_ratio",
                                          "Share of the bandwidth of device memory that was used"),
    gauge<&GpuReading::pcie_transmit_bytes_per_second>("pcie_transmit_bytes_per_second",
                                                       "Bytes a second from the GPU over PCIe"),
    gauge<&GpuReading::pcie_receive_bytes_per_second>("pcie_receive_bytes_per_second",
                                                      "Bytes a second to the GPU over PCIe"),
    gauge<&GpuReading::nvlink_transmit_bytes_per_second>("nvlink_transmit_bytes_per_second",
                                                         "Bytes a second from the GPU over NVLink"),
    gauge<&GpuReading::nvlink_receive_bytes_per_second>("nvlink_receive_bytes_per_second",
                                                        "Bytes a second to the GPU over NVLink"),
    gauge<&GpuReading::memory_used_bytes>(
        "memory_used_bytes",
        "Device memory in use by all programs; older drivers add what they keep for themselves"),
    gauge<&GpuReading::memory_total_bytes>("memory_total_bytes", "Device memory that there is"),
    gauge<&GpuReading::memory_reserved_bytes>("memory_reserved_bytes",
                                              "Device memory that the driver keeps for itself"),
    gauge<&GpuReading::power_watts>("power_watts",
                                    "Power drawn by the board, as the driver averages it"),
    gauge<&GpuReading::power_limit_watts>("power_limit_watts",
                                          "Power from where the driver holds the clock down"),
    counter<&GpuReading::energy_joules_total>("energy_joules_total",
                                              "Energy used since the driver was loaded"),
    gauge<&GpuReading::temperature_celsius>("temperature_celsius", "Temperature of the GPU"),
    gauge<&GpuReading::memory_temperature_celsius>("memory_temperature_celsius",
                                                   "Temperature of the device memory"),
    gauge<&GpuReading::slowdown_temperature_celsius>(
        "slowdown_temperature_celsius", "Temperature from where the GPU slows itself down"),
    gauge<&GpuReading::sm_clock_hertz>("sm_clock_hertz", "Clock of the multiprocessors"),
    gauge<&GpuReading::max_sm_clock_hertz>("max_sm_clock_hertz",
                                           "Highest clock of the multiprocessors"),
    gauge<&GpuReading::memory_clock_hertz>("memory_clock_hertz", "Clock of the device memory"),
    plain<&GpuReading::throttle_ns_total>("throttle_ns_total", {.omit = Omit::empty}),
    plain<&GpuReading::throttle_reasons>("throttle_reasons", {.omit = Omit::empty}),
    counter<&GpuReading::ecc_corrected_errors_total>(
        "ecc_corrected_errors_total",
        "Errors of memory that were corrected, since the driver was loaded"),
    counter<&GpuReading::ecc_uncorrected_errors_total>(
        "ecc_uncorrected_errors_total",
        "Errors of memory that could not be corrected, since the driver was loaded"),
    counter<&GpuReading::remapped_rows_total>(
        "remapped_rows_total", "Rows of device memory that were replaced because of errors"),
    gauge<&GpuReading::remap_pending>("remap_pending",
                                      "1 where a reset is needed for a row to be replaced, else 0"),
    plain<&GpuReading::xid_errors_total>("xid_errors_total", {.omit = Omit::empty}),
    counter<&GpuReading::pcie_replays_total>("pcie_replays_total",
                                             "Packets that had to be sent again over PCIe"),
    gauge<&GpuReading::pcie_link_generation>("pcie_link_generation",
                                             "Generation of PCIe that the link runs at now"),
    gauge<&GpuReading::pcie_link_width>("pcie_link_width", "Lanes of PCIe that the link uses now"),
    plain<&GpuReading::processes>("processes", {.omit = Omit::empty})};

}  // namespace

template <>
const schema::Table& schema::table_of<GpuReading>() {
  static constexpr auto kFields = telemetry::fields_of(kGpuRows);
  static constexpr Table kTable{kFields};
  return kTable;
}

std::span<const telemetry::Metric<GpuReading>> telemetry::gpu_metrics() {
  static constexpr auto kMetrics = telemetry::metrics_of<kGpuRows>();
  return kMetrics;
}

}  // namespace batchscope

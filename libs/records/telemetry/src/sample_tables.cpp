#include "sample_tables.hpp"

#include <array>

#include "batchscope/schema/describe.hpp"

namespace batchscope::schema {

template <>
const Table& table_of<telemetry::GpuProcess>() {
  using telemetry::GpuProcess;
  static constexpr std::array kFields = {
      field<&GpuProcess::pid>("pid", {.required = true}),
      field<&GpuProcess::memory_used_bytes>("memory_used_bytes"),
      field<&GpuProcess::hidden>("hidden", {.omit = Omit::empty})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<telemetry::GpuReading>() {
  using telemetry::GpuReading;
  static constexpr std::array kFields = {
      field<&GpuReading::gpu>("gpu", {.required = true}),
      field<&GpuReading::uuid>("uuid", {.omit = Omit::empty}),
      field<&GpuReading::name>("name", {.omit = Omit::empty}),
      field<&GpuReading::pci_bus_id>("pci_bus_id", {.omit = Omit::empty}),
      field<&GpuReading::gpu_instance>("gpu_instance"),
      field<&GpuReading::up>("up", {.required = true}),
      field<&GpuReading::why_down>("why_down", {.omit = Omit::empty}),
      field<&GpuReading::read_ns>("read_ns", {.omit = Omit::empty}),
      field<&GpuReading::busy_ratio>("busy_ratio"),
      field<&GpuReading::memory_busy_ratio>("memory_busy_ratio"),
      field<&GpuReading::graphics_active_ratio>("graphics_active_ratio"),
      field<&GpuReading::sm_active_ratio>("sm_active_ratio"),
      field<&GpuReading::sm_occupancy_ratio>("sm_occupancy_ratio"),
      field<&GpuReading::tensor_active_ratio>("tensor_active_ratio"),
      field<&GpuReading::dram_active_ratio>("dram_active_ratio"),
      field<&GpuReading::pcie_transmit_bytes_per_second>("pcie_transmit_bytes_per_second"),
      field<&GpuReading::pcie_receive_bytes_per_second>("pcie_receive_bytes_per_second"),
      field<&GpuReading::nvlink_transmit_bytes_per_second>("nvlink_transmit_bytes_per_second"),
      field<&GpuReading::nvlink_receive_bytes_per_second>("nvlink_receive_bytes_per_second"),
      field<&GpuReading::memory_used_bytes>("memory_used_bytes"),
      field<&GpuReading::memory_total_bytes>("memory_total_bytes"),
      field<&GpuReading::memory_reserved_bytes>("memory_reserved_bytes"),
      field<&GpuReading::power_watts>("power_watts"),
      field<&GpuReading::power_limit_watts>("power_limit_watts"),
      field<&GpuReading::energy_joules_total>("energy_joules_total"),
      field<&GpuReading::temperature_celsius>("temperature_celsius"),
      field<&GpuReading::memory_temperature_celsius>("memory_temperature_celsius"),
      field<&GpuReading::slowdown_temperature_celsius>("slowdown_temperature_celsius"),
      field<&GpuReading::sm_clock_hertz>("sm_clock_hertz"),
      field<&GpuReading::max_sm_clock_hertz>("max_sm_clock_hertz"),
      field<&GpuReading::memory_clock_hertz>("memory_clock_hertz"),
      field<&GpuReading::throttle_ns_total>("throttle_ns_total", {.omit = Omit::empty}),
      field<&GpuReading::throttle_reasons>("throttle_reasons", {.omit = Omit::empty}),
      field<&GpuReading::ecc_corrected_errors_total>("ecc_corrected_errors_total"),
      field<&GpuReading::ecc_uncorrected_errors_total>("ecc_uncorrected_errors_total"),
      field<&GpuReading::remapped_rows_total>("remapped_rows_total"),
      field<&GpuReading::remap_pending>("remap_pending"),
      field<&GpuReading::xid_errors_total>("xid_errors_total", {.omit = Omit::empty}),
      field<&GpuReading::pcie_replays_total>("pcie_replays_total"),
      field<&GpuReading::pcie_link_generation>("pcie_link_generation"),
      field<&GpuReading::pcie_link_width>("pcie_link_width"),
      field<&GpuReading::processes>("processes", {.omit = Omit::empty})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<telemetry::HostReading>() {
  using telemetry::HostReading;
  static constexpr std::array kFields = {
      field<&HostReading::cpus>("cpus"),
      field<&HostReading::cpu_limit>("cpu_limit"),
      field<&HostReading::cpu_busy_ratio>("cpu_busy_ratio"),
      field<&HostReading::cpu_system_ratio>("cpu_system_ratio"),
      field<&HostReading::cpu_iowait_ratio>("cpu_iowait_ratio"),
      field<&HostReading::cpu_steal_ratio>("cpu_steal_ratio"),
      field<&HostReading::cpu_busy_ratio_by_core>("cpu_busy_ratio_by_core", {.omit = Omit::empty}),
      field<&HostReading::cpu_throttled_ratio>("cpu_throttled_ratio"),
      field<&HostReading::load_average>("load_average"),
      field<&HostReading::memory_used_bytes>("memory_used_bytes"),
      field<&HostReading::memory_total_bytes>("memory_total_bytes"),
      field<&HostReading::swap_used_bytes>("swap_used_bytes"),
      field<&HostReading::pressure_cpu_some_ratio>("pressure_cpu_some_ratio"),
      field<&HostReading::pressure_memory_some_ratio>("pressure_memory_some_ratio"),
      field<&HostReading::pressure_memory_full_ratio>("pressure_memory_full_ratio"),
      field<&HostReading::pressure_io_some_ratio>("pressure_io_some_ratio"),
      field<&HostReading::pressure_io_full_ratio>("pressure_io_full_ratio"),
      field<&HostReading::disk_read_bytes_per_second>("disk_read_bytes_per_second"),
      field<&HostReading::disk_write_bytes_per_second>("disk_write_bytes_per_second"),
      field<&HostReading::disk_busy_ratio>("disk_busy_ratio"),
      field<&HostReading::network_receive_bytes_per_second>("network_receive_bytes_per_second"),
      field<&HostReading::network_transmit_bytes_per_second>("network_transmit_bytes_per_second")};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<telemetry::ProcessReading>() {
  using telemetry::ProcessReading;
  static constexpr std::array kFields = {
      field<&ProcessReading::pid>("pid", {.required = true}),
      field<&ProcessReading::parent>("parent", {.omit = Omit::empty}),
      field<&ProcessReading::name>("name", {.omit = Omit::empty}),
      field<&ProcessReading::cpu_cores>("cpu_cores"),
      field<&ProcessReading::busiest_thread_ratio>("busiest_thread_ratio"),
      field<&ProcessReading::threads>("threads"),
      field<&ProcessReading::io_wait_ratio>("io_wait_ratio"),
      field<&ProcessReading::resident_bytes>("resident_bytes"),
      field<&ProcessReading::read_bytes_per_second>("read_bytes_per_second"),
      field<&ProcessReading::write_bytes_per_second>("write_bytes_per_second"),
      field<&ProcessReading::gpu_memory_bytes>("gpu_memory_bytes")};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<telemetry::Sample>() {
  using telemetry::Sample;
  static constexpr std::array kFields = {
      field<&Sample::time_ns>("time_ns", {.required = true}),
      field<&Sample::gpu_absent>("gpu_absent", {.omit = Omit::empty}),
      field<&Sample::gpus>("gpus", {.omit = Omit::empty}), field<&Sample::host>("host"),
      field<&Sample::processes>("processes", {.omit = Omit::empty})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<telemetry::TrainingStep>() {
  using telemetry::TrainingStep;
  static constexpr std::array kFields = {
      field<&TrainingStep::time_ns>("time_ns", {.required = true}),
      field<&TrainingStep::source>("source", {.omit = Omit::empty}),
      field<&TrainingStep::step>("step", {.required = true}),
      field<&TrainingStep::seconds>("seconds", {.required = true}),
      field<&TrainingStep::loss>("loss"),
      field<&TrainingStep::loss_word>("loss_word", {.omit = Omit::empty}),
      field<&TrainingStep::learning_rate>("learning_rate"),
      field<&TrainingStep::batch_size>("batch_size"),
      field<&TrainingStep::loading_seconds>("loading_seconds"),
      field<&TrainingStep::profiled>("profiled", {.omit = Omit::empty}),
      field<&TrainingStep::profile_file>("profile_file", {.omit = Omit::empty})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<telemetry::JudgedBy>() {
  using telemetry::JudgedBy;
  static constexpr std::array kFields = {field<&JudgedBy::name>("name", {.required = true}),
                                         field<&JudgedBy::value>("value", {.required = true})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<telemetry::LogHeader>() {
  using telemetry::LogHeader;
  static constexpr std::array kFields = {
      field<&LogHeader::schema_version>("schema_version", {.required = true, .least = 1}),
      field<&LogHeader::tool_version>("tool_version", {.omit = Omit::empty}),
      field<&LogHeader::created>("created", {.omit = Omit::empty}),
      field<&LogHeader::host>("host", {.omit = Omit::empty}),
      field<&LogHeader::interval_seconds>("interval_seconds", {.least = 0}),
      field<&LogHeader::window_seconds>("window_seconds", {.omit = Omit::empty, .least = 0}),
      field<&LogHeader::judged_by>("judged_by", {.omit = Omit::empty}),
      field<&LogHeader::command>("command", {.omit = Omit::empty})};
  static constexpr Table kTable{kFields};
  return kTable;
}

}  // namespace batchscope::schema

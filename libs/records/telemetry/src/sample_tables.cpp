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

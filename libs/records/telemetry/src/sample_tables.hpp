#pragma once

#include "batchscope/schema/fields.hpp"
#include "batchscope/telemetry/log_line.hpp"

namespace batchscope::schema {

template <>
const Table& table_of<telemetry::GpuProcess>();
template <>
const Table& table_of<telemetry::GpuReading>();
template <>
const Table& table_of<telemetry::HostReading>();
template <>
const Table& table_of<telemetry::ProcessReading>();
template <>
const Table& table_of<telemetry::Sample>();
template <>
const Table& table_of<telemetry::TrainingStep>();
template <>
const Table& table_of<telemetry::JudgedBy>();
template <>
const Table& table_of<telemetry::LogHeader>();

}  // namespace batchscope::schema

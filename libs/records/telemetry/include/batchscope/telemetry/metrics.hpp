#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "batchscope/telemetry/sample.hpp"

// Every number of a sample once: its name in JSON, its name for Prometheus and for TensorBoard, and
// what it means. Who exports or shows numbers goes by these tables.
namespace batchscope::telemetry {

enum class MetricKind {
  gauge,
  counter  // never falls but where its source begins anew
};

template <class Of>
struct MetricDescriptor {
  // As the field of the reading and in JSON (but step_seconds). Prometheus: "batchscope_gpu_",
  // "batchscope_host_", "batchscope_process_" or "batchscope_training_" before it.
  std::string_view name;
  MetricKind kind = MetricKind::gauge;
  std::string_view help;  // one sentence with its unit, and what it is not
  std::optional<double> (*get)(const Of&) = nullptr;
};

// In the order of their structs. Of what has labels of its own (by reason, by XID, by core) there
// is no row.
std::span<const MetricDescriptor<GpuReading>> gpu_metrics();
std::span<const MetricDescriptor<HostReading>> host_metrics();
std::span<const MetricDescriptor<ProcessReading>> process_metrics();
std::span<const MetricDescriptor<TrainingStep>> training_metrics();

}  // namespace batchscope::telemetry

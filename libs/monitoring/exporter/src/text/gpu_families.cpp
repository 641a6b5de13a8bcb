#include <span>
#include <utility>

#include "text/families.hpp"

namespace batchscope::exporter {
namespace {

using telemetry::GpuReading;
using telemetry::MetricKind;

constexpr double kNanosecondsInSecond = 1e9;

Labels labels_of(const GpuReading& gpu) {
  return {{"gpu", gpu.gpu}, {"uuid", gpu.uuid}};
}

Labels with(Labels labels, std::string_view name, const std::string& value) {
  labels.emplace_back(name, value);
  return labels;
}

// What is said of a GPU whether it answers or not.
std::vector<Family> active(const MetricsSnapshot& exposition) {
  Family info{"batchscope_gpu_info",
              MetricKind::gauge,
              "1, with the GPU's name and identity as labels",
              {}};
  Family up{"batchscope_gpu_up", MetricKind::gauge, "1 if the GPU answers the driver, else 0", {}};
  Family success{"batchscope_gpu_last_success_timestamp_seconds",
                 MetricKind::gauge,
                 "Time of the last reading of the GPU, in seconds since the epoch",
                 {}};
  for (const auto& gpu : exposition.sample.gpus) {
    if (!gpu.name.empty()) info.add(with(labels_of(gpu), "name", gpu.name), 1);
    up.add(labels_of(gpu), gpu.up ? 1 : 0);
    const auto known = exposition.gpu_last_success_ns.find(gpu.gpu);
    if (gpu.up) {
      success.add(labels_of(gpu), static_cast<double>(gpu.read_ns) / kNanosecondsInSecond);
    } else if (known != exposition.gpu_last_success_ns.end()) {
      success.add(labels_of(gpu), static_cast<double>(known->second) / kNanosecondsInSecond);
    }
  }
  return {std::move(info), std::move(up), std::move(success)};
}

// One series for each name that something was counted under.
Family counted(Family family, std::string_view label, std::span<const GpuReading> gpus,
               telemetry::CountByName GpuReading::*counts, double unit) {
  for (const auto& gpu : gpus) {
    if (!gpu.up) continue;
    for (const auto& [name, count] : gpu.*counts) {
      family.add(with(labels_of(gpu), label, name), static_cast<double>(count) / unit);
    }
  }
  return family;
}

}  // namespace

std::vector<Family> gpu_families(const MetricsSnapshot& exposition) {
  const auto& gpus = exposition.sample.gpus;
  std::vector<Family> families = active(exposition);
  for (const auto& metric : telemetry::gpu_metrics()) {
    Family family{
        "batchscope_gpu_" + std::string(metric.name), metric.kind, std::string(metric.help), {}};
    for (const auto& gpu : gpus) {
      if (gpu.up) family.add(labels_of(gpu), metric.get(gpu));
    }
    families.push_back(std::move(family));
  }
  families.push_back(counted(
      {"batchscope_gpu_throttle_seconds_total",
       MetricKind::counter,
       "Time with a throttled clock since the monitor started, by reason; reasons may overlap",
       {}},
      "reason", gpus, &GpuReading::throttle_ns_total, kNanosecondsInSecond));
  families.push_back(counted({"batchscope_gpu_xid_errors_total",
                              MetricKind::counter,
                              "Errors that the driver reported since the monitor started, by XID",
                              {}},
                             "xid", gpus, &GpuReading::xid_errors_total, 1));
  return families;
}

}  // namespace batchscope::exporter

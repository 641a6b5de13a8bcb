// Of the fake libnvidia-ml: slices of divided GPUs (MIG), and metrics by GPM.
#include <string>

#include "driver.hpp"

namespace nvml = batchscope::nvml;
using fake_driver::ask;
using fake_driver::Json;
using fake_driver::Place;
using fake_driver::the_driver;
using nvml::Device;
using nvml::GpmSample;
using nvml::Status;

struct nvml::GpmSampleHandle {
  Device device = nullptr;
  Json metrics;
};

namespace {

unsigned instance_of(const Json& slice, std::size_t place) {
  return slice.value("gpu_instance", static_cast<unsigned>(place + 1));
}

Status take(Device device, GpmSample sample) {
  return ask(device, "gpm", [&](const Json& value) {
    sample->device = device;
    sample->metrics = value;
    return nvml::kSuccess;
  });
}

void answer(const Json& metrics, nvml::GpmMetric& metric) {
  const std::string name = std::to_string(metric.id);
  metric.status = nvml::kSuccess;
  metric.value = metrics.value(name, 0.0);
  metric.short_name = metrics.contains(name) ? "metric" : nullptr;
  metric.long_name = metric.short_name;
}

}  // namespace

extern "C" {

Status nvmlDeviceGetMigMode(Device device, unsigned* current, unsigned* pending) {
  return ask(device, "mig", [&](const Json& value) {
    *current = *pending = value.get<bool>() ? 1U : 0U;
    return nvml::kSuccess;
  });
}

Status nvmlDeviceGetMaxMigDeviceCount(Device device, unsigned* count) {
  constexpr unsigned kOfAnH100 = 7;
  *count = kOfAnH100;
  return the_driver().readiness(device);
}

Status nvmlDeviceGetMigDeviceHandleByIndex(Device device, unsigned index, Device* slice) {
  return ask(device, "slices", [&](const Json& value) {
    if (index >= value.size() || value.at(index).is_null()) return fake_driver::kNotFound;
    *slice = Place{Place::of(device).gpu, index + 1}.handle();
    return nvml::kSuccess;
  });
}

Status nvmlDeviceGetGpuInstanceId(Device device, unsigned* instance) {
  const Place place = Place::of(device);
  if (place.slice == 0) return nvml::kNotSupported;
  const Json slices = the_driver().gpu_fact(place.gpu, "slices");
  *instance = instance_of(slices.at(place.slice - 1), place.slice - 1);
  return the_driver().readiness(device);
}

Status nvmlGpmQueryDeviceSupport(Device device, nvml::GpmSupport* support) {
  if (support->version != 1 || the_driver().refuses_version(device, "gpm")) {
    return nvml::kArgumentVersionMismatch;
  }
  const Place place = Place::of(device);
  support->supported = the_driver().gpu_fact(place.gpu, "gpm").is_null() ? 0U : 1U;
  for (const Json& slice : the_driver().gpu_fact(place.gpu, "slices")) {
    if (!slice.is_null() && slice.contains("gpm")) support->supported = 1;
  }
  return the_driver().readiness(device);
}

Status nvmlGpmSampleAlloc(GpmSample* sample) {
  *sample = new nvml::GpmSampleHandle;
  return nvml::kSuccess;
}

Status nvmlGpmSampleFree(GpmSample sample) {
  delete sample;
  return nvml::kSuccess;
}

Status nvmlGpmSampleGet(Device device, GpmSample sample) {
  return take(device, sample);
}

Status nvmlGpmMigSampleGet(Device device, unsigned instance, GpmSample sample) {
  const std::size_t gpu = Place::of(device).gpu;
  const Json slices = the_driver().gpu_fact(gpu, "slices");
  for (std::size_t index = 0; index < slices.size(); ++index) {
    if (slices.at(index).is_null() || instance_of(slices.at(index), index) != instance) continue;
    return take(Place{gpu, index + 1}.handle(), sample);
  }
  return nvml::kInvalidArgument;
}

Status nvmlGpmMetricsGet(nvml::GpmMetrics* metrics) {
  if (metrics->version != 1) return nvml::kArgumentVersionMismatch;
  const auto [earlier, later] = std::pair(metrics->earlier, metrics->later);
  if (earlier == nullptr || later == nullptr || earlier == later || earlier->device == nullptr ||
      earlier->device != later->device) {
    return nvml::kInvalidArgument;
  }
  for (unsigned each = 0; each < metrics->count; ++each) {
    answer(later->metrics, metrics->metrics[each]);
  }
  return nvml::kSuccess;
}

}  // extern "C"

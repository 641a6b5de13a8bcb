#include "devices.hpp"

#include <algorithm>

#include "batchscope/base/strings.hpp"

namespace batchscope::openvino_plugin {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

std::string our_name(const std::string& theirs) {
  std::string name = base::to_lower(theirs);
  std::replace(name.begin(), name.end(), '.', ':');
  return name;
}

ov::element::Type element_type(schema::Precision precision) {
  switch (precision) {
    case schema::Precision::fp32:
      return ov::element::f32;
    case schema::Precision::bf16:
      return ov::element::bf16;
    case schema::Precision::fp16:
      return ov::element::f16;
  }
  return ov::element::f32;
}

std::string capability(schema::Precision precision) {
  if (precision == schema::Precision::bf16) return ov::device::capability::BF16;
  return precision == schema::Precision::fp16 ? ov::device::capability::FP16
                                              : ov::device::capability::FP32;
}

Error precision_error(std::string what) {
  return {ErrorKind::failed, std::move(what), "--precision",
          "use --precision fp32, or another device"};
}

ov::AnyMap properties_of(const std::string& device, const engine::ExecutionSpec& execution,
                         bool profiling) {
  ov::AnyMap properties{ov::hint::inference_precision(element_type(execution.precision)),
                        ov::hint::performance_mode(ov::hint::PerformanceMode::LATENCY),
                        ov::num_streams(1), ov::enable_profiling(profiling)};
  if (device != "CPU") return properties;
  properties.insert(ov::inference_num_threads(execution.threads));
  // Where threads may run is for whoever started the process to say, as for other engines.
  properties.insert(ov::hint::enable_cpu_pinning(false));
  // Activations are not to be quantized, whatever the weights are stored as.
  properties.insert(ov::hint::dynamic_quantization_group_size(0));
  return properties;
}

Result<void> check_taken(const ov::CompiledModel& compiled, const std::string& device,
                         const engine::ExecutionSpec& execution) {
  const auto precision = compiled.get_property(ov::hint::inference_precision);
  if (precision != element_type(execution.precision)) {
    return precision_error("OpenVINO uses " + precision.to_string() + " though " +
                           std::string(schema::to_string(execution.precision)) + " was requested");
  }
  if (device != "CPU") return {};
  const int threads = compiled.get_property(ov::inference_num_threads);
  if (threads == execution.threads) return {};
  return Error{ErrorKind::failed,
               "OpenVINO runs with " + std::to_string(threads) + " threads instead of " +
                   std::to_string(execution.threads),
               "--threads", "use at most as many threads as this process has cores"};
}

}  // namespace

std::vector<std::string> device_names(const ov::Core& core) {
  std::vector<std::string> names;
  for (const std::string& device : core.get_available_devices()) names.push_back(our_name(device));
  return names;
}

Result<std::string> find_device(const ov::Core& core, std::string_view name) {
  if (name == "cpu") return std::string("CPU");  // without asking for drivers of other devices
  std::string known;
  for (const std::string& device : core.get_available_devices()) {
    if (our_name(device) == name) return device;
    known += (known.empty() ? "" : ", ") + our_name(device);
  }
  return Error{ErrorKind::failed,
               "device '" + std::string(name) + "' does not exist; available: " + known, "--device",
               "choose one of these; OpenVINO does not support CUDA"};
}

Result<void> check_precision(const ov::Core& core, const std::string& device,
                             schema::Precision precision) {
  const auto able = core.get_property(device, ov::device::capabilities);
  if (std::find(able.begin(), able.end(), capability(precision)) != able.end()) return {};
  return precision_error("device " + our_name(device) + " does not support " +
                         std::string(schema::to_string(precision)));
}

Result<ov::CompiledModel> compile(ov::Core& core, const std::shared_ptr<ov::Model>& model,
                                  const std::string& device, const engine::ExecutionSpec& execution,
                                  bool profiling) {
  if (auto can = check_precision(core, device, execution.precision); !can) return can.error();
  auto compiled = core.compile_model(model, device, properties_of(device, execution, profiling));
  if (auto taken = check_taken(compiled, device, execution); !taken) return taken.error();
  return compiled;
}

}  // namespace batchscope::openvino_plugin

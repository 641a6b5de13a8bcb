#pragma once

#include <openvino/openvino.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"

namespace batchscope::openvino_plugin {

// OpenVINO's devices by the names that users state: "CPU" is "cpu", "GPU.1" is "gpu:1".
std::vector<std::string> device_names(const ov::Core& core);

// OpenVINO's own name of a device. Errors: failed, saying which devices there are.
base::Result<std::string> find_device(const ov::Core& core, std::string_view name);

// Whether the device computes in it, rather than imitating it. Errors: failed.
base::Result<void> check_precision(const ov::Core& core, const std::string& device,
                                   schema::Precision precision);

// The model on the device, with all that OpenVINO would otherwise choose by itself set: the type it
// computes in, the threads, one stream. `profiling`: with per-layer counters, which cost time.
// Errors: failed (a precision that the device only imitates, or that OpenVINO did not take; a
// number of threads that it did not take), and what compiling threw.
base::Result<ov::CompiledModel> compile(ov::Core& core, const std::shared_ptr<ov::Model>& model,
                                        const std::string& device,
                                        const engine::ExecutionSpec& execution, bool profiling);

}  // namespace batchscope::openvino_plugin

#include "diagnose.hpp"

#include <algorithm>

#include "devices.hpp"
#include "model_file.hpp"
#include "profile_totals.hpp"

namespace batchscope::openvino_plugin {
namespace {

int64_t timed_infer(ov::InferRequest& request, BatchCycle& batch) {
  const std::vector<ov::Tensor>& inputs = batch.take();
  const int64_t start = engine::steady_clock().now_ns();
  for (size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
  request.infer();
  return engine::steady_clock().now_ns() - start;
}

// About a second: 3 to 20 iterations, rounded up to whole cycles.
int64_t iterations_after(int64_t first_ns, int64_t cycle) {
  constexpr int64_t kSecond = 1'000'000'000;
  const int64_t a_second = std::clamp<int64_t>(kSecond / std::max<int64_t>(1, first_ns), 3, 20);
  return (a_second + cycle - 1) / cycle * cycle;
}

}  // namespace

base::Result<void> diagnose(ov::Core& core, const engine::ModelSpec& spec,
                            const engine::ExecutionSpec& execution, BatchCycle& batch,
                            schema::Diagnosis& diagnosis) {
  const auto device = find_device(core, execution.device);
  if (!device) return device.error();
  const auto model = read_model(core, spec.path);
  if (!model) return model.error();
  auto compiled = compile(core, *model, *device, execution, /*profiling=*/true);
  if (!compiled) return std::move(compiled).error();
  ov::InferRequest request = compiled->create_infer_request();
  int64_t first_ns = 0;
  // The first time a shape is seen its kernels are made.
  LayerMeans before;
  for (; before.runs < 2 * batch.cycle(); ++before.runs) first_ns = timed_infer(request, batch);
  before.layers = request.get_profiling_info();
  const int64_t count = iterations_after(first_ns, batch.cycle());
  diagnosis.traced_ns = 0;
  for (int64_t i = 0; i < count; ++i) diagnosis.traced_ns += timed_infer(request, batch);
  ProfileTotals totals =
      totals_between(before, {request.get_profiling_info(), before.runs + count});
  diagnosis.tracer = "openvino";
  diagnosis.traced_iterations = diagnosis.logged_iterations = count;
  diagnosis.operations = std::move(totals.operations);
  diagnosis.primitives = std::move(totals.primitives);
  if (execution.device != "cpu") {
    diagnosis.absent["device_busy_ns"] = "OpenVINO's counters do not report it";
  }
  return {};
}

}  // namespace batchscope::openvino_plugin

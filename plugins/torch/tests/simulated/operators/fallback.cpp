// Whatever operator has no implementation of its own here: the CPU's kernel on the memory behind,
// on the stream's thread.
#include "fallback.hpp"

#include <ATen/ATen.h>
#include <ATen/ops/as_strided_native.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include "call.hpp"
#include "shapes.hpp"
#include "work/streams.hpp"

namespace batchscope::simulated {
namespace {

struct Returns {
  bool fresh = false;   // a tensor that is none of the arguments
  bool views = false;   // a tensor on an argument's memory
  bool values = false;  // something else: the host needs it
};

Returns returns_of(const c10::OperatorHandle& op) {
  Returns returns;
  for (const c10::Argument& result : op.schema().returns()) {
    const bool tensor = result.type()->isSubtypeOf(*c10::TensorType::get()) ||
                        result.type()->isSubtypeOf(*c10::ListType::ofTensors());
    const bool aliases = result.alias_info() != nullptr;
    returns.values |= !tensor;
    returns.fresh |= tensor && !aliases;
    returns.views |= tensor && aliases && !result.alias_info()->isWrite();
  }
  return returns;
}

at::Tensor same_view(const at::Tensor& base, const at::Tensor& base_host, const at::Tensor& view) {
  const auto bytes =
      static_cast<const char*>(view.data_ptr()) - static_cast<const char*>(base_host.data_ptr());
  const auto offset = bytes / static_cast<int64_t>(base.element_size());
  return at::native::as_strided_tensorimpl(base, view.sizes(), view.strides(),
                                           base.storage_offset() + offset);
}

// Only the header of the tensor is looked at: nothing is issued.
Stack views_of(const Call& call) {
  Stack made;
  const Stack results = run_on_host(call.op, call.host);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const at::Tensor base = argument_behind(call, call.op.schema().returns()[i]).toTensor();
    const at::Tensor base_host = call.host[0].toTensor();
    made.push_back(mapped(
        results[i], [&](const at::Tensor& view) { return same_view(base, base_host, view); }));
  }
  return made;
}

at::Tensor put_on(const c10::Device& device, const at::Tensor& result) {
  if (!result.defined()) return result;
  at::Tensor made = empty_like_on(result, device);
  if (result.numel() == 0) return made;
  current_queue(device.index()).drain();  // of the poison
  host_view(made).copy_(result);
  return made;
}

Stack waited_for(const Call& call) {
  Stack results;
  issue(
      call.device, name_of(call.op), bytes_of(call.host),
      [&] { results = run_on_host(call.op, call.host); }, /*wanted=*/true);
  current_queue(call.device.index()).drain();
  Stack made;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const c10::Argument& result = call.op.schema().returns()[i];
    if (result.alias_info() != nullptr) {
      made.push_back(argument_behind(call, result));
    } else {
      made.push_back(
          mapped(results[i], [&](const at::Tensor& t) { return put_on(call.device, t); }));
    }
  }
  return made;
}

void copy_results(const Stack& results, const Stack& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto from = tensors_of(results[i]), to = tensors_of(outputs[i]);
    for (std::size_t k = 0; k < to.size(); ++k) {
      if (to[k].defined() && to[k].numel() > 0) to[k].copy_(from.at(k));
    }
  }
}

void settle(const std::vector<std::pair<at::Tensor, at::Tensor>>& outs) {
  for (const auto& [given, belongs] : outs) {
    if (belongs.numel() == 0 || given.data_ptr() == belongs.data_ptr()) continue;
    belongs.copy_(given.view(belongs.sizes()));
  }
}

Stack issued(const Call& call, const Stack& shapes) {
  Stack outputs;
  Stack filled;  // a result each: the memory that a fresh one goes into
  const auto& returns = call.op.schema().returns();
  for (std::size_t i = 0; i < returns.size(); ++i) {
    if (returns[i].alias_info() != nullptr) {
      outputs.push_back(argument_behind(call, returns[i]));
      filled.emplace_back();
      continue;
    }
    outputs.push_back(
        mapped(shapes[i], [&](const at::Tensor& t) { return empty_like_on(t, call.device); }));
    filled.push_back(mapped(outputs.back(), &host_view));
  }
  issue(
      call.device, name_of(call.op), bytes_of(call.host) + bytes_of(filled),
      [op = call.op, host = call.host, outs = call.outs, filled] {
        copy_results(run_on_host(op, host), filled);
        settle(outs);
      },
      fills(call.op));
  return outputs;
}

}  // namespace

// Without them what a model is made of would be poison.
bool fills(const c10::OperatorHandle& op) {
  const std::string& name = op.operator_name().name;
  return name == "aten::zero_" || name == "aten::fill_";
}

void fallback(const c10::OperatorHandle& op, Stack* stack) {
  const auto n = static_cast<int64_t>(op.schema().arguments().size());
  Stack arguments(stack->end() - n, stack->end());
  stack->erase(stack->end() - n, stack->end());
  Call call = make_call(op, std::move(arguments));
  const c10::DeviceGuard guard(call.device);
  prepare(call);
  const Returns returns = returns_of(op);
  Stack results;
  if (returns.views) {
    results = views_of(call);
  } else {
    const bool reported = returns.fresh && !returns.values;
    const auto shapes = reported ? shapes_of(call) : std::nullopt;
    const bool unknown = returns.values || (returns.fresh && !shapes);
    results = unknown ? waited_for(call) : issued(call, shapes.value_or(Stack()));
  }
  for (c10::IValue& each : results) stack->push_back(std::move(each));
}

}  // namespace batchscope::simulated

#include "call.hpp"

#include <ATen/ATen.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <mutex>

#include "shapes.hpp"
#include "state/generator.hpp"
#include "work/streams.hpp"

namespace batchscope::simulated {
namespace {

c10::Device device_of(const Stack& arguments) {
  for (const c10::IValue& value : arguments) {
    for (const at::Tensor& tensor : tensors_of(value)) {
      if (on_device(tensor)) return tensor.device();
    }
  }
  for (const c10::IValue& value : arguments) {
    if (value.isDevice() && value.toDevice().type() == kType) return value.toDevice();
  }
  return {kType, current_device()};
}

// As CUDA's kernels: scalars may lie on the host, and indices may.
void check_devices(const Call& call) {
  if (call.op.operator_name().name.find("index") != std::string::npos) return;
  for (const c10::IValue& value : call.arguments) {
    for (const at::Tensor& tensor : tensors_of(value)) {
      if (!tensor.defined() || tensor.device() == call.device) continue;
      TORCH_CHECK(tensor.is_cpu() && tensor.dim() == 0,
                  "Expected all tensors to be on the same device, but found at least two devices, ",
                  call.device, " and ", tensor.device(), "! (", name_of(call.op), ")");
    }
  }
}

// An out= tensor that has no room yet gets it before the kernel is issued.
void make_room(Call& call) {
  const auto& schema = call.op.schema().arguments();
  std::vector<at::Tensor> outs;
  bool lacking = false;
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (!is_write(schema[i]) || !schema[i].is_out()) continue;
    if (!call.arguments[i].isTensor()) return;
    outs.push_back(call.arguments[i].toTensor());
    lacking |= outs.back().numel() == 0;
  }
  if (!lacking) return;
  const auto shapes = shapes_of(call);
  if (!shapes) return;
  for (std::size_t i = 0; i < outs.size(); ++i) {
    const at::Tensor wanted = (*shapes)[i].toTensor();
    if (outs[i].sizes() != wanted.sizes()) outs[i].resize_(wanted.sizes());
  }
}

bool takes_generator(const c10::Argument& argument) {
  const auto type = argument.type();
  if (type->kind() == c10::TypeKind::GeneratorType) return true;
  return type->kind() == c10::TypeKind::OptionalType &&
         type->castRaw<c10::OptionalType>()->getElementType()->kind() ==
             c10::TypeKind::GeneratorType;
}

// A CPU generator that continues what the device's would draw.
c10::IValue drawn_from(const c10::IValue& value, const c10::Device& device) {
  at::Generator source = value.isNone() ? default_generator(device.index()) : value.toGenerator();
  if (source.device().type() != kType) return value;
  const std::lock_guard lock(source.mutex());
  return source.get<Generator>()->draw();
}

// The CPU multiplies halves a hundred times slower than floats: multiplied as floats, and rounded.
bool is_slow_in_half(const std::string& name) {
  return name == "aten::mm" || name == "aten::addmm" || name == "aten::bmm" ||
         name == "aten::baddbmm";
}

Stack run_in_float(const c10::OperatorHandle& op, Stack stack) {
  const auto& schema = op.schema().arguments();
  std::vector<std::pair<at::Tensor, at::Tensor>> outs;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    if (!stack[i].isTensor()) continue;
    const at::Tensor given = stack[i].toTensor();
    if (!given.defined() || given.scalar_type() != at::kHalf) continue;
    const at::Tensor wide = given.to(at::kFloat);
    if (is_write(schema[i])) outs.emplace_back(given, wide);
    stack[i] = wide;
  }
  op.callBoxed(&stack);
  for (const auto& [given, wide] : outs) given.copy_(wide);
  return stack;
}

}  // namespace

Call make_call(const c10::OperatorHandle& op, Stack arguments) {
  Call call{op, std::move(arguments), {kType, 0}, {}, {}};
  call.device = device_of(call.arguments);
  check_devices(call);
  make_room(call);
  return call;
}

void prepare(Call& call) {
  const auto& schema = call.op.schema().arguments();
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    c10::IValue value = mapped(call.arguments[i], [&](const at::Tensor& tensor) {
      if (on_device(tensor) && schema[i].is_out()) {
        call.outs.emplace_back(resizable_host_view(tensor), host_view(tensor));
        return call.outs.back().first;
      }
      if (on_device(tensor) || !tensor.defined()) return host_view(tensor);
      // Of the host's tensors the value counts that they have now.
      return tensor.unsafeGetTensorImpl()->is_wrapped_number() ? tensor : tensor.clone();
    });
    if (value.isDevice()) value = c10::Device(at::kCPU);
    if (takes_generator(schema[i])) value = drawn_from(value, call.device);
    call.host.push_back(std::move(value));
  }
}

std::string name_of(const c10::OperatorHandle& op) {
  const auto& name = op.operator_name();
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

bool is_write(const c10::Argument& argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

const c10::IValue& argument_behind(const Call& call, const c10::Argument& result) {
  const auto& arguments = call.op.schema().arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* const alias = arguments[i].alias_info();
    if (alias != nullptr && alias->beforeSets() == result.alias_info()->beforeSets()) {
      return call.arguments[i];
    }
  }
  TORCH_CHECK(false, "no argument is behind a result of ", name_of(call.op));
}

Stack run_on_host(const c10::OperatorHandle& op, Stack stack) {
  const at::AutoDispatchBelowAutograd below;
  const c10::impl::ExcludeDispatchKeyGuard no_views(c10::DispatchKey::ADInplaceOrView);
  if (is_slow_in_half(op.operator_name().name)) return run_in_float(op, std::move(stack));
  op.callBoxed(&stack);
  return stack;
}

int64_t operation_cost(int64_t bytes) {
  const Options& o = options();
  if (o.operation_ns < 0 || o.memory_bytes_per_us <= 0) return o.operation_ns;
  return o.operation_ns + bytes * 1000 / o.memory_bytes_per_us;
}

void issue(const c10::Device& device, std::string name, int64_t bytes, std::function<void()> work,
           bool wanted) {
  Task task;
  task.name = std::move(name);
  task.kind = Kind::kernel;
  task.cost_ns = operation_cost(bytes);
  if (options().compute || wanted) task.work = std::move(work);
  current_queue(device.index()).push(std::move(task));
}

}  // namespace batchscope::simulated

#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "allocator/host_view.hpp"
#include "state/options.hpp"

namespace batchscope::simulated {

// One call of an operator on a device.
struct Call {
  const c10::OperatorHandle& op;
  Stack arguments;  // the caller's
  c10::Device device{kType, 0};
  Stack host;  // the same with the memory behind
  // out= arguments: what the kernel is given, and the memory that its result belongs into.
  std::vector<std::pair<at::Tensor, at::Tensor>> outs;
};

// With the device found and checked, and room made for out= arguments; `host` is still empty.
Call make_call(const c10::OperatorHandle& op, Stack arguments);
// Fills `host`.
void prepare(Call& call);

std::string name_of(const c10::OperatorHandle& op);
bool is_write(const c10::Argument& argument);
// The argument that a result is, or is a view of.
const c10::IValue& argument_behind(const Call& call, const c10::Argument& result);

// Runs the CPU's kernel here and now.
Stack run_on_host(const c10::OperatorHandle& op, Stack stack);

// Device time of an operation that reads and writes so much.
int64_t operation_cost(int64_t bytes);
// Hands work to the current stream. Without `options().compute` only what is `wanted` is done.
void issue(const c10::Device& device, std::string name, int64_t bytes, std::function<void()> work,
           bool wanted = false);

}  // namespace batchscope::simulated

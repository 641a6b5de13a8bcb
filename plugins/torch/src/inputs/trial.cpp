#include "trial.hpp"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/engine/engine.hpp"
#include "libtorch/device.hpp"
#include "libtorch/errors.hpp"

namespace batchscope::torch_plugin {
namespace {

using Outputs = std::vector<at::Tensor>;

// A search that takes longer has found a model that is too slow to be asked so.
constexpr auto kLongest = std::chrono::seconds(60);

std::vector<int64_t> sizes_of(const Draft& draft) {
  return base::mapped(draft.extents, [](const Extent& each) { return each.size; });
}

std::optional<size_t> batch_dimension(const Draft& draft) {
  const auto found = std::find_if(draft.extents.begin(), draft.extents.end(),
                                  [](const auto& each) { return each.is == Extent::Is::batch; });
  if (found == draft.extents.end()) return std::nullopt;
  return static_cast<size_t>(found - draft.extents.begin());
}

at::Tensor made(const Draft& draft) {
  if (engine::names_a_mask(draft.name)) return at::ones(sizes_of(draft), draft.type);
  if (at::isFloatingType(draft.type)) return at::rand(sizes_of(draft)).to(draft.type);
  return at::full(sizes_of(draft), draft.fill, draft.type);
}

// Its first sample made another one.
at::Tensor with_other_first(const at::Tensor& tensor, const Draft& draft) {
  const auto dimension = batch_dimension(draft);
  if (!dimension || engine::names_a_mask(draft.name)) return tensor;
  at::Tensor other = tensor.clone();
  const bool floating = at::isFloatingType(draft.type);
  const int64_t value = draft.high && *draft.high == draft.fill ? 0 : draft.high.value_or(1);
  at::Tensor first = other.select(static_cast<int64_t>(*dimension), 0);
  if (floating) first.neg_().add_(1);
  if (!floating) first.fill_(value);
  return other;
}

// Whether some output has a row for each sample, in the dimension that the inputs have them in;
// then whether all rows but the first are alike.
struct Rows {
  int64_t dimension = 0;
  int64_t batch = 0;
  bool any = false;
  bool alike = true;

  bool has(const at::Tensor& output) const {
    return output.dim() > dimension && output.size(dimension) == batch;
  }
  at::Tensor behind_first(const at::Tensor& output) const {
    return output.narrow(dimension, 1, batch - 1).to(at::kDouble);
  }
  void compare(const at::Tensor& one, const at::Tensor& other) {
    if (!has(one) || one.sizes() != other.sizes()) return;
    any = true;
    alike &= at::allclose(behind_first(one), behind_first(other), 1e-3, 1e-4, /*equal_nan=*/true);
  }
};

// Where the first input that has a batch has it.
std::optional<size_t> first_batch_dimension(const std::vector<Draft>& drafts) {
  for (const Draft& draft : drafts) {
    if (const auto dimension = batch_dimension(draft)) return dimension;
  }
  return std::nullopt;
}

Rows later_rows(const std::vector<Draft>& drafts, const Outputs& one, const Outputs& other) {
  Rows rows{static_cast<int64_t>(*first_batch_dimension(drafts)), *batch_of(drafts)};
  for (size_t i = 0; i < std::min(one.size(), other.size()); ++i) rows.compare(one[i], other[i]);
  return rows;
}

}  // namespace

bool has_values_to_find(const Draft& draft) {
  return at::isIntegralType(draft.type, /*includeBool=*/false) && !engine::names_a_mask(draft.name);
}

std::optional<int64_t> batch_of(const std::vector<Draft>& drafts) {
  for (const Draft& draft : drafts) {
    if (const auto dimension = batch_dimension(draft)) return draft.extents[*dimension].size;
  }
  return std::nullopt;
}

Trial::Trial(TriedProgram& tried) : tried_(tried) {}

std::vector<at::Tensor> Trial::inputs_of(const std::vector<Draft>& drafts) const {
  at::manual_seed(0);
  return base::mapped(drafts, made);
}

bool Trial::out_of_time() const {
  return std::chrono::steady_clock::now() - begun_ > kLongest;
}

Tried Trial::call_with(const std::vector<at::Tensor>& inputs) {
  if (out_of_time()) return {};
  auto outputs = guarded(base::ErrorKind::failed, "", "", [&]() -> base::Result<Outputs> {
    const c10::InferenceMode no_autograd;
    const torch::jit::GraphOptimizerEnabledGuard as_written(false);  // each call has other shapes
    if (auto taken = tried_.program->check(inputs); !taken) return taken.error();
    return moved(tried_.program->forward(moved(inputs, tried_.device)), at::kCPU);
  });
  if (!outputs) return {false, {}, outputs.error().what};
  return {true, *std::move(outputs), ""};
}

Tried Trial::call(const std::vector<Draft>& drafts) {
  return call_with(inputs_of(drafts));
}

Samples Trial::samples_of(const std::vector<Draft>& drafts) {
  const auto batch = batch_of(drafts);
  if (!batch || *batch < 2) return Samples::unseen;
  const c10::InferenceMode no_autograd;
  const std::vector<at::Tensor> inputs = inputs_of(drafts);
  std::vector<at::Tensor> others;
  for (size_t i = 0; i < drafts.size(); ++i) {
    others.push_back(with_other_first(inputs[i], drafts[i]));
  }
  const Tried one = call_with(inputs), same = call_with(inputs), other = call_with(others);
  if (!one.accepted || !same.accepted || !other.accepted) return Samples::unseen;
  const Rows again = later_rows(drafts, one.outputs, same.outputs);
  if (!again.any) return Samples::unseen;
  if (!again.alike) return Samples::apart;  // it draws by itself: nothing speaks against it
  return later_rows(drafts, one.outputs, other.outputs).alike ? Samples::apart : Samples::mixed;
}

}  // namespace batchscope::torch_plugin

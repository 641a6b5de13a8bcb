#include "shapes.hpp"

#include <ATen/ATen.h>
#include <ATen/OpMathType.h>

#include <map>
#include <mutex>
#include <set>
#include <string>

namespace batchscope::simulated {
namespace {

// Below are the shapes that LibTorch itself tells in Python only.
at::Tensor meta(const at::Tensor& like, c10::IntArrayRef size) {
  return at::empty(size, at::TensorOptions(like.scalar_type()).device(at::kMeta));
}

at::Tensor meta_like(const c10::IValue& value) {
  return meta(value.toTensor(), value.toTensor().sizes());
}

Stack of_layer_norm(const Stack& a) {  // input, normalized_shape, weight, bias, eps
  const at::Tensor& input = a[0].toTensor();
  const auto kept = input.dim() - static_cast<int64_t>(a[1].toIntVector().size());
  std::vector<int64_t> size(input.sizes().begin(), input.sizes().begin() + kept);
  size.resize(static_cast<std::size_t>(input.dim()), 1);
  const auto type = at::toOpMathType(input.scalar_type());
  const at::Tensor stats = at::empty(size, at::TensorOptions(type).device(at::kMeta));
  return {meta_like(a[0]), stats, at::empty_like(stats)};
}

Stack of_layer_norm_backward(const Stack& a) {  // grad, input, shape, mean, rstd, w, b, mask
  const auto mask = a[7].toBoolList();
  Stack made{at::Tensor(), at::Tensor(), at::Tensor()};
  if (mask[0]) made[0] = meta_like(a[1]);
  if (mask[1] && a[5].isTensor()) made[1] = meta_like(a[5]);
  if (mask[2] && a[6].isTensor()) made[2] = meta_like(a[6]);
  return made;
}

Stack of_batch_norm(const Stack& a) {  // input, w, b, mean, var, training, ...
  const at::Tensor& input = a[0].toTensor();
  const int64_t channels = a[5].toBool() ? input.size(1) : 0;
  const at::Tensor stats = meta(input, {channels});
  return {as_meta(input), stats, at::empty_like(stats)};
}

Stack of_batch_norm_backward(const Stack& a) {  // grad, input, w, m, v, sm, sv, train, eps, mask
  const auto mask = a[9].toBoolList();
  const at::Tensor& input = a[1].toTensor();
  Stack made{at::Tensor(), at::Tensor(), at::Tensor()};
  if (mask[0]) made[0] = meta_like(a[1]);
  if (mask[1]) made[1] = meta(input, {input.size(1)});
  if (mask[2]) made[2] = meta(input, {input.size(1)});
  return made;
}

Stack of_embedding_backward(const Stack& a) {  // grad, indices, num_weights, ...
  const at::Tensor& grad = a[0].toTensor();
  return {meta(grad, {a[2].toInt(), grad.size(-1)})};
}

Stack of_index_select(const Stack& a) {  // self, dim, index
  const at::Tensor& self = a[0].toTensor();
  std::vector<int64_t> size = self.sizes().vec();
  const int64_t dim = a[1].toInt() < 0 ? a[1].toInt() + self.dim() : a[1].toInt();
  if (!size.empty()) size[static_cast<std::size_t>(dim)] = a[2].toTensor().numel();
  return {meta(self, size)};
}

using Shapes = Stack (*)(const Stack&);

const std::map<std::string, Shapes>& known() {
  static const std::map<std::string, Shapes> all{
      {"aten::embedding_dense_backward", &of_embedding_backward},
      {"aten::index_select", &of_index_select},
      {"aten::mse_loss_backward", [](const Stack& a) -> Stack { return {meta_like(a[1])}; }},
      {"aten::native_batch_norm", &of_batch_norm},
      {"aten::native_batch_norm_backward", &of_batch_norm_backward},
      {"aten::native_dropout_backward", [](const Stack& a) -> Stack { return {meta_like(a[0])}; }},
      {"aten::native_layer_norm", &of_layer_norm},
      {"aten::native_layer_norm_backward", &of_layer_norm_backward},
      {"aten::relu", [](const Stack& a) -> Stack { return {as_meta(a[0].toTensor())}; }}};
  return all;
}

// Operators whose shapes nobody tells.
struct Lacking {
  std::mutex mutex;
  std::set<std::string> names;
};

Lacking& lacking() {
  static auto* const one = new Lacking;
  return *one;
}

bool is_lacking(const std::string& name) {
  const std::lock_guard lock(lacking().mutex);
  return lacking().names.count(name) > 0;
}

}  // namespace

std::optional<Stack> shapes_of(const Call& call) {
  const std::string name = name_of(call.op);
  if (const auto found = known().find(name); found != known().end()) {
    return found->second(call.arguments);
  }
  if (is_lacking(name)) return std::nullopt;
  Stack stack;
  for (const c10::IValue& value : call.arguments) {
    stack.push_back(value.isDevice() ? c10::IValue(c10::Device(at::kMeta))
                                     : mapped(value, &as_meta));
  }
  try {
    return run_on_host(call.op, std::move(stack));
  } catch (const c10::Error&) {
    const std::lock_guard lock(lacking().mutex);
    lacking().names.insert(name);
    return std::nullopt;
  }
}

}  // namespace batchscope::simulated

#include "host_tensors.hpp"

#include <ATen/ops/from_blob.h>

#include <cstring>
#include <sstream>

#include "precision.hpp"

namespace batchscope::torch_plugin {
namespace {

base::Error unfit(const at::Tensor& output, std::string what) {
  std::ostringstream text;
  text << output.scalar_type() << ' ' << output.sizes();
  return {base::ErrorKind::input, std::move(what), "output " + text.str(),
          "pooling takes the hidden state [batch, tokens, width] as the first output"};
}

at::Tensor mean_of(const at::Tensor& hidden, const std::optional<at::Tensor>& mask) {
  if (!mask) return hidden.mean(1);
  const at::Tensor weight = mask->to(at::kFloat).ne(0).to(at::kFloat).unsqueeze(-1);
  return (hidden * weight).sum(1) / weight.sum(1).clamp_min(1);
}

}  // namespace

at::Tensor as_torch(const engine::Tensor& tensor) {
  // LibTorch has no tensors of constant memory; a model that writes to its input writes to it.
  auto* const data = const_cast<std::byte*>(tensor.data.data());
  return at::from_blob(data, tensor.dimensions, at::TensorOptions(scalar_type(tensor.dtype)));
}

engine::Tensor to_host_tensor(const at::Tensor& tensor, std::string name) {
  const auto known = dtype_of(tensor.scalar_type());
  const at::Tensor dense = (known ? tensor : tensor.to(at::kFloat)).contiguous();
  engine::Tensor host{std::move(name), known.value_or(engine::DType::float32), dense.sizes().vec(),
                      std::vector<std::byte>(dense.nbytes())};
  if (!host.data.empty()) std::memcpy(host.data.data(), dense.const_data_ptr(), dense.nbytes());
  return host;
}

base::Result<at::Tensor> pooled(const at::Tensor& output, const std::optional<at::Tensor>& mask,
                                const engine::Pool& pool) {
  const bool pools = pool.pooling != engine::Pooling::none;
  if (pools && (output.dim() != 3 || output.size(1) < 1))
    return unfit(output, "has no vectors to pool");
  if (output.dim() == 0) return unfit(output, "has no vectors to normalize");
  const bool mean = pool.pooling == engine::Pooling::mean;
  if (mean && mask && mask->sizes() != output.sizes().slice(0, 2)) {
    return unfit(output, "does not match the mask, which has another shape");
  }
  at::Tensor rows = output.to(at::kFloat);
  if (pools) rows = mean ? mean_of(rows, mask) : rows.select(1, 0);
  constexpr double kShortest = 1e-12;
  if (pool.normalize) rows = rows / rows.norm(2, -1, /*keepdim=*/true).clamp_min(kShortest);
  return rows;
}

}  // namespace batchscope::torch_plugin

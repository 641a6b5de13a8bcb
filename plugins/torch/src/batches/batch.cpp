#include "batch.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/tensor.h>

#include <algorithm>

#include "libtorch/precision.hpp"

namespace batchscope::torch_plugin {
namespace {

base::Error length_error(std::string what) {
  return {base::ErrorKind::failed, std::move(what), "--seq-lens", "change --seq-lens"};
}

std::vector<int64_t> sizes_of(const engine::InputSpec& spec, const schema::Shape& shape) {
  std::vector<int64_t> sizes;
  for (const engine::Dimension& dimension : spec.dimensions) {
    if (dimension.symbol == engine::Symbol::batch) {
      sizes.push_back(shape.batch_size);
    } else if (dimension.symbol == engine::Symbol::length) {
      sizes.push_back(shape.seq_len.value_or(0));
    } else {
      sizes.push_back(dimension.size);
    }
  }
  return sizes;
}

at::Tensor fill(const engine::InputSpec& spec, const std::vector<int64_t>& sizes,
                at::ScalarType dtype, const at::Generator& generator) {
  if (spec.constant) return at::full(sizes, *spec.constant, dtype);
  if (at::isFloatingType(dtype) && !spec.low) {
    // Drawn as float32 whatever the type, so that precisions see the same input, rounded.
    return at::rand(sizes, generator, at::kFloat).to(dtype);
  }
  const int64_t low = spec.low.value_or(0);
  const int64_t high = spec.high.value_or(low + 1);
  return at::randint(low, high + 1, sizes, generator, at::kLong).to(dtype);
}

base::Result<at::Tensor> make_input(const engine::InputSpec& spec, const schema::Shape& shape,
                                    at::ScalarType floating, const at::Generator& generator) {
  const at::ScalarType declared = scalar_type(spec.dtype);
  const at::ScalarType dtype = declared == at::kFloat ? floating : declared;
  return fill(spec, sizes_of(spec, shape), dtype, generator);
}

base::Result<schema::Shape> complete(const LoadedProgram& loaded, schema::Shape shape) {
  bool has_length = false;
  for (const auto& spec : loaded.inputs) {
    for (const auto& dimension : spec.dimensions)
      has_length |= dimension.symbol == engine::Symbol::length;
  }
  if (!has_length && shape.seq_len)
    return length_error("this model has no input with a length (S)");
  if (!has_length) return shape;
  if (!shape.seq_len) shape.seq_len = loaded.default_seq_len;
  if (!shape.seq_len) return length_error("the inputs need a sequence length (S)");
  if (loaded.longest_seq_len && *shape.seq_len > *loaded.longest_seq_len) {
    return length_error("the model has positions for " + std::to_string(*loaded.longest_seq_len) +
                        " tokens, but " + std::to_string(*shape.seq_len) + " were requested");
  }
  return shape;
}

// Bx...xS, whatever is between.
bool is_batch_by_length(const engine::InputSpec& spec) {
  const auto& dimensions = spec.dimensions;
  return dimensions.size() >= 2 && dimensions.front().symbol == engine::Symbol::batch &&
         dimensions.back().symbol == engine::Symbol::length;
}

// `lengths`: of the samples of this batch.
void put_masks(const LoadedProgram& loaded, at::IntArrayRef lengths, HostBatch& batch) {
  const int64_t longest = *std::max_element(lengths.begin(), lengths.end());
  const bool padded =
      std::any_of(lengths.begin(), lengths.end(), [&](int64_t length) { return length < longest; });
  for (size_t i = 0; i < loaded.inputs.size(); ++i) {
    const engine::InputSpec& spec = loaded.inputs[i];
    if (!engine::is_mask(spec) || !is_batch_by_length(spec)) continue;
    at::Tensor& input = batch.inputs[i];
    std::vector<int64_t> sizes(spec.dimensions.size(), 1);
    sizes.front() = static_cast<int64_t>(lengths.size());
    const at::Tensor real =
        at::arange(longest).unsqueeze(0) < at::tensor(lengths, at::kLong).unsqueeze(1);
    sizes.back() = longest;
    const auto dtype = padded && loaded.bool_masks ? at::kBool : input.scalar_type();
    input = real.view(sizes).expand(input.sizes()).to(dtype).contiguous();
  }
}

}  // namespace

base::Result<HostBatch> make_batch(const LoadedProgram& loaded, const schema::Shape& shape,
                                   at::ScalarType floating, bool with_target, uint64_t seed) {
  const auto completed = complete(loaded, shape);
  if (!completed) return completed.error();
  const at::Generator generator = at::detail::createCPUGenerator(seed);
  HostBatch batch;
  for (const auto& spec : loaded.inputs) {
    auto input = make_input(spec, *completed, floating, generator);
    if (!input) return input.error();
    batch.inputs.push_back(*std::move(input));
  }
  if (with_target && loaded.target) {
    // The loss is taken in float32 whatever the forward pass ran in.
    auto target = make_input(*loaded.target, *completed, at::kFloat, generator);
    if (!target) return target.error();
    batch.target = *std::move(target);
  }
  return batch;
}

std::vector<HostBatch> split(const LoadedProgram& loaded, const HostBatch& batch, int64_t parts) {
  const auto part_of = [parts](const engine::InputSpec& spec, const at::Tensor& entire,
                               int64_t at) {
    at::Tensor part = entire;
    for (size_t d = 0; d < spec.dimensions.size(); ++d) {
      if (spec.dimensions[d].symbol != engine::Symbol::batch) continue;
      const auto dimension = static_cast<int64_t>(d);
      const int64_t size = entire.size(dimension) / parts;
      part = part.narrow(dimension, at * size, size);
    }
    return part.clone(at::MemoryFormat::Contiguous);
  };
  std::vector<HostBatch> result(static_cast<size_t>(parts));
  for (int64_t at = 0; at < parts; ++at) {
    HostBatch& part = result[static_cast<size_t>(at)];
    for (size_t i = 0; i < batch.inputs.size(); ++i) {
      part.inputs.push_back(part_of(loaded.inputs[i], batch.inputs[i], at));
    }
    if (batch.target) part.target = part_of(*loaded.target, *batch.target, at);
  }
  return result;
}

base::Result<std::vector<HostBatch>> make_batches(const LoadedProgram& loaded,
                                                  const schema::Shape& shape,
                                                  at::ScalarType floating, bool with_target,
                                                  uint64_t seed) {
  std::vector<HostBatch> batches;
  const at::IntArrayRef lengths(shape.lengths);
  for (int64_t i = 0; i < schema::cycle_of(shape); ++i) {
    const schema::Shape part{shape.batch_size, schema::longest_of(shape, i)};
    auto batch = make_batch(loaded, part, floating, with_target, seed + static_cast<uint64_t>(i));
    if (!batch) return batch.error();
    if (!lengths.empty()) {
      put_masks(loaded,
                lengths.slice(static_cast<size_t>(i * shape.batch_size),
                              static_cast<size_t>(shape.batch_size)),
                *batch);
    }
    batches.push_back(*std::move(batch));
  }
  return batches;
}

base::Result<std::unique_ptr<engine::Batch>> BatchCycle::make(
    Maker maker, int64_t accumulated, std::optional<schema::Tokens> tokens) {
  auto batches = maker(0);
  if (!batches) return std::move(batches).error();
  return std::unique_ptr<engine::Batch>(
      new BatchCycle(std::move(maker), *std::move(batches), accumulated, tokens));
}

base::Result<HostBatch> BatchCycle::take() {
  const HostBatch& taken = batches_[next_];
  if (++next_ == batches_.size()) next_ = 0;
  return taken;
}

base::Result<void> BatchCycle::draw_anew(uint64_t draw) {
  auto batches = maker_(draw);
  if (!batches) return std::move(batches).error();
  batches_ = *std::move(batches);
  next_ = 0;
  return {};
}

}  // namespace batchscope::torch_plugin

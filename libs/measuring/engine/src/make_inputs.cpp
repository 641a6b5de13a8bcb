#include <cstring>
#include <random>

#include "batchscope/engine/engine.hpp"
#include "input_values.hpp"
#include "small_floats.hpp"

namespace batchscope::engine {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

Error length_error(std::string what) {
  return {ErrorKind::failed, std::move(what), "--seq-lens", "change --seq-lens"};
}

Error too_large(const InputSpec& spec, const Tensor& tensor) {
  return {ErrorKind::out_of_memory, describe(tensor) + " takes more bytes than 64 bits can count",
          "--input " + spec.name, "try smaller batch sizes or lengths"};
}

template <class T>
void store(T value, std::size_t at, Tensor& tensor) {
  std::memcpy(tensor.data.data() + at * sizeof(T), &value, sizeof(T));
}

void put(double value, std::size_t at, Tensor& tensor) {
  if (tensor.dtype == DType::float32) return store(static_cast<float>(value), at, tensor);
  if (tensor.dtype == DType::float64) return store(value, at, tensor);
  if (tensor.dtype == DType::bfloat16)
    return store(to_bfloat16(static_cast<float>(value)), at, tensor);
  if (tensor.dtype == DType::float16)
    return store(to_float16(static_cast<float>(value)), at, tensor);
  if (tensor.dtype == DType::int64) return store(static_cast<int64_t>(value), at, tensor);
  if (tensor.dtype == DType::int32) return store(static_cast<int32_t>(value), at, tensor);
  store(static_cast<uint8_t>(value != 0), at, tensor);
}

// 24 bits of one draw, as LibTorch makes a float.
double uniform(std::mt19937& generator) {
  return static_cast<double>(generator() & 0xff'ffff) * 0x1p-24;
}

// Values of a draw.
constexpr uint64_t kOneDraw = uint64_t{1} << 32;

// A second draw where one has too few values.
int64_t full(int64_t low, int64_t high, std::mt19937& generator) {
  const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  uint64_t drawn = generator();
  if (span >= kOneDraw - 1) drawn = (drawn << 32) | generator();
  return within(low, high, drawn);
}

void fill(const InputSpec& spec, std::mt19937& generator, Tensor& tensor) {
  const auto count = static_cast<std::size_t>(element_count(tensor));
  const bool floating = !is_integer(spec.dtype) && !spec.low;
  const auto [low, high] = integer_range(spec);
  for (std::size_t i = 0; i < count; ++i) {
    if (spec.constant) {
      put(*spec.constant, i, tensor);
    } else if (floating) {
      put(uniform(generator), i, tensor);
    } else if (spec.dtype == DType::int64) {  // more digits than a double has
      store(full(low, high, generator), i, tensor);
    } else {
      put(static_cast<double>(full(low, high, generator)), i, tensor);
    }
  }
}

std::vector<int64_t> sizes_of(const InputSpec& spec, int64_t batch_size,
                              std::optional<int64_t> seq_len) {
  std::vector<int64_t> sizes;
  for (const Dimension& dimension : spec.dimensions) {
    if (dimension.symbol == Symbol::batch) {
      sizes.push_back(batch_size);
    } else {
      sizes.push_back(dimension.symbol == Symbol::length ? seq_len.value_or(0) : dimension.size);
    }
  }
  return sizes;
}

// Bx...xS, whatever is between.
bool is_batch_by_length(const InputSpec& spec) {
  const auto& dimensions = spec.dimensions;
  return dimensions.size() >= 2 && dimensions.front().symbol == Symbol::batch &&
         dimensions.back().symbol == Symbol::length;
}

// 1 for the first tokens of each sample, as many as it has, and 0 for the padding behind them.
void fill_mask(std::span<const int64_t> lengths, Tensor& tensor) {
  const auto longest = static_cast<std::size_t>(tensor.dimensions.back());
  const auto rows = static_cast<std::size_t>(element_count(tensor)) / longest;
  const std::size_t rows_a_sample = rows / lengths.size();
  for (std::size_t row = 0; row < rows; ++row) {
    const auto length = static_cast<std::size_t>(lengths[row / rows_a_sample]);
    for (std::size_t s = 0; s < longest; ++s) put(s < length ? 1 : 0, row * longest + s, tensor);
  }
}

}  // namespace

Result<std::vector<Tensor>> make_inputs(std::span<const InputSpec> specs,
                                        const schema::Shape& shape, int64_t index, uint64_t seed) {
  const std::optional<int64_t> seq_len = schema::longest_of(shape, index);
  bool has_length = false;
  for (const InputSpec& spec : specs) {
    for (const Dimension& dimension : spec.dimensions)
      has_length |= dimension.symbol == Symbol::length;
  }
  if (has_length && !seq_len) return length_error("the inputs have a length (S): state it");
  if (!has_length && seq_len) return length_error("no input of this model has a length (S)");
  std::mt19937 generator(static_cast<uint32_t>(seed + static_cast<uint64_t>(index)));
  std::vector<Tensor> inputs;
  for (const InputSpec& spec : specs) {
    Tensor tensor{spec.name, spec.dtype, sizes_of(spec, shape.batch_size, seq_len), {}};
    const std::size_t bytes = element_bytes(spec.dtype);
    const auto elements = elements_of(tensor.dimensions, bytes);
    if (!elements) return too_large(spec, tensor);
    tensor.data.resize(static_cast<std::size_t>(*elements) * bytes);
    fill(spec, generator, tensor);
    if (!shape.lengths.empty() && is_mask(spec) && is_batch_by_length(spec)) {
      const auto batch = static_cast<std::size_t>(shape.batch_size);
      fill_mask(std::span(shape.lengths).subspan(static_cast<std::size_t>(index) * batch, batch),
                tensor);
    }
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

}  // namespace batchscope::engine

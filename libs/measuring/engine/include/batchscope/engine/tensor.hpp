#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/text_pipeline.hpp"

namespace batchscope::engine {

struct InputSpec;

// The type of the elements of a tensor.
enum class DType { float32, float64, float16, bfloat16, int64, int32, boolean };
inline constexpr std::array kDTypes{DType::float32, DType::float64, DType::float16, DType::bfloat16,
                                    DType::int64,   DType::int32,   DType::boolean};
std::string_view to_string(DType dtype);  // "float32", "bool"
// Nothing for a text that names none.
std::optional<DType> parse_dtype(std::string_view text);

// Values on the host: in C order, without gaps.
struct Tensor {
  std::string name;
  DType dtype = DType::float32;
  std::vector<int64_t> dimensions;
  std::vector<std::byte> data;
};

std::size_t element_bytes(DType dtype);  // of one element
int64_t element_count(const Tensor& tensor);
// Of these dimensions, with `bytes` each; nothing when all of them take more than an int64_t holds.
std::optional<int64_t> elements_of(std::span<const int64_t> dimensions, std::size_t bytes);
// "input_ids int64 [2, 16]"
std::string describe(const Tensor& tensor);

Tensor float_tensor(std::string name, std::vector<int64_t> dimensions,
                    std::span<const float> values);
// Every element as float32. Errors: input (data that does not fill the dimensions).
base::Result<std::vector<float>> to_floats(const Tensor& tensor);

// The tensors that a model wants, in its order. Errors: usage (a name that the model has not, or
// that is missing or given twice), input (another type, a shape that does not fit, data that does
// not fill it; where several inputs share B or S, it is one size); all of them say what the model
// takes. `where` names the model.
base::Result<std::vector<const Tensor*>> match_tensors(std::span<const InputSpec> wanted,
                                                       std::span<const Tensor> given,
                                                       const std::string& where);

using schema::Pooling;

// How the vectors of tokens become one a text.
struct Pool {
  Pooling pooling = Pooling::none;
  bool normalize = false;  // to length 1 (L2), each vector; a vector of zeros stays

  bool does_something() const { return pooling != Pooling::none || normalize; }
};

// The mask among a model's inputs: the one of shape B x S whose name contains "mask"; null without.
const Tensor* find_mask(std::span<const Tensor> inputs);

// [B, S, H] to [B, H] float32 by pooling; [..., H] to the same in float32 without. Plain loops on
// the calling thread, for engines whose outputs are on the host. `mask` is [B, S], or null: then
// every token counts. Errors: input (a shape that cannot be pooled, a mask of another).
base::Result<Tensor> pool_on_host(const Tensor& output, const Tensor* mask, const Pool& pool);
// The same of values that stand elsewhere; `values` fills `dimensions`.
base::Result<Tensor> pool_on_host(const std::string& name, const std::vector<int64_t>& dimensions,
                                  std::span<const float> values, const Tensor* mask,
                                  const Pool& pool);

}  // namespace batchscope::engine

#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "program.hpp"

namespace batchscope::torch_plugin {

// Host tensors of one batch, in pageable memory as a plain data loader leaves them.
struct HostBatch final : engine::Batch {
  std::vector<at::Tensor> inputs;
  std::optional<at::Tensor> target;  // training only
};

// Random content, the same for the same seed and shape. Floating inputs declared as float32 are
// made in `floating`, the type the model computes in. Errors: usage (an unknown type),
// failed (a sequence length that the model does not have, lacks, or has no positions for).
base::Result<HostBatch> make_batch(const LoadedProgram& loaded, const schema::Shape& shape,
                                   at::ScalarType floating, bool with_target, uint64_t seed);

}  // namespace batchscope::torch_plugin

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
struct HostBatch {
  std::vector<at::Tensor> inputs;
  std::optional<at::Tensor> target;  // training only
};

// The batches of one cycle (one batch, without lengths), taken in turn.
class BatchCycle final : public engine::Batch {
 public:
  BatchCycle(std::vector<HostBatch> batches, std::optional<schema::Tokens> tokens)
      : batches_(std::move(batches)), tokens_(tokens) {}

  int64_t cycle() const override { return static_cast<int64_t>(batches_.size()); }
  std::optional<schema::Tokens> tokens() const override { return tokens_; }
  const std::vector<HostBatch>& batches() const { return batches_; }
  // The one whose turn it is.
  const HostBatch& take() {
    const HostBatch& taken = batches_[next_];
    if (++next_ == batches_.size()) next_ = 0;
    return taken;
  }

 private:
  std::vector<HostBatch> batches_;
  std::optional<schema::Tokens> tokens_;
  size_t next_ = 0;
};

// Random content, the same for the same seed and shape. Floating inputs declared as float32 are
// made in `floating`, the type the model computes in. Errors: usage (an unknown type),
// failed (a sequence length that the model does not have, lacks, or has no positions for).
base::Result<HostBatch> make_batch(const LoadedProgram& loaded, const schema::Shape& shape,
                                   at::ScalarType floating, bool with_target, uint64_t seed);

// make_batch for every batch of the shape's cycle, each padded to its longest sample: an input BxS
// whose name contains "mask" is 1 for real tokens and 0 for padding, and the others hold there what
// they hold elsewhere.
base::Result<std::vector<HostBatch>> make_batches(const LoadedProgram& loaded,
                                                  const schema::Shape& shape,
                                                  at::ScalarType floating, bool with_target,
                                                  uint64_t seed);

}  // namespace batchscope::torch_plugin

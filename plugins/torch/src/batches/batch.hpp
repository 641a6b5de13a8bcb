#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "programs/program.hpp"

namespace batchscope::torch_plugin {

// The tensors of one batch: in pageable memory of the host, as a plain data loader leaves them,
// unless the source says otherwise.
struct HostBatch {
  std::vector<at::Tensor> inputs;
  std::optional<at::Tensor> target;  // training only
};

// Where the batches of an iteration come from.
class BatchSource : public engine::Batch {
 public:
  // The next batch. Errors: those of a loader.
  virtual base::Result<HostBatch> take() = 0;
  // Whether taking one may have to wait for files.
  virtual bool loads() const { return false; }
  // Of a source that sends batches to the device before they are wanted: the current stream goes on
  // when what was taken last is there.
  virtual void await_arrival() {}
  virtual bool sends_ahead() const { return false; }
  // Takes the next batch and sends it; called when the work with the one before is issued, which
  // hides it. Errors: as take.
  virtual base::Result<void> send_next() { return {}; }
  // Other made-up content from here on; a loader's samples are others anyway.
  virtual base::Result<void> draw_anew(uint64_t) { return {}; }
};

// The batches of one cycle, taken in turn; an iteration takes `accumulated` of them.
class BatchCycle final : public BatchSource {
 public:
  using Maker = std::function<base::Result<std::vector<HostBatch>>(uint64_t draw)>;
  // Errors: of `maker`, which makes the batches: draw 0 now, others for draw_anew.
  static base::Result<std::unique_ptr<engine::Batch>> make(Maker maker, int64_t accumulated,
                                                           std::optional<schema::Tokens> tokens);

  int64_t cycle() const override { return static_cast<int64_t>(batches_.size()) / accumulated_; }
  std::optional<schema::Tokens> tokens() const override { return tokens_; }
  const std::vector<HostBatch>& batches() const { return batches_; }
  base::Result<HostBatch> take() override;
  base::Result<void> draw_anew(uint64_t draw) override;

 private:
  BatchCycle(Maker maker, std::vector<HostBatch> batches, int64_t accumulated,
             std::optional<schema::Tokens> tokens)
      : maker_(std::move(maker)),
        batches_(std::move(batches)),
        accumulated_(accumulated),
        tokens_(tokens) {}

  Maker maker_;
  std::vector<HostBatch> batches_;
  int64_t accumulated_;
  std::optional<schema::Tokens> tokens_;
  size_t next_ = 0;
};

// Random content, the same for the same seed and shape. Floating inputs declared as float32 are
// made in `floating`, the type the model computes in. Errors: usage (an unknown type),
// failed (a sequence length that the model does not have, lacks, or has no positions for).
base::Result<HostBatch> make_batch(const LoadedProgram& loaded, const schema::Shape& shape,
                                   at::ScalarType floating, bool with_target, uint64_t seed);

// One batch cut into `parts` of equal size along the dimensions B: together they hold what it
// holds.
std::vector<HostBatch> split(const LoadedProgram& loaded, const HostBatch& batch, int64_t parts);

// make_batch for every batch of the shape's cycle, each padded to its longest sample: an input BxS
// whose name contains "mask" is 1 for real tokens and 0 for padding, and the others hold there what
// they hold elsewhere.
base::Result<std::vector<HostBatch>> make_batches(const LoadedProgram& loaded,
                                                  const schema::Shape& shape,
                                                  at::ScalarType floating, bool with_target,
                                                  uint64_t seed);

}  // namespace batchscope::torch_plugin

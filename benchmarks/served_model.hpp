#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/serving/batcher.hpp"
#include "batchscope/serving/cost_table.hpp"

namespace batchscope {

// A model whose batches all run on one thread, when they are measured as when they are served: so
// OpenMP's helpers, malloc's arena and what the framework keeps for each thread are the same.
class ServedModel {
 public:
  explicit ServedModel(engine::Model& model);

  // One batch of any shape; its inputs are made once. Blocks until it is done.
  base::Result<void> run(int64_t batch_size, int64_t seq_len);

  // Every shape has run once before any is timed; then each is timed `repeats` times as a server
  // meets them: all shapes in a new random order each time, and after a pause for `idle` of them.
  base::Result<serving::CostTable> measure(std::span<const int64_t> batch_sizes,
                                           std::span<const int64_t> lengths, int repeats,
                                           double idle);

 private:
  using Shape = std::pair<int64_t, int64_t>;

  base::Result<void> run_here(const Shape& shape);
  base::Result<double> timed(const Shape& shape);

  engine::Model& model_;
  std::map<Shape, std::unique_ptr<engine::Batch>> prepared_;
  serving::Batcher<Shape, int> thread_;  // last: its thread uses the others
};

}  // namespace batchscope

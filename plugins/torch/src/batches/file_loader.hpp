#pragma once

#include <memory>

#include "batch.hpp"
#include "batchscope/loading/prefetcher.hpp"
#include "batchscope/loading/sample_decoder.hpp"
#include "batchscope/loading/sample_files.hpp"
#include "batchscope/loading/sample_order.hpp"

namespace batchscope::torch_plugin {

// How batches are made from files.
struct LoadingPlan {
  schema::Loader loader;
  int64_t batch_size = 1;
  uint64_t seed = 0;    // of the order
  bool pinned = false;  // host memory that a device copies from while the host goes on
};

// Batches of files, in an order that depends on the seed alone, made ahead by worker threads.
class FileLoader final : public BatchSource {
 public:
  // Starts to load. `loaded` has to outlive it only during this call. Errors: those of
  // SampleDecoder::make.
  static base::Result<std::unique_ptr<BatchSource>> make(
      std::shared_ptr<const loading::SampleFiles> files, const LoadedProgram& loaded,
      std::optional<int64_t> seq_len, const LoadingPlan& plan);

  base::Result<HostBatch> take() override { return prefetcher_.next(); }
  bool loads() const override { return true; }

 private:
  FileLoader(std::shared_ptr<const loading::SampleFiles> files, loading::SampleDecoder decoder,
             bool with_target, const LoadingPlan& plan);
  // Called by several threads at once.
  base::Result<HostBatch> load(int64_t number);

  std::shared_ptr<const loading::SampleFiles> files_;
  loading::SampleDecoder decoder_;
  bool with_target_;
  LoadingPlan plan_;
  loading::SampleOrder order_;
  loading::Prefetcher<HostBatch> prefetcher_;  // last: its threads use the others
};

}  // namespace batchscope::torch_plugin

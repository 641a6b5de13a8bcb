#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace batchscope::loading {

// In which order samples are trained on: epoch after epoch, each of which holds every sample
// exactly once, shuffled by the seed and the epoch. Batches run on over the end of an epoch.
class SampleOrder {
 public:
  // At least one sample.
  SampleOrder(std::size_t samples, uint64_t seed) : samples_(samples), seed_(seed) {}

  // Which samples make batch `number` (from 0) of `batch_size`. Thread-safe.
  std::vector<std::size_t> batch(int64_t number, int64_t batch_size);

 private:
  const std::vector<std::size_t>& epoch(uint64_t number);

  std::size_t samples_;
  uint64_t seed_;
  std::mutex mutex_;
  std::map<uint64_t, std::vector<std::size_t>> epochs_;  // the last few
};

}  // namespace batchscope::loading

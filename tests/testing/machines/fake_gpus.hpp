#pragma once

#include <string>

namespace batchscope::gpu {

// Through FAKE_NVML and FAKE_CUDA tests see the machine of fixtures/three_gpus.json: GPU 0 answers
// everything, GPU 1 supports nothing, GPU 2 is lost. As long as an object of this class lives they
// see that of fixtures/NAME.json. NVML reads the file when the first monitor is opened.
class FakeGpus {
 public:
  explicit FakeGpus(const std::string& name);
  ~FakeGpus();
  FakeGpus(const FakeGpus&) = delete;
  FakeGpus& operator=(const FakeGpus&) = delete;
};

}  // namespace batchscope::gpu

#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace batchscope::gpu {

using Json = nlohmann::json;

// The machine that the fake driver FAKE_NVML shows as long as an object of this class lives: see
// libs/machine/gpu/tests/fake_driver/described_machine.hpp.
class DescribedGpus {
 public:
  explicit DescribedGpus(const Json& machine);
  ~DescribedGpus();
  DescribedGpus(const DescribedGpus&) = delete;
  DescribedGpus& operator=(const DescribedGpus&) = delete;

  // While the driver runs.
  void change(const Json& machine) const;
  // A FIFO on which a call hangs ({"hang": path}) until let_go().
  std::string fifo() const { return folder_ + "/hang"; }
  void let_go() const;

 private:
  std::string folder_, before_;
};

// The eight H100s of libs/machine/gpu/tests/fixtures/eight_h100.json.
Json eight_gpus();
// A machine with these GPUs.
Json machine_of(Json gpus);

}  // namespace batchscope::gpu

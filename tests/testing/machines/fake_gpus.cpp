#include "testing/machines/fake_gpus.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace batchscope::gpu {
namespace {

constexpr const char* kUsual = "three_gpus";

void show(const std::string& name) {
  setenv("FAKE_GPUS", (GPU_FIXTURES "/" + name + ".json").c_str(), 1);
}

class UsualGpus final : public testing::Environment {
 public:
  void SetUp() override { show(kUsual); }
};

// GoogleTest owns it.
[[maybe_unused]] const testing::Environment* const usual_gpus =
    testing::AddGlobalTestEnvironment(new UsualGpus);

}  // namespace

FakeGpus::FakeGpus(const std::string& name) {
  show(name);
}

FakeGpus::~FakeGpus() {
  show(kUsual);
}

}  // namespace batchscope::gpu

#pragma once

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "state/options.hpp"
#include "testing/engines/recording_sink.hpp"
#include "torch_engine.hpp"

namespace batchscope::simulated {

// In virtual time, a millisecond an operation; what a test changes is put back behind it.
class OnSimulated : public testing::Test {
 protected:
  OnSimulated() {
    options().virtual_time = true;
    options().operation_ns = kOperationNs;
    execution_.device = "cuda:0";
  }
  ~OnSimulated() override { options() = before_; }

  std::unique_ptr<engine::Model> load(const std::string& name) {
    auto model = engine_.load({.name = name}, execution_);
    EXPECT_TRUE(model) << (model ? "" : base::to_string(model.error()));
    return model ? *std::move(model) : nullptr;
  }

  static constexpr int64_t kOperationNs = 1'000'000;
  const c10::Device device_{kType, 0};
  engine::ExecutionSpec execution_;
  torch_plugin::TorchEngine engine_;
  RecordingSink sink_;

 private:
  const Options before_ = options();
};

}  // namespace batchscope::simulated

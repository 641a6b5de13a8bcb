#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/engine/engine.hpp"

namespace batchscope::torch_plugin {

// LibTorch as an engine: built-in models, TorchScript files (.pt), AOTInductor packages (.pt2).
class TorchEngine final : public engine::Engine {
 public:
  std::string_view name() const override { return "torch"; }
  const engine::Clock& clock() const override;
  std::map<std::string, std::string> versions() const override;
  std::vector<std::string> devices() const override;
  std::vector<engine::ModelDescription> models() const override;
  base::Result<schema::ModelInfo> inspect(const engine::ModelSpec& spec) override;
  base::Result<std::vector<engine::InputSpec>> inputs_of(const engine::ModelSpec& spec) override;
  base::Result<std::unique_ptr<engine::Model>> load(
      const engine::ModelSpec& spec, const engine::ExecutionSpec& execution) override;
  void give_back_unused_memory(const std::string& device) override;
};

}  // namespace batchscope::torch_plugin

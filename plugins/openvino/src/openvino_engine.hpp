#pragma once

#include <map>
#include <memory>
#include <openvino/openvino.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/engine/engine.hpp"

namespace batchscope::openvino_plugin {

// OpenVINO as an engine: .onnx files, and .xml files of its own format. Inference only.
class OpenvinoEngine final : public engine::Engine {
 public:
  std::string_view name() const override { return "openvino"; }
  const engine::Clock& clock() const override;
  std::map<std::string, std::string> versions() const override;
  std::vector<std::string> devices() const override;
  std::vector<engine::ModelDescription> models() const override { return {}; }
  base::Result<schema::ModelInfo> inspect(const engine::ModelSpec& spec) override;
  base::Result<std::vector<engine::InputSpec>> inputs_of(const engine::ModelSpec& spec) override;
  base::Result<std::unique_ptr<engine::Model>> load(
      const engine::ModelSpec& spec, const engine::ExecutionSpec& execution) override;
  base::Result<void> check_precision(const std::string& device,
                                     schema::Precision precision) const override;

 private:
  // Made when it is first needed, and shared with the models, since making it can throw.
  ov::Core& core() const;

  mutable std::shared_ptr<ov::Core> core_;
};

}  // namespace batchscope::openvino_plugin

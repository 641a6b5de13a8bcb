#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batchscope/engine/engine.hpp"

namespace batchscope::engine {

// Around another engine, which does what a subclass does not override.
class ForwardingEngine : public Engine {
 public:
  explicit ForwardingEngine(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

  std::string_view name() const override { return engine_->name(); }
  const Clock& clock() const override { return engine_->clock(); }
  std::map<std::string, std::string> versions() const override { return engine_->versions(); }
  std::vector<std::string> devices() const override { return engine_->devices(); }
  std::vector<ModelDescription> models() const override { return engine_->models(); }
  std::optional<ModelDescription> find_model(std::string_view name) const override {
    return engine_->find_model(name);
  }
  base::Result<std::optional<ModelDescription>> describe_model(const ModelSpec& spec) override {
    return engine_->describe_model(spec);
  }
  base::Result<schema::ModelInfo> inspect(const ModelSpec& spec) override {
    return engine_->inspect(spec);
  }
  base::Result<std::vector<InputSpec>> inputs_of(const ModelSpec& spec) override {
    return engine_->inputs_of(spec);
  }
  base::Result<std::unique_ptr<Model>> load(const ModelSpec& spec,
                                            const ExecutionSpec& execution) override {
    return engine_->load(spec, execution);
  }
  void give_back_unused_memory(const std::string& device) override {
    engine_->give_back_unused_memory(device);
  }
  base::Result<void> check_precision(const std::string& device,
                                     schema::Precision precision) const override {
    return engine_->check_precision(device, precision);
  }

 protected:
  Engine& inner() const { return *engine_; }

 private:
  std::unique_ptr<Engine> engine_;
};

}  // namespace batchscope::engine

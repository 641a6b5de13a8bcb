#include "batchscope/study/inspected_engine.hpp"

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "batchscope/engine/input_text.hpp"

namespace batchscope::study {
namespace {

using base::Result;
using measure::InspectedModel;

class InspectedEngine final : public engine::Engine {
 public:
  InspectedEngine(Inspect inspect, std::unique_ptr<engine::Engine> engine)
      : inspect_(std::move(inspect)), engine_(std::move(engine)) {}

  std::string_view name() const override { return engine_->name(); }
  const engine::Clock& clock() const override { return engine_->clock(); }
  std::map<std::string, std::string> versions() const override { return engine_->versions(); }
  std::vector<std::string> devices() const override { return engine_->devices(); }
  std::vector<engine::ModelDescription> models() const override { return engine_->models(); }
  std::optional<engine::ModelDescription> find_model(std::string_view name) const override {
    return engine_->find_model(name);
  }
  Result<std::optional<engine::ModelDescription>> describe_model(
      const engine::ModelSpec& spec) override {
    return engine_->describe_model(spec);
  }

  // Names are given to files by whoever measures them, which may be after their inputs are known.
  Result<schema::ModelInfo> inspect(const engine::ModelSpec& spec) override {
    if (spec.path.empty()) return engine_->inspect(spec);
    const auto told = told_of(spec);
    if (!told) return told.error();
    schema::ModelInfo info = told->facts;
    info.name = spec.name;
    return info;
  }
  Result<std::vector<engine::InputSpec>> inputs_of(const engine::ModelSpec& spec) override {
    if (spec.path.empty()) return engine_->inputs_of(spec);
    auto told = told_of(spec);
    if (!told) return std::move(told).error();
    return std::move(told->inputs);
  }

  Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec& spec,
                                              const engine::ExecutionSpec& execution) override {
    return engine_->load(spec, execution);
  }
  void give_back_unused_memory(const std::string& device) override {
    engine_->give_back_unused_memory(device);
  }
  Result<void> check_precision(const std::string& device,
                               schema::Precision precision) const override {
    return engine_->check_precision(device, precision);
  }

 private:
  using Key = std::pair<std::string, std::vector<std::string>>;  // path, inputs as stated

  // A file is asked about without the inputs that it tells, and then with them.
  Result<InspectedModel> told_of(const engine::ModelSpec& spec) {
    const Key key{spec.path, engine::to_texts(spec.inputs)};
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    auto told = inspect_(std::string(name()), spec);
    if (!told) return told;
    known_.emplace(key, *told);
    known_.emplace(Key{spec.path, engine::to_texts(told->inputs)}, *told);
    return told;
  }

  Inspect inspect_;
  std::unique_ptr<engine::Engine> engine_;
  std::map<Key, InspectedModel> known_;
};

}  // namespace

std::unique_ptr<engine::Engine> inspected_by(Inspect inspect,
                                             std::unique_ptr<engine::Engine> engine) {
  return std::make_unique<InspectedEngine>(std::move(inspect), std::move(engine));
}

}  // namespace batchscope::study

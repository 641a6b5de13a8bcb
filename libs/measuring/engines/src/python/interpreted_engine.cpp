#include "batchscope/engines/interpreted_engine.hpp"

#include <map>
#include <utility>

#include "asking.hpp"
#include "batchscope/engine/input_text.hpp"
#include "batchscope/schema/not_stated.hpp"

namespace batchscope::engines {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

class InterpretedEngine final : public engine::Engine {
 public:
  InterpretedEngine(Interpreter interpreter, Confine confine, ModelFacts facts)
      : interpreter_(std::move(interpreter)),
        confine_(std::move(confine)),
        own_(std::move(facts)) {}

  std::string_view name() const override { return schema::kEnginePython; }
  const engine::Clock& clock() const override { return engine::steady_clock(); }
  std::map<std::string, std::string> versions() const override { return own_.versions; }
  std::vector<std::string> devices() const override { return own_.devices; }
  std::vector<engine::ModelDescription> models() const override { return {}; }

  Result<schema::ModelInfo> inspect(const engine::ModelSpec& spec) override {
    const auto facts = facts_of(spec);
    if (!facts) return facts.error();
    schema::ModelInfo info;
    info.name = spec.name;
    info.path = spec.path;
    info.inputs = facts->inputs;
    info.parameters = facts->parameters;
    info.hash = facts->hash;
    info.description = facts->description;
    return info;
  }

  Result<std::vector<engine::InputSpec>> inputs_of(const engine::ModelSpec& spec) override {
    const auto facts = facts_of(spec);
    if (!facts) return facts.error();
    return engine::parse_input_specs(facts->inputs);
  }

  Result<std::optional<engine::ModelDescription>> describe_model(
      const engine::ModelSpec& spec) override {
    const auto facts = facts_of(spec);
    if (!facts) return facts.error();
    engine::ModelDescription described;
    described.name = spec.name;
    described.summary = facts->description;
    described.parameters = facts->parameters.value_or(0);
    described.has_seq_len = facts->has_seq_len;
    described.default_seq_len = facts->default_seq_len;
    described.trainable = facts->trains;
    return std::optional(std::move(described));
  }

  Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec& spec,
                                              const engine::ExecutionSpec&) override {
    return Error{ErrorKind::failed, "a model in Python needs an interpreter of its own", spec.path,
                 "leave --isolation none out, or measure from Python with isolation=\"none\""};
  }

 private:
  // A model is asked about several times while a run is set up, first without the inputs that it
  // tells, then with them.
  Result<ModelFacts> facts_of(const engine::ModelSpec& spec) {
    const auto inputs = engine::to_texts(spec.inputs);
    if (const auto known = known_.find({spec.path, inputs}); known != known_.end()) {
      return known->second;
    }
    auto facts = ask(interpreter_, {spec.path, inputs, spec.seed}, confine_);
    if (!facts) return facts;
    known_.emplace(std::pair(spec.path, inputs), *facts);
    const auto reported = engine::parse_input_specs(facts->inputs);
    if (reported) known_.emplace(std::pair(spec.path, engine::to_texts(*reported)), *facts);
    return facts;
  }

  Interpreter interpreter_;
  Confine confine_;
  ModelFacts own_;
  std::map<std::pair<std::string, std::vector<std::string>>, ModelFacts> known_;
};

}  // namespace

std::vector<std::string> worker_of(const Interpreter& interpreter,
                                   const engine::InstallPaths& places) {
  std::vector<std::string> argv = interpreter;
  argv.insert(argv.end(), {"-m", "batchscope._inside.worker"});
  argv.insert(argv.end(), places.plugins.begin(), places.plugins.end());
  return argv;
}

Result<std::unique_ptr<engine::Engine>> make_interpreted_engine(Interpreter interpreter,
                                                                Confine confine) {
  auto facts = ask(interpreter, {});
  if (!facts) return std::move(facts).error();
  return std::unique_ptr<engine::Engine>(std::make_unique<InterpretedEngine>(
      std::move(interpreter), std::move(confine), *std::move(facts)));
}

}  // namespace batchscope::engines

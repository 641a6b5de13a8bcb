#include "interpreted_engine.hpp"

#include <nanobind/stl/string.h>

#include <utility>

#include "arguments.hpp"
#include "batchscope/engine/input_text.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "interpreted_model.hpp"

namespace batchscope::python {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

nb::object loader_of(const std::optional<schema::Loader>& loader) {
  if (!loader) return nb::none();
  nb::dict made;
  made["source"] = loader->source;
  made["workers"] = loader->workers;
  made["prefetch"] = loader->prefetch;
  made["start_method"] = loader->start_method;
  made["pinned"] = loader->pinned;
  return made;
}

nb::dict request_of(const engine::ModelSpec& spec, const engine::ExecutionSpec& execution) {
  nb::dict request;
  request["model"] = spec.path;
  request["inputs"] = list_of(engine::to_texts(spec.inputs));
  request["seed"] = spec.seed;
  request["device"] = execution.device;
  request["threads"] = execution.threads;
  request["precision"] = std::string(to_string(execution.precision));
  request["train"] = execution.mode == schema::Mode::train;
  request["optimizer"] = execution.optimizer;
  request["accumulation"] = execution.accumulation;
  request["checkpointing"] = execution.checkpointing;
  request["wait_each"] = execution.wait_each;
  request["param"] = dict_of(execution.param);
  request["environment"] = dict_of(execution.environment);
  request["compile"] = execution.compile ? nb::object(nb::bool_(*execution.compile)) : nb::none();
  request["gc"] = execution.gc ? nb::object(nb::str(execution.gc->c_str())) : nb::none();
  request["loader"] = loader_of(execution.loader);
  return request;
}

class HostedEngine final : public engine::Engine {
 public:
  explicit HostedEngine(nb::object load) : load_(std::move(load)) {}

  std::string_view name() const override { return schema::kEnginePython; }
  const engine::Clock& clock() const override { return engine::steady_clock(); }
  std::map<std::string, std::string> versions() const override { return {}; }
  std::vector<std::string> devices() const override { return {"cpu"}; }
  std::vector<engine::ModelDescription> models() const override { return {}; }

  Result<schema::ModelInfo> inspect(const engine::ModelSpec& spec) override {
    return Error{ErrorKind::failed, "another interpreter answers questions about models", spec.path,
                 ""};
  }

  Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec& spec,
                                              const engine::ExecutionSpec& execution) override {
    return guarded([&]() -> Result<std::unique_ptr<engine::Model>> {
      nb::object loaded = load_(request_of(spec, execution));
      return make_model(std::move(loaded), spec, execution);
    });
  }

 private:
  nb::object load_;
};

}  // namespace

Result<std::unique_ptr<engine::Engine>> make_engine(nb::object load) {
  return std::unique_ptr<engine::Engine>(std::make_unique<HostedEngine>(std::move(load)));
}

}  // namespace batchscope::python

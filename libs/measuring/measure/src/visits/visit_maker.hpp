#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "batchscope/base/result.hpp"
#include "batchscope/measure/executor.hpp"
#include "batchscope/measure/in_process_executor.hpp"
#include "batchscope/measure/loop.hpp"
#include "instance_barrier.hpp"

namespace batchscope::measure {

// What came of a visit on the side of whoever has the model.
struct MadeVisit {
  base::Result<schema::Visit> visit;
  int64_t wall_ns = 0;  // on the engine's clock, from the visit's start
  bool virtual_time = false;
};

// Everything that a loaded model depends on.
struct ModelKey {
  schema::RunConfig run;  // without its shape
  std::string path;
  uint64_t seed = 0;
  bool wait_each = true;
  int instance = 0;
  auto operator<=>(const ModelKey&) const = default;
};

// Loads, prepares, warms up, times: what a worker does in its own process, and the in-process
// executor in this one.
class VisitMaker {
 public:
  VisitMaker(EngineFactory factory, ModelReuse reuse);

  // `started_ns`: when the visit began on the steady clock, before this process perhaps; absent:
  // now. `on_timed` is called at the end of the timed iterations. `others`: the instances that run
  // beside this one, null when there are none. Errors: no such engine. A failure of the model is
  // inside MadeVisit.
  base::Result<MadeVisit> make(const VisitRequest& request, std::optional<int64_t> started_ns,
                               const std::function<void()>& on_timed,
                               InstanceBarrier* others = nullptr);

  // The outputs of the request's configuration and of what it is held against, on one input.
  // Errors: no such engine, those of Engine::load and Model::infer, and failed (outputs of
  // different shapes, nothing to compare).
  base::Result<schema::OutputDifference> compare(const VisitRequest& request);

  // Kept as long as this lives. Errors: those of the factory.
  base::Result<engine::Engine*> find_engine(const std::string& name);

 private:
  // The model that serves this visit, beside which nothing is left of earlier ones on its device.
  base::Result<engine::Model*> find_model(engine::Engine& engine, const VisitRequest& request);
  base::Result<engine::Model*> load(engine::Engine& engine, const VisitRequest& request);
  void clear_device(const std::string& device);
  void drop_model(engine::Engine& engine, const VisitRequest& request);
  base::Result<schema::Visit> measure(engine::Engine& engine, const VisitRequest& request,
                                      int64_t started_ns, const std::function<void()>& on_timed,
                                      InstanceBarrier* others);

  EngineFactory factory_;
  ModelReuse reuse_;
  std::map<std::string, std::unique_ptr<engine::Engine>> engines_;
  std::map<ModelKey, std::unique_ptr<engine::Model>> models_;
  std::unique_ptr<engine::Model> current_;  // ModelReuse::never: lives until the next load
  PhaseTable phases_;
  int64_t visits_ = 0;
  int loads_ = 0;
};

}  // namespace batchscope::measure

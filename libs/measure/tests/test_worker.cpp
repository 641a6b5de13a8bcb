// What `batchscope worker` is, without the rest of the program, and with one engine more: "real",
// which does nothing, on this machine's clock.

#include <unistd.h>

#include <csignal>

#include "batchscope/base/subprocess.hpp"
#include "batchscope/engine/abilities.hpp"
#include "batchscope/measure/worker.hpp"
#include "batchscope/synthetic/synthetic.hpp"
#include "stub_engine.hpp"

namespace batchscope::measure {
namespace {

using base::Result;

class IdleModel final : public engine::ModelWith<engine::TakesTensors> {
 public:
  Result<std::unique_ptr<engine::Batch>> prepare(const schema::Shape&) override {
    return std::make_unique<engine::Batch>();
  }
  Result<void> run(engine::Batch&, engine::PhaseSink& sink) override {
    sink.phase("forward", 1, std::nullopt);
    return {};
  }
  std::vector<engine::InputSpec> inputs() const override {
    return {*engine::parse_input_spec("x:Bx4")};
  }
  Result<std::vector<engine::Tensor>> infer(std::span<const engine::Tensor> inputs,
                                            const engine::Pool&, engine::PhaseSink&) override {
    return std::vector<engine::Tensor>(inputs.begin(), inputs.end());
  }
  Result<void> wait(engine::PhaseSink&) override { return {}; }
  void reset_memory_peaks() override {}
  schema::Memory memory() const override { return {}; }
};

class RealEngine final : public engine::StubEngine {
 public:
  std::string_view name() const override { return "real"; }
  Result<std::vector<engine::InputSpec>> inputs_of(const engine::ModelSpec& spec) override {
    if (spec.path == "crashes.pt") {
      std::signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would exit instead
      std::raise(SIGSEGV);
    }
    if (spec.path == "says-nothing.pt") return Engine::inputs_of(spec);
    return IdleModel().inputs();
  }
  Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec&,
                                              const engine::ExecutionSpec&) override {
    return std::unique_ptr<engine::Model>(std::make_unique<IdleModel>());
  }
};

Result<std::unique_ptr<engine::Engine>> find_engine(std::string_view name) {
  if (name == "real") return std::unique_ptr<engine::Engine>(std::make_unique<RealEngine>());
  return synthetic::load_engine(name);
}

}  // namespace
}  // namespace batchscope::measure

int main() {
  _exit(batchscope::measure::worker_main(batchscope::base::kChildSocket,
                                         batchscope::measure::find_engine));
}

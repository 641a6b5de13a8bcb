// What `batchscope worker` is, without the rest of the program, and with one engine more: "real",
// which does nothing, on this machine's clock.

#include <unistd.h>

#include <csignal>
#include <new>

#include "batchscope/base/subprocess.hpp"
#include "batchscope/engine/abilities.hpp"
#include "batchscope/engines/synthetic.hpp"
#include "batchscope/measure/worker.hpp"
#include "testing/engines/stub_engine.hpp"

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

void crash() {
  std::signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would exit instead
  std::raise(SIGSEGV);
}

class RealEngine final : public engine::StubEngine {
 public:
  std::string_view name() const override { return "real"; }
  Result<schema::ModelInfo> inspect(const engine::ModelSpec& spec) override {
    if (spec.path == "crashes.pt") crash();
    while (spec.path == "hangs.pt") pause();
    if (spec.path == "throws.pt") throw std::bad_alloc();
    if (spec.path == "torn.pt") {
      return base::Error{base::ErrorKind::input, "it is torn", spec.path, "write it again"};
    }
    schema::ModelInfo info;
    info.name = spec.name;
    info.path = spec.path;
    info.parameters = 20;
    return info;
  }
  Result<std::vector<engine::InputSpec>> inputs_of(const engine::ModelSpec& spec) override {
    if (spec.path == "crashes-when-called.pt") crash();
    if (spec.path == "too-large-when-called.pt") {
      return base::Error{base::ErrorKind::out_of_memory, "no memory for it", spec.path, ""};
    }
    if (spec.path == "says-nothing.pt") return Engine::inputs_of(spec);
    return spec.inputs.empty() ? IdleModel().inputs() : spec.inputs;
  }
  Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec&,
                                              const engine::ExecutionSpec&) override {
    return std::unique_ptr<engine::Model>(std::make_unique<IdleModel>());
  }
};

Result<std::unique_ptr<engine::Engine>> find_engine(std::string_view name) {
  if (name == "real") return std::unique_ptr<engine::Engine>(std::make_unique<RealEngine>());
  return engines::load_synthetic(name);
}

}  // namespace
}  // namespace batchscope::measure

int main() {
  _exit(batchscope::measure::worker_main(batchscope::base::kChildSocket,
                                         batchscope::measure::find_engine));
}

#pragma once

#include "batchscope/engine/engine.hpp"

namespace batchscope::engine {

// What an engine of a test has to answer and what no test asks; load() is left to it.
class StubEngine : public Engine {
 public:
  std::string_view name() const override { return "stub"; }
  const Clock& clock() const override { return steady_clock(); }
  std::map<std::string, std::string> versions() const override { return {}; }
  std::vector<std::string> devices() const override { return {"cpu", "cuda:0"}; }
  std::vector<ModelDescription> models() const override { return {}; }
  base::Result<schema::ModelInfo> inspect(const ModelSpec&) override { return schema::ModelInfo(); }
};

// The same of a model: it takes everything, and does nothing.
class StubModel : public Model {
 public:
  base::Result<std::unique_ptr<Batch>> prepare(const schema::Shape&) override {
    return std::make_unique<Batch>();
  }
  base::Result<void> run(Batch&, PhaseSink&) override { return {}; }
  base::Result<void> wait(PhaseSink&) override { return {}; }
  void reset_memory_peaks() override {}
  schema::Memory memory() const override { return {}; }
};

}  // namespace batchscope::engine

#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "batchscope/engine/abilities.hpp"
#include "batchscope/engine/tokenizer.hpp"
#include "testing/engines/stub_engine.hpp"

namespace batchscope::engines {

// A token a word, between a first token 101 and a last one 102; a word's token is its length.
class WordTokenizer final : public engine::Tokenizer {
 public:
  explicit WordTokenizer(int64_t most = 64) : most_(most), facts_{200, most, 7, 2} {}

  const engine::TokenizerFacts& facts() const override { return facts_; }

  base::Result<std::vector<std::vector<int32_t>>> tokenize(
      std::span<const std::string_view> texts) override {
    std::vector<std::vector<int32_t>> rows;
    for (const std::string_view text : texts) rows.push_back(row(text));
    return rows;
  }

 private:
  std::vector<int32_t> row(std::string_view text) const {
    std::vector<int32_t> ids{101};
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      if (end > at) ids.push_back(static_cast<int32_t>(end - at));
      at = end + 1;
    }
    ids.resize(std::min(ids.size(), static_cast<std::size_t>(most_ - 1)));
    ids.push_back(102);
    return ids;
  }

  int64_t most_;
  engine::TokenizerFacts facts_;
};

// What an engine was given, call by call.
struct Calls {
  std::vector<std::vector<engine::Tensor>> inferred;
  std::vector<schema::Shape> prepared;
  std::vector<int64_t> held_back;
  std::vector<std::string> given_back;  // devices
};

class FakeModel final
    : public engine::ModelWith<engine::TakesTensors, engine::HoldsBack, engine::Diagnoses> {
 public:
  FakeModel(Calls& calls, std::vector<engine::InputSpec> inputs)
      : calls_(calls), inputs_(std::move(inputs)) {}

  base::Result<std::unique_ptr<engine::Batch>> prepare(const schema::Shape& shape) override {
    calls_.prepared.push_back(shape);
    return std::unique_ptr<engine::Batch>(std::make_unique<engine::Batch>());
  }
  base::Result<void> run(engine::Batch&, engine::PhaseSink&) override { return {}; }
  std::vector<engine::InputSpec> inputs() const override { return inputs_; }
  base::Result<std::vector<engine::Tensor>> infer(std::span<const engine::Tensor> inputs,
                                                  const engine::Pool&,
                                                  engine::PhaseSink& sink) override {
    calls_.inferred.emplace_back(inputs.begin(), inputs.end());
    sink.phase("forward", 1, std::nullopt);
    return std::vector<engine::Tensor>(1);
  }
  base::Result<void> wait(engine::PhaseSink&) override { return {}; }
  void reset_memory_peaks() override {}
  schema::Memory memory() const override { return {}; }
  base::Result<void> hold_back(int64_t bytes) override {
    calls_.held_back.push_back(bytes);
    return {};
  }
  base::Result<void> diagnose(engine::Batch&, const std::filesystem::path& trace_file,
                              schema::Diagnosis& diagnosis) override {
    diagnosis.tracer = "fake";
    diagnosis.trace_file = trace_file.string();
    return {};
  }

 private:
  Calls& calls_;
  std::vector<engine::InputSpec> inputs_;
};

class FakeEngine final : public engine::StubEngine {
 public:
  explicit FakeEngine(Calls& calls, std::vector<engine::InputSpec> inputs = {})
      : calls_(calls), inputs_(std::move(inputs)) {}

  std::string_view name() const override { return "fake"; }
  base::Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec&,
                                                    const engine::ExecutionSpec&) override {
    return std::unique_ptr<engine::Model>(std::make_unique<FakeModel>(calls_, inputs_));
  }
  void give_back_unused_memory(const std::string& device) override {
    calls_.given_back.push_back(device);
  }
  base::Result<void> check_precision(const std::string& device,
                                     schema::Precision precision) const override {
    if (precision != schema::Precision::fp16) return {};
    return base::Error{base::ErrorKind::usage, device + " has no fp16", "--precision", "use fp32"};
  }

 private:
  Calls& calls_;
  std::vector<engine::InputSpec> inputs_;
};

// One whose models run on inputs of their own making alone.
class ClosedEngine final : public engine::StubEngine {
 public:
  base::Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec&,
                                                    const engine::ExecutionSpec&) override {
    return std::unique_ptr<engine::Model>(std::make_unique<engine::StubModel>());
  }
};

inline std::vector<int64_t> values(const engine::Tensor& tensor) {
  std::vector<int64_t> numbers(tensor.data.size() / sizeof(int64_t));
  std::memcpy(numbers.data(), tensor.data.data(), tensor.data.size());
  return numbers;
}

}  // namespace batchscope::engines

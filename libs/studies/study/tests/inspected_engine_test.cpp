#include "batchscope/study/inspected_engine.hpp"

#include <gtest/gtest.h>

#include "testing/engines/stub_engine.hpp"

namespace batchscope::study {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using measure::InspectedModel;

// Opens no file: whoever asks it about one is told that it was asked.
class Untouched final : public engine::StubEngine {
 public:
  Result<schema::ModelInfo> inspect(const engine::ModelSpec& spec) override {
    if (!spec.path.empty()) return Error{ErrorKind::failed, "opened in this process", spec.path};
    schema::ModelInfo info;
    info.name = "built in";
    return info;
  }
  Result<std::vector<engine::InputSpec>> inputs_of(const engine::ModelSpec& spec) override {
    if (!spec.path.empty()) return Error{ErrorKind::failed, "opened in this process", spec.path};
    return spec.inputs;
  }
  Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec&,
                                              const engine::ExecutionSpec&) override {
    return std::unique_ptr<engine::Model>(std::make_unique<engine::StubModel>());
  }
  Result<void> check_precision(const std::string&, schema::Precision) const override {
    return Error{ErrorKind::usage, "computes nothing"};
  }
  std::optional<engine::ModelDescription> find_model(std::string_view name) const override {
    return engine::ModelDescription{std::string(name)};
  }
};

engine::ModelSpec file(const std::string& name) {
  engine::ModelSpec spec;
  spec.name = name;
  spec.path = name + ".pt";
  return spec;
}

// What was asked of the other process, and an engine that asks it.
struct Asking {
  std::vector<engine::ModelSpec> asked;
  std::unique_ptr<engine::Engine> engine = inspected_by(
      [this](const std::string& name, const engine::ModelSpec& spec) -> Result<InspectedModel> {
        EXPECT_EQ(name, "stub");
        asked.push_back(spec);
        if (spec.path == "torn.pt") return Error{ErrorKind::input, "it is torn", spec.path};
        InspectedModel reported;
        reported.facts.name = spec.name;
        reported.facts.path = spec.path;
        reported.facts.parameters = 20;
        reported.inputs = spec.inputs;
        if (reported.inputs.empty()) reported.inputs = {*engine::parse_input_spec("x:Bx4")};
        return reported;
      },
      std::make_unique<Untouched>());
};

TEST(InspectedEngine, AsksOnceAFile) {
  Asking one;
  engine::ModelSpec spec = file("net");
  const auto inputs = one.engine->inputs_of(spec);
  ASSERT_TRUE(inputs);
  ASSERT_EQ(inputs->size(), 1U);
  // As a run is set up: with the inputs that were told, a seed, and a name of its own.
  spec.inputs = *inputs;
  spec.name = "b/net.pt";
  spec.seed = 7;
  const auto info = one.engine->inspect(spec);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->name, "b/net.pt");
  EXPECT_EQ(info->path, "net.pt");
  EXPECT_EQ(info->parameters, 20);
  EXPECT_EQ(one.asked.size(), 1U);
  EXPECT_TRUE(one.engine->inspect(file("other")));
  EXPECT_EQ(one.asked.size(), 2U);
}

TEST(InspectedEngine, OtherInputsAreAnotherQuestion) {
  Asking one;
  engine::ModelSpec spec = file("net");
  ASSERT_TRUE(one.engine->inputs_of(spec));
  spec.inputs = {*engine::parse_input_spec("ids:BxS:int64")};
  const auto inputs = one.engine->inputs_of(spec);
  ASSERT_TRUE(inputs);
  EXPECT_EQ(inputs->front().name, "ids");
  EXPECT_EQ(one.asked.size(), 2U);
}

TEST(InspectedEngine, ErrorsStayAsTheyAre) {
  Asking one;
  for (const Error& error :
       {one.engine->inspect(file("torn")).error(), one.engine->inputs_of(file("torn")).error()}) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    EXPECT_EQ(base::to_string(error), "torn.pt: it is torn");
  }
}

TEST(InspectedEngine, BuiltInModelsAndAllElseAreTheEnginesOwn) {
  Asking one;
  engine::ModelSpec spec;
  spec.name = "distilbert";
  EXPECT_EQ(one.engine->inspect(spec)->name, "built in");
  EXPECT_TRUE(one.engine->inputs_of(spec));
  EXPECT_EQ((*one.engine->describe_model(spec))->name, "distilbert");
  EXPECT_EQ(one.engine->name(), "stub");
  EXPECT_EQ(one.engine->devices().size(), 2U);
  EXPECT_TRUE(one.engine->load(file("net"), {}));
  EXPECT_EQ(one.engine->check_precision("cpu", {}).error().what, "computes nothing");
  EXPECT_TRUE(one.asked.empty());
}

}  // namespace
}  // namespace batchscope::study

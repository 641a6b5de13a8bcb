#include "batchscope/engine/description.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/engines/stub_engine.hpp"
#include "testing/files/scratch_folder.hpp"

namespace batchscope::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const EngineDescription& engine : own_engines()) names.push_back(engine.name);
  return names;
}

TEST(OwnEngines, AreDescribedInTheOrderOfPreference) {
  EXPECT_THAT(names(), ElementsAre("torch", "openvino", "python", "synthetic"));
}

TEST(OwnEngines, SayWhatTheyTakeAndHowToGetThem) {
  for (const EngineDescription& engine : own_engines()) {
    EXPECT_FALSE(engine.device_kinds.empty()) << engine.name;
    if (engine.virtual_time) continue;
    if (engine.interpreted) {
      EXPECT_TRUE(engine.endings.empty()) << engine.name;
      EXPECT_THAT(engine.how_to_get, HasSubstr("pip install")) << engine.name;
      continue;
    }
    EXPECT_FALSE(engine.endings.empty()) << engine.name;
    EXPECT_FALSE(engine.stored_files.empty()) << engine.name;
    EXPECT_THAT(engine.how_to_get, HasSubstr("libbatchscope_" + engine.name)) << engine.name;
  }
}

TEST(EngineFor, GoesByTheEnding) {
  EXPECT_EQ(engine_for("a/model.pt").name, "torch");
  EXPECT_EQ(engine_for("model.pt2").name, "torch");
  EXPECT_EQ(engine_for("model.onnx").name, "openvino");
  EXPECT_EQ(engine_for("model.xml").name, "openvino");
  EXPECT_EQ(engine_for("distilbert").name, "torch");
  EXPECT_EQ(engine_for("model.txt").name, "torch");
  EXPECT_EQ(engine_for("").name, "torch");
}

TEST(KnownEndings, AreThoseOfAllEngines) {
  EXPECT_EQ(known_endings(), ".pt, .pt2, .pth, .ts, .onnx or .xml");
}

TEST(EnginesThat, AreEnumerated) {
  EXPECT_EQ(engines_that([](const auto& engine) { return engine.loads_files; }), "torch");
  EXPECT_EQ(engines_that([](const auto& engine) { return engine.calls_for_inputs; }), "torch");
  EXPECT_EQ(engines_that([](const auto& engine) { return !engine.virtual_time; }),
            "torch, openvino or python");
  EXPECT_EQ(engines_that([](const auto&) { return true; }), "torch, openvino, python or synthetic");
  EXPECT_EQ(engines_that([](const auto&) { return false; }), "");
}

TEST(Describe, KnowsLittleOfWhatNoneDescribes) {
  class Other final : public StubEngine {
    base::Result<std::unique_ptr<Model>> load(const ModelSpec&, const ExecutionSpec&) override {
      return std::unique_ptr<Model>(std::make_unique<StubModel>());
    }
  } other;
  const EngineDescription description = describe(other, {});
  EXPECT_EQ(description.name, "stub");
  EXPECT_TRUE(description.trains);
  EXPECT_FALSE(description.loads_files);
  EXPECT_FALSE(description.virtual_time);
}

TEST(ParseDescription, TakesWhatIsLeftOutAsAbsent) {
  const auto plain = parse_description(R"({"name": "x"})", "x.json");
  ASSERT_TRUE(plain) << base::to_string(plain.error());
  EXPECT_EQ(plain->name, "x");
  EXPECT_TRUE(plain->endings.empty());
  EXPECT_FALSE(plain->triton);
}

TEST(ParseDescription, ReadsAllOfIt) {
  const auto full = parse_description(
      R"({"name": "x", "endings": [".x"], "stored_files": ["model.x"], "device_kinds": ["npu"],
          "how_to_get": "ask", "abilities": ["holds-back", "diagnoses"], "trains": false,
          "loads_files": true, "calls_for_inputs": true, "tokenizes": true, "virtual_time": true,
          "environment_when_watched": {"A": "1"},
          "triton": {"backend": "b", "threads_parameter": "T",
                     "tells_inputs_and_outputs": false}})",
      "x.json");
  ASSERT_TRUE(full) << base::to_string(full.error());
  EXPECT_THAT(full->endings, ElementsAre(".x"));
  EXPECT_THAT(full->stored_files, ElementsAre("model.x"));
  EXPECT_THAT(full->device_kinds, ElementsAre("npu"));
  EXPECT_EQ(full->how_to_get, "ask");
  EXPECT_THAT(full->abilities, ElementsAre(Ability::holds_back, Ability::diagnoses));
  EXPECT_FALSE(full->trains);
  EXPECT_TRUE(full->loads_files && full->calls_for_inputs && full->tokenizes && full->virtual_time);
  EXPECT_EQ(full->environment_when_watched.at("A"), "1");
  ASSERT_TRUE(full->triton);
  EXPECT_EQ(full->triton->name, "b");
  EXPECT_EQ(full->triton->threads_parameter, "T");
  EXPECT_FALSE(full->triton->tells_inputs_and_outputs);
}

TEST(ParseDescription, RefusesSlips) {
  for (const char* text :
       {"", "[]", "{}", "3", R"({"name": 3})", R"({"name": "x", "ending": [".x"]})",
        R"({"name": "x", "endings": ".x"})", R"({"name": "x", "abilities": ["flies"]})",
        R"({"name": "x", "triton": {}})", R"({"name": "x")"}) {
    const auto wrong = parse_description(text, "x.json");
    ASSERT_FALSE(wrong) << text;
    EXPECT_EQ(wrong.error().kind, base::ErrorKind::input);
    EXPECT_EQ(wrong.error().where, "x.json");
    EXPECT_FALSE(wrong.error().fix.empty());
  }
}

// A plugin of somebody else's, with its description beside it.
class FoundBeside : public testing::Test {
 protected:
  InstallPaths places() const { return {{folder_.file("")}, {}}; }
  void write(const char* name, const char* text) { folder_.write(name, text); }

  ScratchFolder folder_;
};

TEST_F(FoundBeside, WithoutLoadingThePlugin) {
  write("libbatchscope_theirs.so", "this could not be loaded");
  write("libbatchscope_theirs.json", R"({"name": "theirs", "endings": [".their"]})");
  const auto theirs = find_description("theirs", places());
  ASSERT_TRUE(theirs);
  EXPECT_THAT(theirs->endings, ElementsAre(".their"));
}

TEST_F(FoundBeside, OnlyWhereThereIsAPlugin) {
  write("libbatchscope_theirs.json", R"({"name": "theirs"})");
  EXPECT_FALSE(find_description("theirs", places()));
}

TEST_F(FoundBeside, AndLeftOutWhereItCannotBeRead) {
  write("libbatchscope_theirs.so", "");
  EXPECT_FALSE(find_description("theirs", places()));
  write("libbatchscope_theirs.json", "{");
  EXPECT_FALSE(find_description("theirs", places()));
}

}  // namespace
}  // namespace batchscope::engine

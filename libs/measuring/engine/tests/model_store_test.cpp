#include "batchscope/engine/model_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace batchscope::engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFacts =
    R"({"inputs": ["input_ids:BxS:int64=0-9"], "summary": "tokens", "parameters": 7, "vocabulary": 10,
        "pad_id": 3, "hidden_size": 4, "max_positions": 512, "max_length": 256, "pooling": "mean",
        "normalize": true})";

class ModelStore : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("batchscope-store-" + std::to_string(getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  InstallPaths places() const { return {{}, {"/absent", folder_}}; }
  void put(const std::string& name, const std::string& file, const std::string& text) const {
    fs::create_directories(folder_ / name);
    std::ofstream(folder_ / name / file) << text;
  }
  fs::path folder_;
};

TEST_F(ModelStore, ReadsWhatModelJsonSays) {
  put("small", "model.json", kFacts);
  const auto found = find_stored_model("small", places());
  ASSERT_TRUE(found) << base::to_string(found.error());
  ASSERT_TRUE(*found);
  const StoredModel& model = **found;
  EXPECT_EQ(model.name, "small");
  EXPECT_EQ(model.inputs, std::vector<std::string>{"input_ids:BxS:int64=0-9"});
  EXPECT_EQ(model.vocabulary, 10);
  EXPECT_EQ(model.pad_id, 3);
  EXPECT_EQ(model.max_positions, 512);
  EXPECT_EQ(model.max_length, 256);
  EXPECT_EQ(model.pooling, schema::Pooling::mean);
  EXPECT_TRUE(model.normalize);
  EXPECT_EQ(model.tokenizer(), folder_ / "small" / "tokenizer.xml");
}

TEST_F(ModelStore, AnAbsentOneIsNoError) {
  for (const char* name : {"absent", "", "..", "a/b", ".hidden"}) {
    const auto found = find_stored_model(name, places());
    ASSERT_TRUE(found) << name;
    EXPECT_FALSE(*found) << name;
  }
}

TEST_F(ModelStore, SaysWhereAFileIsWrong) {
  for (const char* text : {"", "{", "[]", R"({"inputs": []})", R"({"inputs": 3})"}) {
    put("broken", "model.json", text);
    const auto found = find_stored_model("broken", places());
    ASSERT_FALSE(found) << text;
    EXPECT_EQ(found.error().kind, base::ErrorKind::input);
    EXPECT_EQ(found.error().where, (folder_ / "broken" / "model.json").string());
  }
}

TEST_F(ModelStore, ListsThoseThatCanBeRead) {
  put("b", "model.json", kFacts);
  put("a", "model.json", kFacts);
  put("broken", "model.json", "{");
  put("empty", "model.pt", "");
  std::vector<std::string> names;
  for (const StoredModel& model : stored_models(places())) names.push_back(model.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b"}));
}

TEST_F(ModelStore, EachEngineHasItsFile) {
  put("small", "model.json", kFacts);
  StoredModel model;
  model.name = "small";
  model.folder = folder_ / "small";
  for (const char* engine : {"torch", "openvino", "synthetic"}) {
    const auto none = file_for(model, engine, {});
    ASSERT_FALSE(none) << engine;
    EXPECT_EQ(none.error().kind, base::ErrorKind::usage);
  }
  put("small", "model.pt2", "");
  put("small", "model.onnx", "");
  EXPECT_EQ(*file_for(model, "torch", {}), model.folder / "model.pt2");
  EXPECT_EQ(*file_for(model, "openvino", {}), model.folder / "model.onnx");
  put("small", "model.pt", "");
  put("small", "model.xml", "");
  EXPECT_EQ(*file_for(model, "torch", {}), model.folder / "model.pt");
  EXPECT_EQ(*file_for(model, "openvino", {}), model.folder / "model.xml");
}

TEST_F(ModelStore, SaysHowToMakeTheExportedOne) {
  EXPECT_THAT(how_to_make("all-minilm-l6-v2"), testing::HasSubstr("./dev models"));
  EXPECT_EQ(how_to_make("another"), "");
}

}  // namespace
}  // namespace batchscope::engine

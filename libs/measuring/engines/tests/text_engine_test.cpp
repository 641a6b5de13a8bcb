#include "batchscope/engines/text_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "batchscope/base/file.hpp"
#include "fake_engine.hpp"

namespace batchscope::engines {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Counted final : engine::PhaseSink {
  std::map<std::string, int> counts;
  void phase(std::string_view name, int64_t, std::optional<int64_t>) override {
    ++counts[std::string(name)];
  }
};

class TextEngineTest : public testing::Test {
 protected:
  base::Result<std::unique_ptr<engine::Model>> load(const schema::TextPipeline& pipeline) {
    engine_ =
        with_texts(std::make_unique<FakeEngine>(calls_), [&](const engine::TokenizerSpec& spec) {
          threads_ = spec.threads;
          return base::Result<std::unique_ptr<engine::Tokenizer>>(
              std::make_unique<WordTokenizer>());
        });
    engine::ExecutionSpec execution;
    execution.pipeline = pipeline;
    execution.mode = mode_;
    return engine_->load({}, execution);
  }
  std::string texts(const std::string& content) {
    const std::string path =
        testing::TempDir() + "/pipeline_texts_" + std::to_string(getpid()) + ".txt";
    EXPECT_TRUE(base::write_file_atomically(path, content));
    return path;
  }

  Calls calls_;
  std::unique_ptr<engine::Engine> engine_;
  int threads_ = 0;
  schema::Mode mode_ = schema::Mode::infer;
};

TEST_F(TextEngineTest, TokenizesPadsAndInfers) {
  auto model = load({.tokenizer = "t", .tokenizer_threads = 3});
  ASSERT_TRUE(model);
  EXPECT_EQ(threads_, 3);
  auto batch = (*model)->prepare({2, 5});
  ASSERT_TRUE(batch);
  EXPECT_EQ((*batch)->cycle(), 1);
  EXPECT_EQ((*batch)->tokens(), (schema::Tokens{10, 10, 1}));
  Counted sink;
  ASSERT_TRUE((*model)->run(**batch, sink));
  EXPECT_THAT(sink.counts,
              ElementsAre(std::pair("forward", 1), std::pair("pad", 1), std::pair("tokenize", 1)));
  ASSERT_EQ(calls_.inferred.size(), 1U);
  EXPECT_THAT(calls_.inferred[0][0].dimensions, ElementsAre(2, 5));
  EXPECT_EQ(values(calls_.inferred[0][0])[0], 101);
}

TEST_F(TextEngineTest, TheMemoryOfTheDeviceIsTheEnginesOwn) {
  auto model = load({.tokenizer = "t"});
  ASSERT_TRUE(model);
  auto* const holder = (*model)->as<engine::HoldsBack>();
  ASSERT_NE(holder, nullptr);
  ASSERT_TRUE(holder->hold_back(7));
  engine_->give_back_unused_memory("cuda:0");
  EXPECT_THAT(calls_.held_back, ElementsAre(7));
  EXPECT_THAT(calls_.given_back, ElementsAre("cuda:0"));
}

TEST_F(TextEngineTest, PrecisionsAreTheEnginesOwn) {
  ASSERT_TRUE(load({.tokenizer = "t"}));
  EXPECT_TRUE(engine_->check_precision("cpu", schema::Precision::fp32));
  EXPECT_FALSE(engine_->check_precision("cpu", schema::Precision::fp16));
}

TEST_F(TextEngineTest, GoesThroughAllBatchesOfACycle) {
  auto model = load({.tokenizer = "t"});
  ASSERT_TRUE(model);
  auto batch = (*model)->prepare({2, std::nullopt, "mix", {3, 9, 4, 4}});
  ASSERT_TRUE(batch);
  EXPECT_EQ((*batch)->tokens(), (schema::Tokens{20, 26, 2}));
  Counted sink;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE((*model)->run(**batch, sink));
  ASSERT_EQ(calls_.inferred.size(), 3U);
  EXPECT_EQ(calls_.inferred[0][0].dimensions[1], 9);
  EXPECT_EQ(calls_.inferred[1][0].dimensions[1], 4);
  EXPECT_EQ(calls_.inferred[2][0].dimensions[1], 9);
}

TEST_F(TextEngineTest, SortingPutsLikeToLike) {
  auto model = load({.tokenizer = "t", .order = schema::TextOrder::sorted});
  ASSERT_TRUE(model);
  auto batch = (*model)->prepare({2, std::nullopt, "mix", {3, 20, 4, 21}});
  ASSERT_TRUE(batch);
  EXPECT_EQ((*batch)->tokens(), (schema::Tokens{48, 2 * 21 + 2 * 4, 2}));
}

// One of each length from 1 to 40 words, and two tokens of their own: all sorted, neighbours meet.
TEST_F(TextEngineTest, SortsAllTextsOfAFileOrSomeAtATime) {
  std::string lines, words;
  for (int i = 0; i < 40; ++i) lines += (words += "a ") + "\n";
  const auto padding = [&](int64_t window, bool all) {
    auto model = load({.tokenizer = "t",
                       .texts = texts(lines),
                       .order = schema::TextOrder::sorted,
                       .sort_window = window,
                       .sort_all = all});
    const auto tokens = *(*(*model)->prepare({10}))->tokens();
    EXPECT_EQ(tokens.real, tokens.iterations * 10 * (3 + 42) / 2) << window;
    return tokens.padded - tokens.real;
  };
  EXPECT_EQ(padding(40, true), 4 * 45);
  EXPECT_EQ(padding(40, false), 4 * 45);
  EXPECT_GT(padding(20, false), 4 * 45);
  EXPECT_GT(padding(10, false), padding(20, false));
}

TEST_F(TextEngineTest, ABudgetOfTokensSplitsABatch) {
  auto model = load({.tokenizer = "t", .token_budget = 12});
  ASSERT_TRUE(model);
  auto batch = (*model)->prepare({3, std::nullopt, "mix", {6, 6, 10}});
  ASSERT_TRUE(batch);
  EXPECT_EQ((*batch)->tokens(), (schema::Tokens{22, 22, 1}));
  Counted sink;
  ASSERT_TRUE((*model)->run(**batch, sink));
  EXPECT_EQ(sink.counts.at("tokenize"), 1);
  EXPECT_EQ(sink.counts.at("forward"), 2);
}

TEST_F(TextEngineTest, ReadsTheTextsOfAFile) {
  auto model = load({.tokenizer = "t", .texts = texts("a bb\nccc\n")});
  ASSERT_TRUE(model);
  auto batch = (*model)->prepare({8});
  ASSERT_TRUE(batch);
  EXPECT_EQ((*batch)->cycle(), 4);
  EXPECT_EQ((*batch)->tokens()->real, 16 * 4 + 16 * 3);
}

TEST_F(TextEngineTest, SaysWhichLengthsItCannotMake) {
  auto model = load({.tokenizer = "t"});
  ASSERT_TRUE(model);
  EXPECT_THAT((*model)->prepare({1, 1}).error().what, HasSubstr("an empty one has 2"));
  EXPECT_THAT((*model)->prepare({1, 65}).error().what, HasSubstr("cuts at 64"));
  EXPECT_THAT((*model)->prepare({1}).error().fix, HasSubstr("add --text-lengths 100"));
}

TEST_F(TextEngineTest, RefusesWhatItDoesNotKnow) {
  const auto kind = [&](const schema::TextPipeline& pipeline) {
    return load(pipeline).error().kind;
  };
  EXPECT_EQ(kind({.tokenizer = "t", .padding = schema::Padding("some")}), base::ErrorKind::usage);
  EXPECT_EQ(kind({.tokenizer = "t", .order = schema::OpenEnum<schema::TextOrder>("random")}),
            base::ErrorKind::usage);
  EXPECT_EQ(kind({.tokenizer = "t", .pooling = schema::OpenEnum<schema::Pooling>("max")}),
            base::ErrorKind::usage);
  EXPECT_EQ(kind({.tokenizer = "t", .texts = "/no/such"}), base::ErrorKind::input);
  mode_ = schema::Mode::train;
  EXPECT_EQ(kind({.tokenizer = "t"}), base::ErrorKind::usage);
}

TEST_F(TextEngineTest, WithoutAPipelineIsTheEngineItself) {
  load({.tokenizer = "t"}).value();
  auto model = engine_->load({}, {});
  ASSERT_TRUE(model);
  EXPECT_TRUE((*model)->prepare({4, 5}));
  EXPECT_EQ(calls_.prepared.size(), 1U);
}

TEST_F(TextEngineTest, IsDiagnosedAtTheShapeOfABatch) {
  auto model = load({.tokenizer = "t"});
  auto batch = (*model)->prepare({2, std::nullopt, "mix", {3, 9, 4, 4}});
  schema::Diagnosis diagnosis;
  auto* const tracer = (*model)->as<engine::Diagnoses>();
  ASSERT_NE(tracer, nullptr);
  ASSERT_TRUE(tracer->diagnose(**batch, "kept.json.gz", diagnosis));
  EXPECT_EQ(diagnosis.tracer, "fake");
  ASSERT_EQ(calls_.prepared.size(), 1U);
  EXPECT_EQ(calls_.prepared[0], (schema::Shape{2, 9}));
}

TEST_F(TextEngineTest, TakesTokensAsTheModelDoes) {
  auto model = load({.tokenizer = "t"});
  ASSERT_TRUE(model);
  auto* const takes = (*model)->as<engine::TakesTensors>();
  ASSERT_NE(takes, nullptr);
  Counted sink;
  EXPECT_TRUE(takes->infer({}, {}, sink));
  EXPECT_EQ(calls_.inferred.size(), 1U);
  EXPECT_EQ((*model)->as<engine::ShowsGradients>(), nullptr) << "its batches are texts";
}

TEST_F(TextEngineTest, RefusesAModelThatTakesNoTokens) {
  const auto closed =
      with_texts(std::make_unique<ClosedEngine>(), [](const engine::TokenizerSpec&) {
        return base::Result<std::unique_ptr<engine::Tokenizer>>(std::make_unique<WordTokenizer>());
      });
  engine::ExecutionSpec execution;
  execution.pipeline = schema::TextPipeline{.tokenizer = "t"};
  const auto model = closed->load({}, execution);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().what, HasSubstr("its own inputs"));
}

}  // namespace
}  // namespace batchscope::engines

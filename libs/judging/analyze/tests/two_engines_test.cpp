// Two engines that run one model: when their speeds are held against each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "batchscope/analyze/analyze.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::analyze {
namespace {

using tables::affine;
using tables::batch_sizes;
using tables::make_run;
using tables::quiet;
using testing::Contains;
using testing::HasSubstr;

// Engine b takes half the time of engine a.
class TwoEngines : public testing::Test {
 protected:
  TwoEngines() {
    auto configs = batch_sizes({1, 2, 4});
    for (auto& config : configs) config.engine = "a";
    for (auto config : std::vector(configs)) {
      config.engine = "b";
      configs.push_back(config);
    }
    run_ = make_run({configs,
                     [](const schema::RunConfig& config) {
                       return affine()(config) * (config.engine == "b" ? 0.5 : 1.0);
                     },
                     12, 3, quiet(), 9});
  }

  findings::Summary summary() const { return analyze(std::span(&run_, 1)); }

  schema::RunFile run_;
};

TEST_F(TwoEngines, AreComparedWhereTheirOutputsWere) {
  run_.outputs = {{3, 0, 0.99998765, 0.000123, 768}};
  const auto compared = summary();
  ASSERT_EQ(compared.comparisons.size(), 3u);
  for (const findings::Comparison& each : compared.comparisons) {
    EXPECT_EQ(each.axis, "engine");
    EXPECT_TRUE(each.significant);
    EXPECT_EQ(each.outputs, run_.outputs.front());
    EXPECT_THAT(each.message, HasSubstr("engine b takes 50 % less time than engine a"));
    EXPECT_THAT(each.message,
                HasSubstr("On the same input the outputs differ by at most 1.2e-4 times "
                          "the largest value, cosine similarity at least 0.999987."));
  }
  ASSERT_EQ(compared.recommendations.size(), 1u);
  EXPECT_EQ(compared.recommendations.front().config.engine, "b");
}

TEST_F(TwoEngines, AreDistinguishedOnceInShort) {
  run_.outputs = {{3, 0, 0.99998765, 0.000123, 768}};
  const auto words = summary().words;
  const auto reported = std::count_if(words.begin(), words.end(), [](const std::string& each) {
    return each.find("less time than engine a") != std::string::npos;
  });
  EXPECT_EQ(reported, 1);
  EXPECT_THAT(words, Contains(HasSubstr("At batches 2 and 4 too: 50 % less.")));
}

// What a pipeline does around the model does not change what the model puts out.
TEST_F(TwoEngines, AreOneChoiceWhateverThePipeline) {
  std::vector<schema::RunConfig> configs;
  for (const char* const engine : {"a", "b"}) {
    for (const auto order : {schema::TextOrder::arrival, schema::TextOrder::sorted}) {
      for (schema::RunConfig config : batch_sizes({1, 2})) {
        config.engine = engine;
        config.pipeline = schema::TextPipeline{.tokenizer = "t.xml", .order = order};
        configs.push_back(config);
      }
    }
  }
  run_ = make_run({configs,
                   [](const schema::RunConfig& config) {
                     const bool best = config.engine == "b" &&
                                       config.pipeline->order == schema::TextOrder::sorted;
                     return affine()(config) * (best ? 0.5 : 1.0);
                   },
                   12, 3, quiet(), 9});
  run_.outputs = {{4, 0, 1, 0, 768}};
  const auto compared = summary();
  ASSERT_EQ(compared.recommendations.size(), 1u);
  EXPECT_EQ(compared.recommendations.front().config.engine, "b");
  EXPECT_EQ(compared.recommendations.front().config.pipeline->order, schema::TextOrder::sorted);
  EXPECT_EQ(compared.recommendations.front().points_total, 8);
}

TEST_F(TwoEngines, AreNotComparedWithoutTheirOutputs) {
  const auto compared = summary();
  EXPECT_TRUE(compared.comparisons.empty());
  EXPECT_THAT(compared.warnings, Contains(HasSubstr("outputs were not compared")));
  EXPECT_EQ(compared.recommendations.size(), 2u);
}

TEST_F(TwoEngines, AreNotComparedWhereTheyDoNotComputeTheSame) {
  run_.outputs = {{3, 0, 0.5, 2, 768}};
  const auto compared = summary();
  EXPECT_TRUE(compared.comparisons.empty());
  EXPECT_THAT(compared.warnings, Contains(HasSubstr("they do not compute the same")));
}

}  // namespace
}  // namespace batchscope::analyze

#include "batchscope/compare/output_facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/schema/run_file.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::compare {
namespace {

using tables::batch_sizes;
using testing::HasSubstr;

TEST(OutputFacts, AreOfEachPrecisionByItself) {
  schema::RunFile run;
  for (const char* const engine : {"a", "b"}) {
    for (schema::RunConfig config : batch_sizes({1, 2, 4})) {
      config.engine = engine;
      config.precision = schema::Precision::bf16;
      run.configs.push_back(config);
    }
  }
  run.outputs = {{3, 0, 0.999, 0.01, 768}};
  auto bf16 = run.configs.front();
  auto fp32 = bf16;
  fp32.precision = schema::Precision::fp32;
  auto other = run.configs[4];
  EXPECT_NE(outputs_between(run, bf16, other), nullptr);
  EXPECT_EQ(outputs_between(run, fp32, other), nullptr);
  EXPECT_TRUE(may_compare_engines(run, fp32, bf16));
  other.precision = schema::Precision::fp32;
  EXPECT_FALSE(may_compare_engines(run, fp32, other));
}

// Both are held against the eager model.
TEST(OutputFacts, WhatIsCompiledIsAlikeThroughTheEagerModel) {
  schema::RunFile run;
  run.configs = batch_sizes({1, 1, 1});
  for (schema::RunConfig& config : run.configs) config.engine = "python";
  run.configs[0].compile = false;
  run.configs[1].compile = true;
  run.configs[2].engine = "torch";
  const auto may = [&] { return may_compare_engines(run, run.configs[1], run.configs[2]); };
  run.outputs = {{2, 0, 1, 0, 10}};
  EXPECT_FALSE(may()) << "nothing is known of the compiled one";
  run.outputs.push_back({1, 0, 1, 0, 10});
  EXPECT_TRUE(may());
  run.outputs.back().cosine = 0.5;
  EXPECT_FALSE(may());
}

TEST(OutputWords, HaveAsManyDigitsAsItTakes) {
  EXPECT_THAT(output_words({0, 0, 1, 0.01, 1}), HasSubstr("similarity of 1"));
  EXPECT_THAT(output_words({0, 0, 0.5, 0.01, 1}), HasSubstr("at least 0.5"));
  EXPECT_THAT(output_words({0, 0, 0.9999996721, 0.01, 1}), HasSubstr("at least 0.99999967"));
  EXPECT_THAT(output_words({0, 0, -0.2, 0.01, 1}), HasSubstr("at least -0.2"));
  EXPECT_EQ(output_words({0, 0, 1, 0, 1}), "on the same input the outputs are the same");
}

}  // namespace
}  // namespace batchscope::compare

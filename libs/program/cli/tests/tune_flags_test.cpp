#include "tune/tune_flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace batchscope::cli {
namespace {
using testing::ElementsAre;

TuneFlags typed_tune_flags(std::vector<std::string> arguments) {
  if (std::find(arguments.begin(), arguments.end(), "--replay") == arguments.end()) {
    arguments.insert(arguments.end(), {"-m", "synthetic:affine:5ms,2ms"});
  }
  CLI::App app;
  TuneFlags flags;
  add_tune_flags(app, flags);
  std::reverse(arguments.begin(), arguments.end());
  app.parse(arguments);
  return flags;
}

TEST(TuneFlags, BecomeOptions) {
  const auto flags = typed_tune_flags({"--mode", "train", "--checkpointing", "auto", "--practical",
                                       "2%", "--points", "9", "--max-batch-size", "32"});
  const auto options = read_tune_options(flags, {});
  ASSERT_TRUE(options) << base::to_string(options.error());
  EXPECT_TRUE(options->plan.search.checkpoint_when_needed);
  EXPECT_THAT(options->request.axes.checkpointing, ElementsAre(false, true));
  EXPECT_EQ(options->request.axes_as_typed.at("checkpointing"), "auto");
  EXPECT_EQ(options->plan.goal.practical, 0.02);
  EXPECT_EQ(options->plan.goal.points, 9);
  EXPECT_EQ(options->max_batch_size, 32);
  EXPECT_TRUE(options->states("--practical"));
  EXPECT_FALSE(options->states("--objective"));
}

TEST(TuneFlags, ErrorsNameTheFlag) {
  const auto place = [](const std::vector<std::string>& arguments) {
    return read_tune_options(typed_tune_flags(arguments), {}).error().where;
  };
  EXPECT_EQ(place({"--objective", "cost"}), "--objective cost");
  EXPECT_EQ(place({"--practical", "200%"}), "--practical");
  EXPECT_EQ(place({"--export", "env", "--export", "yaml"}), "--export");
}

TEST(TuneFlags, ThatHaveNoMeaningTogetherAreRefused) {
  using Words = std::vector<std::string>;
  for (const Words& typed :
       {Words{"--max-batch-only", "--points", "3"}, Words{"--max-batch-only", "--dry-run"},
        Words{"--max-batch-only", "--replay", "a.csv"}, Words{"--replay", "a.csv", "--resume"},
        Words{"--replay", "a.csv", "--huge-pages", "on"}, Words{"--resume", "--overwrite"},
        Words{"--iterations", "9", "--min-visit-time", "1s"}}) {
    EXPECT_THROW(typed_tune_flags(typed), CLI::ExcludesError) << typed.back();
  }
  for (const Words& typed : {Words{"--margin", "10%"}, Words{"--soak-time", "2s"}, Words{"--force"},
                             Words{"--noise", "3%"}, Words{"--latency-quantile", "p90"}}) {
    EXPECT_THROW(typed_tune_flags(typed), CLI::RequiresError) << typed.front();
  }
}

TEST(LargestBatchFlags, BecomeOptions) {
  const TuneFlags flags =
      typed_tune_flags({"--max-batch-only", "--margin", "10%", "--soak-time", "2s"});
  const auto options = read_largest_batch_options(flags, {});
  ASSERT_TRUE(options) << base::to_string(options.error());
  EXPECT_EQ(options->plan.margin, 0.1);
  EXPECT_EQ(options->plan.soak_s, 2);
  EXPECT_TRUE(options->states("--margin"));
}

TEST(ReplayFlags, BecomeOptions) {
  const TuneFlags flags =
      typed_tune_flags({"--replay", "table.csv", "--noise", "3%", "--current-batch-size", "8"});
  const auto options = read_replay_options(flags);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->noise, 0.03);
  EXPECT_EQ(options->seed, 1U);
  EXPECT_EQ(options->current_batch_size, 8);
}

}  // namespace
}  // namespace batchscope::cli

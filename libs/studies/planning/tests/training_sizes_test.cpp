#include "batchscope/planning/training_sizes.hpp"

#include "testing/serving/tables.hpp"

namespace batchscope::planning {
namespace {

using ::testing::ElementsAre;

findings::Group measured_group(schema::Mode mode, std::optional<int64_t> seq_len,
                               const std::vector<int64_t>& sizes, double ms_a_sample) {
  findings::Group group;
  group.key.engine = "torch";
  group.key.model = "m";
  group.key.mode = mode;
  group.key.shape.seq_len = seq_len;
  group.good_sizes = sizes;
  for (const int64_t size : sizes) {
    findings::ConfigRow& row = group.rows.emplace_back();
    row.config = group.key;
    row.config.shape.batch_size = size;
    row.time_ms.value = ms_a_sample * static_cast<double>(size);
    row.distribution.samples_ms.assign(40, row.time_ms.value);
  }
  return group;
}

TEST(TrainingSizes, AreThoseOfTheTrainingVisits) {
  findings::Summary summary;
  summary.groups = {measured_group(schema::Mode::infer, {}, {1, 2, 64}, 1),
                    measured_group(schema::Mode::train, {}, {1, 2, 4}, 10)};
  const auto options = training_sizes(summary, "run.jsonl");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->max_batch, 4);
  EXPECT_THAT(options->sizes, ElementsAre(1, 2, 3, 4));
  EXPECT_DOUBLE_EQ(options->cost(4, 1), 0.04);
  EXPECT_EQ(options->max_tokens, serving::Limits().max_tokens);
}

TEST(TrainingSizes, HoldTheMostTokensThatWereMeasured) {
  findings::Summary summary;
  summary.groups = {measured_group(schema::Mode::train, 16, {1, 2, 8}, 1),
                    measured_group(schema::Mode::train, 96, {1, 2}, 6)};  // 8 did not fit
  const auto options = training_sizes(summary, "run.jsonl");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->max_tokens, 192);
  EXPECT_EQ(options->max_batch, 8);
}

TEST(TrainingSizes, OneSizeSaysNothing) {
  findings::Summary summary;
  summary.groups = {measured_group(schema::Mode::train, {}, {4}, 1)};
  const auto options = training_sizes(summary, "run.jsonl");
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().kind, base::ErrorKind::input);
}

}  // namespace
}  // namespace batchscope::planning

#include "batchscope/planning/measured_costs.hpp"

#include "testing/serving/tables.hpp"

namespace batchscope::planning {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

findings::Group group_of(const schema::RunConfig& key, const std::vector<int64_t>& sizes,
                         const std::vector<int64_t>& good) {
  findings::Group group;
  group.key = key;
  group.good_sizes = good;
  for (const int64_t size : sizes) {
    findings::ConfigRow& row = group.rows.emplace_back();
    row.config = key;
    row.config.shape.batch_size = size;
    row.time_ms.value = 10.0 * static_cast<double>(size);
    row.distribution.samples_ms.assign(40, row.time_ms.value);
  }
  return group;
}

schema::RunConfig key_of(const std::string& model) {
  schema::RunConfig key;
  key.engine = "torch";
  key.model = model;
  key.shape.batch_size = 0;
  return key;
}

TEST(MeasuredCosts, TakesTheTimedIterationsInSeconds) {
  findings::Summary summary;
  summary.groups = {group_of(key_of("m"), {1, 2, 4}, {1, 4})};
  const auto costs = measured_costs(summary, {}, "run.jsonl");
  ASSERT_TRUE(costs);
  EXPECT_DOUBLE_EQ(costs->table.mean_s(4, 1), 0.04);
  EXPECT_THAT(costs->good_sizes, ElementsAre(1, 4));
  EXPECT_THAT(costs->warnings, IsEmpty());
  EXPECT_EQ(costs->config.model, "m");
}

TEST(MeasuredCosts, NamesTheAxesThatAreLeftOpen) {
  findings::Summary summary;
  schema::RunConfig other = key_of("b");
  other.precision = schema::Precision::bf16;
  summary.groups = {group_of(key_of("a"), {1, 2}, {1, 2}), group_of(other, {1, 2}, {1, 2})};
  const auto open = measured_costs(summary, {}, "run.jsonl");
  ASSERT_FALSE(open);
  EXPECT_THAT(open.error().what, HasSubstr("model a or b; precision bf16 or fp32"));
  EXPECT_EQ(open.error().fix, "pick with --model a, pick with --precision bf16");
  const auto picked = measured_costs(summary, {.model = "b"}, "run.jsonl");
  ASSERT_TRUE(picked);
  EXPECT_EQ(picked->config.precision, schema::Precision::bf16);
  const auto absent = measured_costs(summary, {.model = "c"}, "run.jsonl");
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().fix, HasSubstr("a, b"));
}

// An iteration of another accumulation runs more batches, one with a loader also reads its samples.
TEST(MeasuredCosts, TrainingDoneInAnotherWayIsAnotherSetting) {
  schema::RunConfig plain = key_of("m");
  plain.mode = schema::Mode::train;
  plain.optimizer = "sgd";
  const auto refusal_beside = [&](const schema::RunConfig& other) {
    findings::Summary summary;
    summary.groups = {group_of(plain, {1, 2}, {1, 2}), group_of(other, {1, 2}, {1, 2})};
    const auto open = measured_costs(summary, {}, "run.jsonl");
    return open ? "pooled" : base::to_string(open.error());
  };
  schema::RunConfig accumulated = plain;
  accumulated.accumulation = 4;
  EXPECT_THAT(refusal_beside(accumulated), HasSubstr("several settings: accumulation 1 or 4"));
  EXPECT_THAT(refusal_beside(accumulated), HasSubstr("in separate run files"));
  schema::RunConfig loaded = plain;
  loaded.loader = schema::Loader{.source = "synthetic:256", .workers = 2};
  EXPECT_THAT(refusal_beside(loaded), HasSubstr("several settings: loader "));
  schema::RunConfig checkpointed = plain;
  checkpointed.checkpointing = true;
  EXPECT_THAT(refusal_beside(checkpointed), HasSubstr("several settings: checkpointing off or on"));
  schema::RunConfig adaptive = plain;
  adaptive.optimizer = "adamw";
  EXPECT_THAT(refusal_beside(adaptive), HasSubstr("several settings: optimizer adamw or sgd"));
}

TEST(MeasuredCosts, AnEnvironmentIsPickedAsOtherAxesAre) {
  findings::Summary summary;
  schema::RunConfig one_arena = key_of("m");
  one_arena.environment = {{"MALLOC_ARENA_MAX", "1"}, {"OMP_PROC_BIND", "true,false"}};
  summary.groups = {group_of(key_of("m"), {1, 2}, {1, 2}), group_of(one_arena, {1, 2}, {1, 2})};
  const auto open = measured_costs(summary, {}, "run.jsonl");
  ASSERT_FALSE(open);
  EXPECT_THAT(open.error().what,
              HasSubstr("environment MALLOC_ARENA_MAX=1 OMP_PROC_BIND=true,false or unchanged"));
  EXPECT_EQ(open.error().fix,
            "pick with --env MALLOC_ARENA_MAX=1 --env OMP_PROC_BIND=true\\,false");
  const auto picked = measured_costs(summary, {.environment = one_arena.environment}, "run.jsonl");
  ASSERT_TRUE(picked);
  EXPECT_EQ(picked->config.environment, one_arena.environment);
  const auto plain = measured_costs(summary, {.environment = schema::Environment{}}, "run.jsonl");
  ASSERT_TRUE(plain);
  EXPECT_TRUE(plain->config.environment.empty());
  const schema::Environment other{{"MALLOC_ARENA_MAX", "1"}};
  const auto absent = measured_costs(summary, {.environment = other}, "run.jsonl");
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().what, HasSubstr("with environment MALLOC_ARENA_MAX=1"));
}

TEST(MeasuredCosts, LengthsAreAnAxisAndASizeBadAtOneIsBad) {
  findings::Summary summary;
  for (const int64_t length : {16, 64}) {
    schema::RunConfig key = key_of("m");
    key.shape.seq_len = length;
    summary.groups.push_back(
        group_of(key, {1, 2, 4, 8},
                 length == 16 ? std::vector<int64_t>{1, 2, 4, 8} : std::vector<int64_t>{1, 2, 8}));
  }
  const auto both = measured_costs(summary, {}, "run.jsonl");
  ASSERT_TRUE(both);
  EXPECT_THAT(both->table.lengths(), ElementsAre(16, 64));
  EXPECT_THAT(both->good_sizes, ElementsAre(1, 2, 8));
  const auto one = measured_costs(summary, {.seq_len = 16}, "run.jsonl");
  ASSERT_TRUE(one);
  EXPECT_THAT(one->table.lengths(), ElementsAre(16));
  EXPECT_THAT(one->good_sizes, ElementsAre(1, 2, 4, 8));
}

TEST(MeasuredCosts, AMixIsAnotherSettingAndIsWarnedOf) {
  findings::Summary summary;
  schema::RunConfig mix = key_of("m");
  mix.shape.length_mix = "16-128:uniform";
  schema::RunConfig fixed = key_of("m");
  fixed.shape.seq_len = 64;
  summary.groups = {group_of(mix, {1, 2}, {1, 2}), group_of(fixed, {1, 2}, {1, 2})};
  EXPECT_FALSE(measured_costs(summary, {}, "run.jsonl"));
  const auto mixed = measured_costs(summary, {.length_mix = "16-128:uniform"}, "run.jsonl");
  ASSERT_TRUE(mixed);
  EXPECT_THAT(mixed->table.lengths(), IsEmpty());
  ASSERT_EQ(mixed->warnings.size(), 1u);
  EXPECT_THAT(mixed->warnings[0], HasSubstr("length mix"));
  EXPECT_THAT(mixed->warnings[0], HasSubstr("(--seq-lens 16,32,64,128)"));
}

TEST(MeasuredCosts, MeansOfSeriesAreRefusedUnlessTheyAreOfAMix) {
  findings::Summary summary;
  summary.groups = {group_of(key_of("m"), {1, 2, 4}, {1, 4})};
  const auto of_series = [&] {
    for (findings::ConfigRow& row : summary.groups.front().rows) row.distribution.of_series = true;
    return measured_costs(summary, {}, "run.jsonl");
  };
  const auto refused = of_series();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::input);
  EXPECT_THAT(base::to_string(refused.error()), HasSubstr("(--sync end)"));
  schema::RunConfig mix = key_of("m");
  mix.shape.length_mix = "16-128:uniform";
  summary.groups = {group_of(mix, {1, 2}, {1, 2})};
  EXPECT_TRUE(of_series());
}

TEST(AllowedSizes, LeaveOutTheDominatedAndTheirNeighbours) {
  const std::vector<int64_t> sizes{1, 2, 4, 8};
  MeasuredCosts costs{serving::affine_table(0.01, 0.005, sizes), {}, {1, 2, 4, 8}, {}};
  EXPECT_THAT(allowed_sizes(costs, 6), ElementsAre(1, 2, 3, 4, 5, 6));
  costs.good_sizes = {1, 2, 4};
  EXPECT_THAT(allowed_sizes(costs, 8), ElementsAre(1, 2, 3, 4));
  costs.good_sizes = {1, 4, 8};
  EXPECT_THAT(allowed_sizes(costs, 8), ElementsAre(1, 4, 5, 6, 7, 8));
}

}  // namespace
}  // namespace batchscope::planning

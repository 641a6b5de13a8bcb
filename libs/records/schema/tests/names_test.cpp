#include <gmock/gmock.h>

#include "batchscope/schema/run_config.hpp"
#include "testing/runs/sample_run.hpp"

namespace batchscope::schema {
namespace {

using ::testing::HasSubstr;

TEST(Names, ParseWhatTheyPrint) {
  for (const auto value : {Precision::fp32, Precision::bf16, Precision::fp16}) {
    EXPECT_EQ(*parse_precision(to_string(value)), value);
  }
  for (const auto value : {Mode::infer, Mode::train}) {
    EXPECT_EQ(*parse_mode(to_string(value)), value);
  }
}

TEST(Names, SayWhichExist) {
  const auto wrong = parse_precision("float");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, base::ErrorKind::usage);
  EXPECT_THAT(wrong.error().what, HasSubstr("'float' is not a precision"));
  EXPECT_EQ(wrong.error().fix, "choose one of fp32, bf16, fp16");
}

TEST(Describe, LeavesOutDefaults) {
  RunConfig config;
  config.model = "distilbert";
  config.shape = {4, 64};
  config.threads = 2;
  EXPECT_EQ(describe(config), "distilbert batch_size=4 seq_len=64 fp32 cpu threads=2");
  EXPECT_EQ(describe(without_batch_size(config)), "distilbert seq_len=64 fp32 cpu threads=2");
  EXPECT_EQ(describe(sample_config()),
            "distilbert batch_size=4 seq_len=64 bf16 cuda:0 threads=2 instances=3 train (adamw) "
            "checkpointing accumulation=2 loader=data/train loader_workers=3 prefetch=4 "
            "prefetch_to_device start_method=spawn pinned "
            "texts=texts.txt tokenizer_threads=2 padding=multiple:8 order=sorted "
            "sort_window=all max_length=384 token_budget=512 pooling=cls not normalized "
            "GLIBC_TUNABLES=glibc.malloc.mmap_max=0");
}

TEST(Describe, NamesAMixOfLengthsWhereALengthWouldBe) {
  EXPECT_THAT(describe(sample_mix_config()),
              testing::StartsWith("distilbert batch_size=4 seq_len=5-9:lognormal(6,0.5) bf16"));
}

TEST(SearchSettings, WordsGoThereAndBack) {
  for (const auto value : {Objective::throughput, Objective::latency, Objective::cost}) {
    EXPECT_EQ(OpenEnum<Objective>(to_string(value)), value);
  }
  for (const char* const name : {"mean", "p50", "p90", "p95", "p99", "p99.9"}) {
    const auto parsed = parse_latency_statistic(name);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(to_string(*parsed), name);
  }
  for (const char* const name : {"p0", "p100", "p99.99", "95", "median"}) {
    EXPECT_FALSE(parse_latency_statistic(name)) << name;
  }
}

TEST(TextPipeline, KeepsWordsOfALaterVersionAndSaysThem) {
  TextPipeline later;
  EXPECT_EQ(padding_in_words(later), "padded to the longest text");
  later.padding = Padding("multiple:99999");
  later.order = OpenEnum<TextOrder>("by-topic");
  later.pooling = OpenEnum<Pooling>("last");
  EXPECT_EQ(later.padding.to(), Padding::To::other);
  EXPECT_EQ(in_words(later),
            "generated texts, padding multiple:99999, order by-topic, last pooling");
  later.padding = Padding("multiple:8");
  EXPECT_EQ(later.padding.multiple(), 8);
  EXPECT_EQ(padding_in_words(later), "padded to a multiple of 8");
}

TEST(TextPipeline, SaysHowManyTextsAreSortedTogether) {
  TextPipeline pipeline{.order = TextOrder::sorted};
  EXPECT_EQ(order_in_words(pipeline), "sorting by length");
  EXPECT_EQ(sort_window_text(pipeline), "");
  pipeline.sort_window = 64;
  EXPECT_EQ(order_in_words(pipeline), "sorting within 64 texts");
  EXPECT_EQ(sort_window_text(pipeline), "64");
  pipeline.sort_all = true;
  EXPECT_EQ(order_in_words(pipeline), "sorting over all 64 texts");
  EXPECT_EQ(sort_window_text(pipeline), "all");
}

TEST(WithoutBatchSize, KeepsTheMixButNotTheLengthsOfOneSize) {
  const Shape key = without_batch_size(sample_mix_config()).shape;
  EXPECT_EQ(key.batch_size, 0);
  EXPECT_EQ(key.length_mix, "5-9:lognormal(6,0.5)");
  EXPECT_THAT(key.lengths, testing::IsEmpty());
}

TEST(Shape, CountsWhatIsComputedWhenEachBatchIsPaddedToItsLongest) {
  const Shape mix = sample_mix_config().shape;
  EXPECT_EQ(cycle_of(mix), 2);
  EXPECT_EQ(longest_of(mix, 0), 8);
  EXPECT_EQ(longest_of(mix, 1), 9);
  EXPECT_EQ(tokens_of(mix), (Tokens{26 + 25, 4 * 8 + 4 * 9, 2}));
}

TEST(Shape, OfOneLengthIsACycleOfOne) {
  const Shape fixed{4, 64};
  EXPECT_EQ(cycle_of(fixed), 1);
  EXPECT_EQ(longest_of(fixed, 0), 64);
  EXPECT_EQ(tokens_of(fixed), std::nullopt);
  EXPECT_EQ(longest_of(Shape{4}, 0), std::nullopt);
}

TEST(Optimizer, OfAnotherNameIsOther) {
  EXPECT_EQ(OpenEnum<Optimizer>("sgd").value(), Optimizer::sgd);
  EXPECT_EQ(OpenEnum<Optimizer>("adamw").value(), Optimizer::adamw);
  EXPECT_EQ(OpenEnum<Optimizer>("lion").value(), Optimizer::other);
}

}  // namespace
}  // namespace batchscope::schema

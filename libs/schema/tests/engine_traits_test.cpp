#include "batchscope/schema/engine_traits.hpp"

#include <gtest/gtest.h>

#include "batchscope/schema/diagnosis_part.hpp"
#include "batchscope/schema/optimizer.hpp"
#include "batchscope/schema/stated_axes.hpp"

namespace batchscope::schema {
namespace {

TEST(EngineTraits, TellWhatStandsBehindAName) {
  EXPECT_EQ(traits_of("callable").kind, EngineKind::callable);
  EXPECT_EQ(traits_of("imported").kind, EngineKind::table);
  EXPECT_EQ(traits_of("synthetic").kind, EngineKind::laws);
  EXPECT_EQ(traits_of("torch").kind, EngineKind::framework);
  EXPECT_FALSE(traits_of("torch").huge_pages.empty());
  EXPECT_EQ(traits_of("somebody's").kind, EngineKind::framework);
  EXPECT_TRUE(traits_of("somebody's").huge_pages.empty());
  EXPECT_TRUE(traits_of("somebody's").growing_segments.empty());
}

TEST(EngineTraits, OnlyOtherFrameworksAreSaid) {
  for (const char* engine : {"callable", "imported", "synthetic"}) {
    EXPECT_TRUE(goes_without_saying(engine)) << engine;
  }
  EXPECT_FALSE(goes_without_saying("somebody's"));
}

TEST(DiagnosisPart, IsAskedForByNameOrWithAllOthers) {
  MeasurementPlan plan;
  EXPECT_TRUE(asks_for(plan, DiagnosisPart::memory));
  EXPECT_TRUE(asks_for_trace(plan));
  plan.only = {"memory", "padding"};
  EXPECT_TRUE(asks_for(plan, DiagnosisPart::memory));
  EXPECT_FALSE(asks_for(plan, DiagnosisPart::kernels));
  EXPECT_FALSE(asks_for_trace(plan));
  for (const char* traced : {"kernels", "sync", "trace", "transfers"}) {
    plan.only = {traced};
    EXPECT_TRUE(asks_for_trace(plan)) << traced;
  }
  EXPECT_FALSE(parse_diagnosis_part("memry"));
  ASSERT_TRUE(parse_diagnosis_part("memory"));
  EXPECT_EQ(*parse_diagnosis_part("memory"), DiagnosisPart::memory);
}

TEST(Optimizer, OfAnotherNameIsOther) {
  EXPECT_EQ(optimizer_of("adamw"), Optimizer::adamw);
  EXPECT_EQ(optimizer_of("sgd"), Optimizer::sgd);
  EXPECT_EQ(optimizer_of("lion"), Optimizer::other);
}

TEST(StatedAxes, SayWhatConfigurationsDoNot) {
  Header header;
  EXPECT_FALSE(states_effective_batch(header));
  EXPECT_FALSE(checkpoints_when_needed(header));
  header.axes["checkpointing"] = "0,1";
  EXPECT_FALSE(checkpoints_when_needed(header));
  set_checkpoints_when_needed(header);
  EXPECT_TRUE(checkpoints_when_needed(header));
  header.axes["effective_batch"] = "64";
  EXPECT_TRUE(states_effective_batch(header));
}

}  // namespace
}  // namespace batchscope::schema

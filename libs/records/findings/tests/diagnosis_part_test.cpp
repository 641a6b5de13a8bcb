#include "batchscope/findings/diagnosis_part.hpp"

#include <gmock/gmock.h>

namespace batchscope::findings {
namespace {

TEST(DiagnosisPart, IsAskedForByNameOrWithAllOthers) {
  schema::MeasurementPlan plan;
  EXPECT_TRUE(asks_for(plan, DiagnosisPart::memory));
  EXPECT_TRUE(asks_for_trace(plan));
  plan.only = {"memory", "padding"};
  EXPECT_TRUE(asks_for(plan, DiagnosisPart::memory));
  EXPECT_FALSE(asks_for(plan, DiagnosisPart::kernels));
  EXPECT_FALSE(asks_for_trace(plan));
}

TEST(DiagnosisPart, SomeAreSeenByTheTracerAlone) {
  schema::MeasurementPlan plan;
  for (const std::string& part : names_of_diagnosis_parts()) {
    plan.only = {part};
    EXPECT_EQ(asks_for_trace(plan), part != "memory" && part != "padding") << part;
  }
}

}  // namespace
}  // namespace batchscope::findings

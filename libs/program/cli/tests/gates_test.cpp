#include <gtest/gtest.h>

#include "analyze/build_gates.hpp"

namespace batchscope::cli {
namespace {

using findings::GateName;
using findings::Outcome;

findings::Gate gate(GateName name, Outcome outcome) {
  findings::Gate made;
  made.name = name;
  made.outcome = outcome;
  return made;
}

TEST(GateCode, FollowsFromTheOutcome) {
  EXPECT_EQ(code_of(gate(GateName::regression, Outcome::passed), false), kDone);
  EXPECT_EQ(code_of(gate(GateName::regression, Outcome::failed), true), kFindingReached);
  EXPECT_EQ(code_of(gate(GateName::finding, Outcome::failed), false), kFindingReached);
  EXPECT_EQ(code_of(gate(GateName::regression, Outcome::inconclusive), false), kCannotTell);
  EXPECT_EQ(code_of(gate(GateName::regression, Outcome::inconclusive), true), kDone);
  EXPECT_EQ(code_of(gate(GateName::width, Outcome::failed), false), kTargetMissed);
}

TEST(GateCode, WhatIsShownGoesBeforeWhatCannotBeReported) {
  EXPECT_EQ(worse(kCannotTell, kFindingReached), kFindingReached);
  EXPECT_EQ(worse(kTargetMissed, kCannotTell), kCannotTell);
  EXPECT_EQ(worse(kDone, kTargetMissed), kTargetMissed);
  EXPECT_EQ(worse(kDone, kDone), kDone);
}

TEST(ReadGates, AReportNeedsAGate) {
  GateFlags flags;
  flags.junit = "gates.xml";
  EXPECT_EQ(read_gates(flags, {"run.jsonl"}, {}).error().where, "--junit");
  flags.fail_on = "high";
  ASSERT_TRUE(read_gates(flags, {"run.jsonl"}, {}));
  flags.fail_on = "";
  EXPECT_FALSE(read_gates(flags, {"run.jsonl"}, {})) << "an unset variable opens no gate";
}

}  // namespace
}  // namespace batchscope::cli

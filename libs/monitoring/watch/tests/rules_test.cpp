#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "rules/xid.hpp"
#include "standing/kinds.hpp"
#include "standing/precedence.hpp"

namespace batchscope::watch {
namespace {

TEST(Kinds, AllOfTheCatalogueHaveARankAndNoOther) {
  int kinds = 0;
  for (const findings::FindingKind& each : findings::catalogue()) {
    if (!each.id.starts_with("monitor.")) continue;
    ++kinds;
    EXPECT_LT(rank_of(each.id), rank_of("monitor.no-such")) << each.id;
  }
  EXPECT_EQ(kinds, rank_of("monitor.no-such"));
}

TEST(Xid, KnownOnesSayWhoMendsThem) {
  for (const int number : {13, 31, 43, 45, 48, 61, 62, 63, 64, 74, 79, 92, 94, 95, 119, 120}) {
    EXPECT_EQ(meaning_of_xid(number).number, number);
  }
  EXPECT_THAT(std::string(meaning_of_xid(31).fix), testing::HasSubstr("developer"));
  EXPECT_THAT(std::string(meaning_of_xid(79).fix), testing::HasSubstr("administrator"));
  EXPECT_EQ(meaning_of_xid(45).severity, findings::Severity::low);
  EXPECT_EQ(meaning_of_xid(4711).number, 0);
}

Candidate candidate(const char* id, const char* place,
                    findings::Severity severity = findings::Severity::medium) {
  Candidate made;
  made.finding.id = id;
  made.finding.severity = severity;
  made.place = place;
  return made;
}

std::vector<std::string> left_of(Candidates candidates) {
  supersede(candidates);
  std::vector<std::string> left;
  for (const Candidate& each : candidates) left.push_back(each.finding.id + " " + each.place);
  return left;
}

TEST(Precedence, WhatIsExplainedIsLeftOut) {
  using namespace kind;
  EXPECT_THAT(left_of({candidate(kGpuDown, "a"), candidate(kXid, "a"), candidate(kXid, "b")}),
              testing::ElementsAre("monitor.gpu-down a", "monitor.xid b"));
  EXPECT_THAT(left_of({candidate(kThermal, "a"), candidate(kStraggler, "a"),
                       candidate(kSmallBatch, "b"), candidate(kLoading, "b")}),
              testing::ElementsAre("monitor.thermal a", "monitor.loading b"));
  EXPECT_THAT(left_of({candidate(kLeak, "pid 1"), candidate(kLeak, kMachine)}),
              testing::ElementsAre("monitor.leak pid 1"));
}

TEST(Precedence, AMachineExplainsOnlyWhereItsTroubleIsLarge) {
  using namespace kind;
  EXPECT_THAT(left_of({candidate(kSteal, kMachine), candidate(kHostBound, "a")}),
              testing::ElementsAre("monitor.steal machine"));
  EXPECT_EQ(
      left_of({candidate(kSteal, kMachine, findings::Severity::low), candidate(kHostBound, "a")})
          .size(),
      2U);
}

}  // namespace
}  // namespace batchscope::watch

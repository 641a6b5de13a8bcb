#include "rules/rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/watch/watch.hpp"
#include "rules/xid.hpp"
#include "tracking/precedence.hpp"

namespace batchscope::watch {
namespace {

const Kind* find(std::string_view id) {
  for (const auto rules : kAllRules) {
    for (const Kind* const each : rules().kinds) {
      if (each->id == id) return each;
    }
  }
  return nullptr;
}

TEST(Kinds, EachHasARankOfItsOwnAndExplainsOnlyWhatThereIs) {
  std::set<int> ranks;
  for (const auto rules : kAllRules) {
    for (const Kind* const kind : rules().kinds) {
      EXPECT_TRUE(ranks.insert(kind->rank).second) << kind->id;
      for (const Ids& ids : {kind->explains_here, kind->explains_elsewhere}) {
        for (const std::string_view id : ids) EXPECT_TRUE(id.empty() || find(id)) << id;
      }
    }
  }
}

// Whichever number is set, what is told of a kind that is judged by it has that number, and what
// is told of the others stays.
TEST(Kinds, AreReportedWithTheTargetsThatAreSet) {
  using Numbers = std::array<double, sizeof(Targets) / sizeof(double)>;
  const auto usual = kinds();
  int silent = 0;
  for (std::size_t at = 0; at < std::tuple_size_v<Numbers>; ++at) {
    auto numbers = std::bit_cast<Numbers>(Targets{});
    numbers[at] = 0.1234;
    const auto now = kinds(std::bit_cast<Targets>(numbers));
    int changed = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const std::string text = now[i].tells + now[i].severity;
      if (text == usual[i].tells + usual[i].severity) continue;
      ++changed;
      EXPECT_THAT(text, testing::AnyOf(testing::HasSubstr("12.34 %"), testing::HasSubstr("0.1234")))
          << now[i].id;
    }
    if (changed == 0) ++silent;
  }
  // How busy a GPU is at best, and CPUs from where on workers may be added, or not.
  EXPECT_EQ(silent, 3);
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

RuleHit candidate(std::string_view id, const char* place,
                  findings::Severity severity = findings::Severity::medium) {
  RuleHit made;
  made.kind = find(id);
  made.finding.id = id;
  made.finding.severity = severity;
  made.place = place;
  return made;
}

std::vector<std::string> left_of(RuleHits candidates) {
  supersede(candidates);
  std::vector<std::string> left;
  for (const RuleHit& each : candidates) left.push_back(each.finding.id + " " + each.place);
  return left;
}

TEST(Precedence, WhatIsExplainedIsLeftOut) {
  EXPECT_THAT(left_of({candidate("monitor.gpu-down", "a"), candidate("monitor.xid", "a"),
                       candidate("monitor.xid", "b")}),
              testing::ElementsAre("monitor.gpu-down a", "monitor.xid b"));
  EXPECT_THAT(left_of({candidate("monitor.thermal", "a"), candidate("monitor.straggler", "a"),
                       candidate("monitor.small-batch", "b"), candidate("monitor.loading", "b")}),
              testing::ElementsAre("monitor.thermal a", "monitor.loading b"));
  EXPECT_THAT(left_of({candidate("monitor.leak", "pid 1"), candidate("monitor.leak", kMachine)}),
              testing::ElementsAre("monitor.leak pid 1"));
}

TEST(Precedence, AMachineExplainsOnlyWhereItsTroubleIsLarge) {
  EXPECT_THAT(left_of({candidate("monitor.steal", kMachine), candidate("monitor.host-bound", "a")}),
              testing::ElementsAre("monitor.steal machine"));
  EXPECT_EQ(left_of({candidate("monitor.steal", kMachine, findings::Severity::low),
                     candidate("monitor.host-bound", "a")})
                .size(),
            2U);
}

}  // namespace
}  // namespace batchscope::watch

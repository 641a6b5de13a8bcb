#include "batchscope/tables/environments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace batchscope::tables {
namespace {

using schema::Environment;
using schema::RunFile;
using testing::ElementsAre;
using testing::IsEmpty;

const Environment kFew = {{"MALLOC_ARENA_MAX", "1"}};
const Environment kMany = {{"MALLOC_ARENA_MAX", "1"}, {"OMP_PROC_BIND", "true"}};

RunFile run_under(const std::vector<Environment>& environments) {
  RunFile run;
  for (const Environment& each : environments) {
    schema::RunConfig& config = run.configs.emplace_back();
    config.environment = each;
    schema::Visit& visit = run.visits.emplace_back();
    visit.config = static_cast<int>(run.configs.size()) - 1;
    visit.purpose = schema::Purpose::measure;
  }
  return run;
}

TEST(PlannedEnvironments, AreThoseThatTheRunBeganWith) {
  RunFile run = run_under({kMany, kFew, kMany, {}});
  run.header.configurations = 3;
  EXPECT_THAT(planned_environments(run), ElementsAre(kMany, kFew));
  EXPECT_EQ(plainest_environment(run), kFew);
}

TEST(PlannedEnvironments, OfOlderFilesAreThoseThatWereMeasured) {
  RunFile run = run_under({kMany, kFew, {}});
  run.visits[1].purpose = schema::Purpose::intervention;
  EXPECT_THAT(planned_environments(run), ElementsAre(kMany, Environment{}));
  EXPECT_EQ(plainest_environment(run), Environment{});
}

TEST(PlannedEnvironments, OfNothingAreNone) {
  EXPECT_THAT(planned_environments({}), IsEmpty());
  EXPECT_THAT(plainest_environment({}), IsEmpty());
}

}  // namespace
}  // namespace batchscope::tables

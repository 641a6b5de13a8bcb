#include "batchscope/study/environments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace batchscope::study {
namespace {

using schema::Environment;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Typed = std::vector<std::string>;

TEST(ParseEnvironments, MultipliesTheValuesOfEachVariable) {
  EXPECT_THAT(*parse_environments(Typed{}), IsEmpty());
  EXPECT_THAT(*parse_environments(Typed{"A=1,2", "B=,x"}),
              ElementsAre(Environment{{"A", "1"}}, Environment{{"A", "1"}, {"B", "x"}},
                          Environment{{"A", "2"}}, Environment{{"A", "2"}, {"B", "x"}}));
  EXPECT_THAT(*parse_environments(Typed{"OMP_PLACES={0}\\,{1}"}),
              ElementsAre(Environment{{"OMP_PLACES", "{0},{1}"}}));
}

TEST(ParseEnvironments, SaysWhatIsWrong) {
  const auto refusal = [](const Typed& typed) {
    const auto parsed = parse_environments(typed);
    return parsed ? "accepted" : base::to_string(parsed.error());
  };
  EXPECT_EQ(refusal({"1A=2"}),
            "--env: '1A' is not the name of a variable (use e.g. --env "
            "MALLOC_ARENA_MAX=1,2)");
  EXPECT_THAT(refusal({"A"}), HasSubstr("A has no value (use --env A=VALUE;"));
  EXPECT_THAT(refusal({"A=1,1"}), HasSubstr("a value of A appears twice"));
  EXPECT_THAT(refusal({"A=1", "A=2"}), HasSubstr("give its values together: --env A=1,2"));
}

TEST(ParseEnvironment, IsOneValueForEachVariable) {
  EXPECT_EQ(*parse_environment(Typed{"A=1", "B=", "C=x\\,y"}),
            (Environment{{"A", "1"}, {"C", "x,y"}}));
  EXPECT_THAT(base::to_string(parse_environment(Typed{"=1"}).error()),
              HasSubstr("'=1' is not a variable with a value"));
}

}  // namespace
}  // namespace batchscope::study

#include "batchscope/findings/fitness_rules.hpp"

#include <gtest/gtest.h>

#include <set>

namespace batchscope::findings {
namespace {

constexpr schema::Fitness kAll{.steal_ratio = 0.25,
                               .others_load = 0.5,
                               .throttled_ns = 7,
                               .clock_ratio = 0.625,
                               .other_gpu_processes = 3};

double value_of(Disturbance of) {
  return fitness_rule(of).value(kAll).value();
}

TEST(FitnessRules, EachHasItsPlaceItsWordsAndItsReading) {
  std::set<std::string_view> ids;
  const schema::Fitness unknown;
  for (const FitnessRule& rule : fitness_rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_EQ(&fitness_rule(rule.of), &rule) << rule.id;
    EXPECT_FALSE(rule.reading.empty() || rule.what.empty() || rule.fix.empty()) << rule.id;
    EXPECT_FALSE(rule.value(unknown)) << rule.id;
    EXPECT_TRUE(is_unfit(rule, *rule.value(kAll))) << rule.id;
    EXPECT_FALSE(is_unfit(rule, rule.limit)) << rule.id;
  }
  EXPECT_EQ(value_of(Disturbance::steal), 0.25);
  EXPECT_EQ(value_of(Disturbance::others_load), 0.5);
  EXPECT_EQ(value_of(Disturbance::throttled), 7);
  EXPECT_EQ(value_of(Disturbance::gpu_clock), 0.625);
  EXPECT_EQ(value_of(Disturbance::gpu_shared), 3);
}

TEST(FitnessRules, WhatTicksDoNotResolveIsNotUnfit) {
  // Four CPUs resolve 20 ms over the time: 0.4 CPUs of 50 ms, a tenth of their time.
  const Watched brief{4, 0.05};
  const FitnessRule& load = fitness_rule(Disturbance::others_load);
  EXPECT_FALSE(is_unfit(load, 0.39, brief));
  EXPECT_TRUE(is_unfit(load, 0.41, brief));
  const FitnessRule& steal = fitness_rule(Disturbance::steal);
  EXPECT_FALSE(is_unfit(steal, 0.099, brief));
  EXPECT_TRUE(is_unfit(steal, 0.101, brief));
  const Watched long_enough{4, 100};
  EXPECT_TRUE(is_unfit(load, 0.21, long_enough));
  EXPECT_FALSE(is_unfit(load, 0.19, long_enough));
  EXPECT_TRUE(is_unfit(fitness_rule(Disturbance::throttled), 1, brief)) << "counted exactly";
}

TEST(FitnessRules, TheWorstValueIsStatedWhereItSaysSomething) {
  EXPECT_EQ(fitness_rule(Disturbance::steal).worst(0.032), "at most 3.2 %");
  EXPECT_EQ(fitness_rule(Disturbance::others_load).worst(0.9), "up to 0.900 CPUs");
  EXPECT_EQ(fitness_rule(Disturbance::gpu_clock).worst(0.5), "down to 50 %");
  EXPECT_EQ(fitness_rule(Disturbance::throttled).worst(9), "");
  EXPECT_EQ(fitness_rule(Disturbance::gpu_clock).what,
            "The GPU ran below 75 % of its default clock");
}

}  // namespace
}  // namespace batchscope::findings

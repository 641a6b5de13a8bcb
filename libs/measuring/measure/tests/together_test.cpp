#include "workers/together.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "batchscope/schema/tables.hpp"

namespace batchscope::measure {
namespace {

schema::Visit one(int64_t first) {
  schema::Visit visit;
  visit.warmup_ns = {first};
  visit.samples_ns = {first + 1, first + 2};
  visit.phases = {{"forward", 10 * first, std::nullopt, 2}};
  visit.memory.peak_rss_bytes = 100 * first;
  visit.usage.minor_faults = first;
  visit.loss = static_cast<double>(first);
  visit.load_ns = first;
  return visit;
}

// What together() says nothing of is the first instance's: a new field has to be on one side.
TEST(Together, EachFieldIsOfAllOrOfTheFirst) {
  const std::set<std::string_view> of_all{
      "warmup_ns", "samples_ns", "instance_warmups", "instance_samples", "phases", "memory",
      "usage",     "loss",       "skipped_steps",    "collections",      "loader", "load_ns",
      "wall_ns"};
  const std::set<std::string_view> of_the_first{"config",
                                                "block",
                                                "order",
                                                "attempt",
                                                "purpose",
                                                "clock",
                                                "fitness",
                                                "tokens",
                                                "losses",
                                                "diagnosis",
                                                "compilation",
                                                "reported_std_ns",
                                                "reported_repeats",
                                                "iterations_per_sample"};
  for (const schema::Field& field : schema::table_of<schema::Visit>().fields) {
    EXPECT_EQ(of_all.count(field.name) + of_the_first.count(field.name), 1u) << field.name;
  }
}

TEST(Together, TimesAreOneInstanceAfterTheOther) {
  schema::Visit second = one(4);
  second.samples_ns.push_back(9);
  const schema::Visit visit = together({one(1), second});
  EXPECT_EQ(visit.warmup_ns, (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(visit.samples_ns, (std::vector<int64_t>{2, 3, 5, 6, 9}));
  EXPECT_EQ(visit.instance_warmups, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(visit.instance_samples, (std::vector<int64_t>{2, 3}));
  const auto times = schema::by_instance(visit);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[1].warmup_ns.front(), 4);
  EXPECT_EQ(times[1].samples_ns.back(), 9);
}

TEST(Together, WhatTheyUseAddsUp) {
  schema::Visit second = one(4);
  second.phases.push_back({"d2h", 3, 2, 1});
  second.usage.minor_faults.reset();
  const schema::Visit visit = together({one(1), second});
  ASSERT_EQ(visit.phases.size(), 2u);
  EXPECT_EQ(visit.phases[0].host_ns, 50);
  EXPECT_EQ(visit.phases[0].count, 4);
  EXPECT_EQ(visit.phases[1].device_ns, 2);
  EXPECT_EQ(visit.memory.peak_rss_bytes, 500);
  EXPECT_FALSE(visit.usage.minor_faults) << "one of them does not say";
  EXPECT_EQ(visit.loss, 2.5);
  EXPECT_EQ(visit.load_ns, 4);
}

TEST(Together, WaitsAddUpButNotTheLongestOfAThread) {
  schema::Visit first = one(1), second = one(4);
  first.usage.wait_ns = 50;
  first.usage.wait_max_thread_ns = 30;
  first.usage.steal_ratio = 0.1;
  second.usage.wait_ns = 40;
  second.usage.wait_max_thread_ns = 35;
  second.usage.steal_ratio = 0.3;
  const schema::Usage both = together({first, second}).usage;
  EXPECT_EQ(both.wait_ns, 90);
  EXPECT_EQ(both.wait_max_thread_ns, 35);
  EXPECT_DOUBLE_EQ(both.steal_ratio.value_or(0), 0.2);
  second.usage.wait_max_thread_ns.reset();
  EXPECT_FALSE(together({first, second}).usage.wait_max_thread_ns) << "one of them does not say";
}

TEST(Together, OneAloneStaysAsItIs) {
  const schema::Visit visit = together({one(1)});
  EXPECT_TRUE(visit.instance_samples.empty());
  EXPECT_EQ(visit.samples_ns, one(1).samples_ns);
}

}  // namespace
}  // namespace batchscope::measure

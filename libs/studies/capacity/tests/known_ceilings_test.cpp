#include "batchscope/capacity/known_ceilings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace batchscope::capacity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kGiB = int64_t{1} << 30;

measure::Job job_of(const std::vector<int64_t>& sizes) {
  measure::Job job;
  for (const int64_t size : sizes) {
    schema::RunConfig config;
    config.model = "model";
    config.shape.batch_size = size;
    job.configs.push_back(config);
  }
  return job;
}

std::vector<int64_t> sizes_of(const measure::Job& job) {
  std::vector<int64_t> sizes;
  for (const schema::RunConfig& config : job.configs) sizes.push_back(config.shape.batch_size);
  return sizes;
}

// 16 ran out of memory in 8 GiB, whose file is none.
OomLimits known(const measure::Job& job) {
  auto ceilings = OomLimits::open({});
  EXPECT_TRUE(ceilings->add({ceiling_key(job.header, job.configs.front()), 16, 8 * kGiB, "then"}));
  return *std::move(ceilings);
}

Room room_of(int64_t bytes) {
  return [bytes](const std::string&) { return bytes; };
}

TEST(KnownCeilings, TakeOutWhatDiedWithAsMuchRoomAndAllAbove) {
  measure::Job job = job_of({4, 8, 16, 32});
  ASSERT_TRUE(leave_out_known(known(job), room_of(8 * kGiB), job));
  EXPECT_THAT(sizes_of(job), ElementsAre(4, 8));
  EXPECT_EQ(job.header.configurations, 2);
  ASSERT_EQ(job.header.notes.size(), 1U);
  EXPECT_THAT(job.header.notes[0], HasSubstr("16 ran out of memory in the run of then"));
}

TEST(KnownCeilings, SayNothingOfMoreRoom) {
  measure::Job job = job_of({4, 8, 16, 32});
  ASSERT_TRUE(leave_out_known(known(job), room_of(9 * kGiB), job));
  EXPECT_EQ(job.configs.size(), 4U);
  EXPECT_TRUE(job.header.notes.empty());
}

TEST(KnownCeilings, HoldWhateverIsAccumulated) {
  measure::Job job = job_of({8, 16});
  for (schema::RunConfig& config : job.configs) config.accumulation = 4;
  ASSERT_TRUE(leave_out_known(known(job_of({1})), room_of(kGiB), job));
  EXPECT_THAT(sizes_of(job), ElementsAre(8));
}

TEST(KnownCeilings, ThatLeaveNothingAreAnError) {
  measure::Job job = job_of({16, 32});
  const auto left = leave_out_known(known(job), room_of(kGiB), job);
  ASSERT_FALSE(left);
  EXPECT_THAT(left.error().fix, HasSubstr("or --forget-ceilings"));
}

TEST(KnownCeilings, CanBeForgotten) {
  measure::Job job = job_of({16, 32});
  OomLimits ceilings = known(job);
  forget_known(job, ceilings);
  EXPECT_TRUE(leave_out_known(ceilings, room_of(kGiB), job));
}

}  // namespace
}  // namespace batchscope::capacity

#include "batchscope/study/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "batchscope/engine/plugin.hpp"
#include "batchscope/measure/in_process_executor.hpp"

namespace batchscope::study {
namespace {

measure::Job job_of(const std::string& law, const std::vector<int64_t>& sizes) {
  measure::Job job;
  job.header.seed = 5;
  job.header.plan.blocks_fixed = true;
  job.header.plan.iterations = 5;
  for (const int64_t size : sizes) {
    schema::RunConfig config;
    config.engine = "synthetic";
    config.model = law;
    config.shape.batch_size = size;
    job.configs.push_back(config);
  }
  job.models[law].name = law;
  return job;
}

schema::RunFile run_study(const std::string& law, const std::vector<int64_t>& sizes,
                          const Controls& controls) {
  const auto executor =
      measure::make_in_process_executor(engine::load_engine, measure::ModelReuse::never);
  const auto sink = measure::make_null_sink();
  measure::Session session(job_of(law, sizes), {*executor, *sink, nullptr, {}});
  EXPECT_TRUE(run(session, controls));
  return session.recorded();
}

bool has_purpose(const schema::RunFile& recorded, schema::Purpose purpose) {
  return std::any_of(recorded.visits.begin(), recorded.visits.end(),
                     [&](const schema::Visit& visit) { return visit.purpose == purpose; });
}

// An odd size at the edge cannot be told from its neighbour, so controls are wanted.
constexpr auto kAmbiguous = "synthetic:affine:2ms,10ms;visit_sd=0.005;process_sd=0;anomaly=8:1.3";

TEST(Study, MeasuresTheProposedControlsBesideTheTable) {
  const schema::RunFile recorded = run_study(kAmbiguous, {1, 2, 4, 8}, {.automatic = true});
  EXPECT_TRUE(has_purpose(recorded, schema::Purpose::control));
  EXPECT_GT(recorded.configs.size(), 4u);
  ASSERT_TRUE(recorded.end);
}

TEST(Study, LeavesControlsAloneUnlessAsked) {
  const schema::RunFile recorded = run_study(kAmbiguous, {1, 2, 4, 8}, {.automatic = false});
  EXPECT_FALSE(has_purpose(recorded, schema::Purpose::control));
  EXPECT_EQ(recorded.configs.size(), 4u);
}

}  // namespace
}  // namespace batchscope::study

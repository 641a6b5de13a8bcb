#pragma once

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "batchscope/engines/synthetic.hpp"
#include "batchscope/measure/in_process_executor.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::tune {

// 20 ms + 2 ms a sample, noise of 2 % a visit and 1 % a process, in virtual time.
inline constexpr const char* kLaw = "synthetic:affine:20ms,2ms;process_sd=0.01;visit_sd=0.02";

inline measure::Job job_of(int64_t largest, const TunePlan& plan) {
  measure::Job job;
  job.header.seed = 5;
  job.header.plan.budget_s = 3600;
  job.header.plan.budget_fixed = true;
  job.header.plan.iterations = 5;
  job.models[kLaw].name = kLaw;
  for (int64_t size = 1; size <= largest; ++size) {
    schema::RunConfig config;
    config.engine = "synthetic";
    config.model = kLaw;
    config.shape.batch_size = size;
    job.configs.push_back(config);
  }
  job.header.configurations = largest;
  write_goal(plan, job.header);
  return job;
}

struct Heard final : TuneObserver {
  void on_ask(const Suggestion& ask, const schema::RunConfig&, const Search&) override {
    points.insert(ask.point);
    if (stop_after > 0 && std::ssize(points) >= stop_after) stop.request_stop();
  }
  void on_verify(const std::vector<schema::RunConfig>& configs) override { verified = configs; }

  std::set<std::size_t> points;
  std::vector<schema::RunConfig> verified;
  std::stop_source stop;
  int stop_after = 0;
};

// Runs it in virtual time; a run that is recorded already goes on.
inline schema::RunFile tuned_run(const measure::Job& job, const TunePlan& plan, Heard& heard,
                                 const schema::RunFile* recorded = nullptr) {
  const auto executor =
      measure::make_in_process_executor(engines::load_synthetic, measure::ModelReuse::never);
  const auto sink = measure::make_null_sink();
  const measure::Collaborators with{*executor, *sink, nullptr, heard.stop.get_token()};
  measure::Session session =
      recorded != nullptr ? measure::Session(job, *recorded, with) : measure::Session(job, with);
  const auto end = tune(session, plan, &heard);
  EXPECT_TRUE(end);
  return session.recorded();
}

}  // namespace batchscope::tune

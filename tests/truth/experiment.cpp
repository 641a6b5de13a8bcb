#include "experiment.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/compare/versions.hpp"
#include "batchscope/engines/synthetic.hpp"
#include "batchscope/measure/in_process_executor.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::truth {
namespace {

measure::Job job_of(const Experiment& experiment) {
  measure::Job job;
  job.header.seed = experiment.seed;
  job.header.plan.blocks = experiment.blocks;
  job.header.plan.blocks_fixed = true;
  job.header.plan.iterations = 5;
  if (experiment.visit_s) {
    job.header.plan.iterations.reset();
    job.header.plan.min_visit_s = *experiment.visit_s;
    job.header.plan.timed_over_startup = 0;
  }
  job.header.plan.latency_budget_s = experiment.latency_budget_s;
  for (const std::string& model : experiment.models) {
    job.models[model].name = model;
    for (const int instances : experiment.instances) {
      for (const int64_t size : experiment.sizes) {
        schema::RunConfig config;
        config.engine = "synthetic";
        config.model = model;
        config.instances = instances;
        config.shape.batch_size = size;
        job.configs.push_back(config);
      }
    }
  }
  return job;
}

}  // namespace

schema::RunFile measure(const Experiment& experiment, const study::FollowUps& follow_ups) {
  const auto executor =
      measure::make_in_process_executor(engines::load_synthetic, measure::ModelReuse::never);
  const auto sink = measure::make_null_sink();
  measure::Session session(job_of(experiment), {*executor, *sink, nullptr, {}});
  if (const auto end = study::run(session, follow_ups); !end) {
    std::fprintf(stderr, "%s\n", base::to_string(end.error()).c_str());
    std::abort();
  }
  return session.recorded();
}

findings::Summary analyse(const Experiment& experiment) {
  const schema::RunFile run = measure(experiment);
  return analyze::analyze(std::span(&run, 1));
}

findings::VersionComparison compare_versions(const Experiment& experiment, double margin) {
  const schema::RunFile run = measure(experiment);
  analyze::Options options;
  options.regression_margin = margin;
  return compare::version_comparison(analyze::analyze(std::span(&run, 1), options));
}

findings::Summary analyse_two_runs(const Experiment& experiment) {
  Experiment again = experiment;
  again.seed = stats::mix_seed(experiment.seed, 0x2a);
  const std::array<schema::RunFile, 2> runs = {measure(experiment), measure(again)};
  return analyze::analyze(runs);
}

}  // namespace batchscope::truth

#include "testing/runs/fake_run.hpp"

#include <cmath>

#include "batchscope/stats/rng.hpp"

namespace batchscope::tables {
namespace {

schema::Visit make_visit(const FakeRun& fake, std::size_t config, int block, double shared,
                         stats::Rng& rng) {
  double log_time = std::log(fake.law(fake.configs[config])) + shared;
  log_time += fake.noise.visit_sd * rng.normal() + fake.noise.process_sd * rng.normal();
  if (rng.uniform() < fake.noise.spike_probability) log_time += std::log(fake.noise.spike_factor);
  schema::Visit visit;
  visit.config = static_cast<int>(config);
  visit.block = block;
  visit.order = static_cast<int>(config);
  visit.samples_ns.assign(static_cast<std::size_t>(fake.iterations),
                          std::llround(std::exp(log_time)));
  return visit;
}

}  // namespace

std::vector<schema::RunConfig> batch_sizes(const std::vector<int64_t>& sizes) {
  std::vector<schema::RunConfig> configs;
  for (const int64_t size : sizes) {
    schema::RunConfig config;
    config.engine = "fake";
    config.model = "m";
    config.shape.batch_size = size;
    configs.push_back(config);
  }
  return configs;
}

std::function<double(const schema::RunConfig&)> affine(std::map<int64_t, double> factors) {
  return [factors = std::move(factors)](const schema::RunConfig& config) {
    const auto found = factors.find(config.shape.batch_size);
    const double factor = found == factors.end() ? 1.0 : found->second;
    return (5e6 + 2e6 * static_cast<double>(config.shape.batch_size)) * factor;
  };
}

schema::RunFile make_run(const FakeRun& fake) {
  schema::RunFile run;
  run.configs = fake.configs;
  run.end = schema::End{schema::EndReason::blocks_done, 10, 8};
  stats::Rng rng(fake.seed);
  for (int block = 0; block < fake.blocks; ++block) {
    const double shared = fake.noise.drift_sd * rng.normal();
    for (std::size_t config = 0; config < fake.configs.size(); ++config) {
      run.visits.push_back(make_visit(fake, config, block, shared, rng));
    }
  }
  return run;
}

}  // namespace batchscope::tables

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::tables {

// How visits scatter around a law: ln units, but for the spike.
struct FakeNoise {
  double visit_sd = 0.015;
  double process_sd = 0.01;
  double drift_sd = 0.01;  // of what a block's visits share
  double spike_probability = 0.02;
  double spike_factor = 1.3;
};

inline FakeNoise quiet() {
  return {0, 0, 0, 0, 1};
}

// A run that never happened: `law` gives ns for a configuration.
struct FakeRun {
  std::vector<schema::RunConfig> configs;
  std::function<double(const schema::RunConfig&)> law;
  int blocks = 12;
  int iterations = 3;  // a visit, all alike
  FakeNoise noise;
  uint64_t seed = 1;
};

// Configurations of model "m" that differ in batch size.
std::vector<schema::RunConfig> batch_sizes(const std::vector<int64_t>& sizes);

// 5 ms + 2 ms a sample, times the factor of the size where one is given.
std::function<double(const schema::RunConfig&)> affine(std::map<int64_t, double> factors = {});

schema::RunFile make_run(const FakeRun& fake);

}  // namespace batchscope::tables

#pragma once

#include <cmath>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::timing {

// Eight configurations; the first `warming` iterations of one of them take longer.
inline schema::RunFile run_of(int slow_config, int warming, int blocks = 12) {
  stats::Rng rng(7);
  schema::RunFile run;
  run.configs.resize(8);
  for (std::size_t i = 0; i < 8; ++i) run.configs[i].shape.batch_size = static_cast<int64_t>(i + 1);
  for (int block = 0; block < blocks; ++block) {
    for (int config = 0; config < 8; ++config) {
      schema::Visit visit;
      visit.config = config;
      visit.block = block;
      for (int i = 0; i < 20; ++i) {
        const double extra = config == slow_config && i < warming ? 1.3 : 1;
        const auto ns = std::llround(1e6 * extra * std::exp(0.002 * rng.normal()));
        (i < 2 ? visit.warmup_ns : visit.samples_ns).push_back(ns);
      }
      run.visits.push_back(visit);
    }
  }
  return run;
}

}  // namespace batchscope::timing

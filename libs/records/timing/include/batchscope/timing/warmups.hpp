#pragma once

#include <span>
#include <vector>

#include "batchscope/stats/warmup.hpp"
#include "batchscope/timing/use.hpp"

namespace batchscope::schema {
struct RunFile;
struct Visit;
}  // namespace batchscope::schema

namespace batchscope::timing {

// How many iterations at the start of a visit are warm-up, as the visits that a run made to measure
// show it: those of all configurations together, and of each one by itself, since a single one that
// warms up is diluted by the others. The larger need counts, but where a configuration shows a
// clear end of its own.
class Warmups {
 public:
  Warmups() = default;  // none is needed
  Warmups(stats::PooledWarmup pooled, std::vector<stats::WarmupNeed> by_config);

  // Of a visit of the configuration (its index in the run) whose iterations typically take so long.
  const stats::WarmupNeed& of(int config, double iteration_ns) const;
  const stats::PooledWarmup& pooled() const { return pooled_; }
  // With the longest need of these configurations for each of them: where visits of the same work
  // are held against each other, one side must not lose iterations that the other keeps because it
  // has fewer visits to show its need by.
  Warmups with_longest_of(std::span<const int> configs) const;
  // A configuration needs at least so much, if enough visits showed it.
  void raise(int config, const stats::WarmupNeed& need);
  // A configuration needs so much, whatever it showed; if enough visits say so.
  void put(int config, const stats::WarmupNeed& need);

 private:
  // What its own visits show; null where they are too few, or it is none of the run.
  const stats::WarmupNeed* shown_by(int config) const;

  stats::PooledWarmup pooled_;
  std::vector<stats::WarmupNeed> by_config_;
};

// Of all visits that the run has made to measure, be it a block or many, ended or going on: so that
// what a run prints when it ends, and what is read from its file, are the same. Nothing is needed
// of imported tables, nor, for its own times, where the user fixed the warm-up; series (sync end)
// say nothing of single iterations. For how long the visits to come warm up, see `measure`.
Warmups warmups_of(const schema::RunFile& run);

// What visits of another use than measuring show by themselves counts too: what an intervention
// makes slow at first shows in none of the measured ones.
Warmups shown_in(const schema::RunFile& run, Use use, const Warmups& measured);

// Whether the iterations of a visit have times of their own.
bool shows_iterations(const schema::Visit& visit);

}  // namespace batchscope::timing

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/tune/search.hpp"
#include "visit_costs.hpp"

namespace batchscope::tune {

// What was told of one point.
struct PointFacts {
  std::vector<double> log_times;      // ln s, one a visit, of what the objective is of
  std::vector<double> log_means;      // of the mean iteration
  std::vector<double> log_latencies;  // of the bounded statistic
  std::vector<double> log_typical;    // of a typical iteration
  std::optional<int64_t> memory_bytes;
  int failures = 0;
  bool ruled_out = false;      // not asked for any more
  bool out_of_memory = false;  // it, or a smaller size of its setting
  std::string left_out;        // why it may not be picked; empty: it may

  bool tried() const { return failures > 0 || !log_times.empty(); }
};

// The points that differ in batch size only, and in the accumulation that follows from it;
// ascending.
struct Lane {
  schema::RunConfig key;
  std::vector<std::size_t> points;
};

// A search's grid, and all that it was told.
class Knowledge {
 public:
  Knowledge(std::vector<schema::RunConfig> grid, const Goal& goal, const SearchOptions& options);

  void tell(std::size_t point, const Observation& seen);
  void tell(std::size_t point, FailureKind failure);
  void leave_out(std::size_t point, std::string why);

  const std::vector<schema::RunConfig>& grid() const { return grid_; }
  const Goal& goal() const { return goal_; }
  const std::vector<Lane>& lanes() const { return lanes_; }
  std::size_t lane_of(std::size_t point) const { return lane_of_[point]; }
  const PointFacts& facts(std::size_t point) const { return facts_[point]; }
  // Whether it may be asked for: never tried, not ruled out, and not waiting for a need.
  bool is_open(std::size_t point) const;
  const std::vector<PointFacts>& all() const { return facts_; }

  double batch_size(std::size_t point) const;
  // ln of the batches of one iteration: more than one where they are accumulated.
  double log_batches(std::size_t point) const;
  // ln of samples worked on at once.
  double log_samples(std::size_t point) const;
  // What the objective makes least of, in ln units, from ln time: ln time a sample, or ln time.
  double cost(std::size_t point, double log_time) const;
  // ln of a typical time; the point has visits.
  double log_time(std::size_t point) const;
  // Of one visit, ln units: what repeats showed, with the assumed noise as four more of them.
  double noise() const;
  PointEstimate estimate(std::size_t point) const;
  int tried() const;
  // ln of how far the bounds are missed, by the worst of them; <= 0: they are kept.
  double excess(std::size_t point) const;
  // ln latency - ln time, mean over what was seen.
  double latency_over_time() const;
  // ln of the bounded statistic of a point over all its visits; it has some.
  double log_latency(std::size_t point) const;
  const VisitCosts& costs() const { return costs_; }

 private:
  // Whether the point's setting without checkpointing is known to lack memory at its size.
  bool needs_checkpointing(std::size_t point) const;

  std::vector<schema::RunConfig> grid_;
  Goal goal_;
  // What the bounded statistic of one visit is over its time, with what visits differ by.
  double over_visits(double log_over_time) const;

  double assumed_noise_;
  double normal_quantile_;  // of the bounded statistic, where it is one within a visit; else 0
  bool checkpoint_when_needed_;
  std::vector<Lane> lanes_;
  std::vector<std::size_t> lane_of_;
  std::vector<PointFacts> facts_;
  VisitCosts costs_;
};

}  // namespace batchscope::tune

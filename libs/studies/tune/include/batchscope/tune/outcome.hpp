#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/findings/finding.hpp"
#include "batchscope/tune/search.hpp"

namespace batchscope::tune {

// What is told of one point.
struct Figures {
  double rate = 0;       // samples a second, of all instances
  double mean_s = 0;     // a mean iteration: what `rate` is of
  double typical_s = 0;  // a typical iteration
  double latency_s = 0;  // the statistic that the goal bounds
  int fresh_visits = 0;  // that these are of; 0: of the search itself, which took the best of many
};
Figures figures_of(const PointEstimate& estimate);

// What a search came to.
struct SearchOutcome {
  Goal goal;
  std::vector<schema::RunConfig> grid;
  std::vector<PointEstimate> estimates;  // measured points, the best first
  std::optional<std::size_t> pick;       // into `grid`; the best, or the smallest batch within
                                         // 0.5 % of it; absent: nothing could be measured
  std::optional<std::size_t> runner_up;  // the best of the others that keeps the bounds
  bool feasible = true;                  // the pick keeps the goal's bounds
  // What the search alone would use; or which bound binds, and by how much.
  std::string message;
  // Measured points that no other beats in both, by latency, and by memory. Samples a second of all
  // instances against the time of a batch, or against the peak memory.
  std::vector<PointEstimate> latency_front, memory_front;
  // Why points of the grid may not be picked, and how many of them.
  std::map<std::string, int> left_out;
  int points_measured = 0;
  int points_total = 0;
  int visits = 0;
};

SearchOutcome outcome_of(const Search& search);

// The standing of a point of the grid; null where it was not measured.
const PointEstimate* estimate_of(const SearchOutcome& outcome, std::size_t point);

// Points of which no other has at least the rate and at most the cost, by cost. Those that are left
// out take no part.
std::vector<PointEstimate> latency_front(std::vector<PointEstimate> points);
// Those without a known memory are left out.
std::vector<PointEstimate> memory_front(std::vector<PointEstimate> points);

// "batch 48, fp32, cpu, 2 threads, torch": what is to be set.
std::string setting_words(const schema::RunConfig& config);
// What one iteration of it is: "batch", or where batches are accumulated "step".
std::string_view iteration_words(const schema::RunConfig& config);

}  // namespace batchscope::tune

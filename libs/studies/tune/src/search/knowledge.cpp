#include "knowledge.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/rank_scores.hpp"
#include "batchscope/timing/evidence.hpp"
#include "batchscope/timing/visits.hpp"
#include "setting.hpp"

namespace batchscope::tune {
namespace {

constexpr double kAssumedRepeats = 4;  // that the assumed noise counts as

std::vector<Lane> lanes_of(const std::vector<schema::RunConfig>& grid) {
  std::vector<Lane> lanes;
  std::map<schema::RunConfig, std::size_t> index;
  const bool step_kept = keeps_step(grid);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    schema::RunConfig key = setting_of(grid[i], step_kept);
    const auto [place, is_new] = index.try_emplace(key, lanes.size());
    if (is_new) lanes.push_back({std::move(key), {}});
    lanes[place->second].points.push_back(i);
  }
  for (Lane& lane : lanes) {
    std::sort(lane.points.begin(), lane.points.end(), [&](std::size_t a, std::size_t b) {
      return grid[a].shape.batch_size < grid[b].shape.batch_size;
    });
  }
  return lanes;
}

// Of the standard normal distribution.
double normal_quantile(LatencyStatistic statistic) {
  const auto probability = probability_of(statistic);
  return probability ? stats::normal_quantile(*probability) : 0;
}

}  // namespace

Knowledge::Knowledge(std::vector<schema::RunConfig> grid, const Goal& goal,
                     const SearchOptions& options)
    : grid_(std::move(grid)),
      goal_(goal),
      assumed_noise_(options.noise),
      normal_quantile_(options.latencies_of_visits ? normal_quantile(goal.latency_of.value()) : 0),
      checkpoint_when_needed_(options.checkpoint_when_needed),
      lanes_(lanes_of(grid_)),
      lane_of_(grid_.size()),
      facts_(grid_.size()) {
  for (std::size_t l = 0; l < lanes_.size(); ++l) {
    for (const std::size_t point : lanes_[l].points) lane_of_[point] = l;
  }
}

void Knowledge::tell(std::size_t point, const Observation& seen) {
  PointFacts& facts = facts_[point];
  const double typical_s = seen.typical_s > 0 ? seen.typical_s : seen.mean_s;
  const double time_s = goal_.objective == Objective::latency ? typical_s : seen.mean_s;
  costs_.tell(seen, time_s);
  if (seen.memory_bytes) {
    facts.memory_bytes = std::max(facts.memory_bytes.value_or(0), *seen.memory_bytes);
  }
  if (seen.still_warming) return;
  facts.log_times.push_back(std::log(time_s));
  facts.log_means.push_back(std::log(seen.mean_s));
  facts.log_typical.push_back(std::log(typical_s));
  facts.log_latencies.push_back(std::log(seen.latency_s > 0 ? seen.latency_s : time_s));
}

void Knowledge::tell(std::size_t point, FailureKind failure) {
  PointFacts& facts = facts_[point];
  ++facts.failures;
  if (facts.failures >= timing::kFailuresToGiveUp) facts.ruled_out = true;
  if (failure != FailureKind::out_of_memory) return;
  for (const std::size_t other : lanes_[lane_of_[point]].points) {
    if (grid_[other].shape.batch_size >= grid_[point].shape.batch_size) {
      facts_[other].ruled_out = facts_[other].out_of_memory = true;
    }
  }
}

bool Knowledge::is_open(std::size_t point) const {
  if (facts_[point].tried() || facts_[point].ruled_out) return false;
  return !checkpoint_when_needed_ || !grid_[point].checkpointing || needs_checkpointing(point);
}

bool Knowledge::needs_checkpointing(std::size_t point) const {
  schema::RunConfig without = grid_[point];
  without.checkpointing = false;
  const auto& limit = goal_.memory_limit_bytes;
  for (std::size_t other = 0; other < grid_.size(); ++other) {
    // With an effective batch every size has an accumulation of its own.
    schema::RunConfig like = grid_[other];
    const int64_t size = like.shape.batch_size;
    if (size > without.shape.batch_size) continue;
    like.shape = without.shape;
    like.accumulation = without.accumulation;
    if (like != without) continue;
    const PointFacts& facts = facts_[other];
    if (facts.out_of_memory) return true;
    if (limit && facts.memory_bytes && *facts.memory_bytes > *limit) return true;
  }
  return false;
}

void Knowledge::leave_out(std::size_t point, std::string why) {
  facts_[point].ruled_out = true;
  facts_[point].left_out = std::move(why);
}

double Knowledge::batch_size(std::size_t point) const {
  return static_cast<double>(grid_[point].shape.batch_size);
}

double Knowledge::log_batches(std::size_t point) const {
  return std::log(static_cast<double>(std::max<int64_t>(grid_[point].accumulation, 1)));
}

double Knowledge::log_samples(std::size_t point) const {
  return std::log(static_cast<double>(schema::samples_at_once(grid_[point])));
}

double Knowledge::cost(std::size_t point, double log_time) const {
  return goal_.objective == Objective::latency ? log_time : log_time - log_samples(point);
}

double Knowledge::log_time(std::size_t point) const {
  return stats::mean(facts_[point].log_times);
}

double Knowledge::noise() const {
  double sum = kAssumedRepeats * assumed_noise_ * assumed_noise_;
  double count = kAssumedRepeats;
  for (const PointFacts& facts : facts_) {
    if (facts.log_times.size() < 2) continue;
    const auto freedom = static_cast<double>(facts.log_times.size() - 1);
    sum += stats::variance(facts.log_times) * freedom;
    count += freedom;
  }
  return std::sqrt(sum / count);
}

PointEstimate Knowledge::estimate(std::size_t point) const {
  const PointFacts& facts = facts_[point];
  PointEstimate made;
  made.point = point;
  made.visits = static_cast<int>(facts.log_times.size());
  made.failures = facts.failures;
  made.memory_bytes = facts.memory_bytes;
  made.left_out = facts.left_out;
  made.feasible = !facts.log_times.empty() && excess(point) <= 0;
  if (facts.log_times.empty()) return made;
  made.mean_s = timing::over_visits(facts.log_means).value;
  made.typical_s = timing::over_visits(facts.log_typical).value;
  made.latency_s = std::exp(log_latency(point));
  made.rate = std::exp(log_samples(point)) / made.mean_s;
  made.standard_error = noise() / std::sqrt(static_cast<double>(made.visits));
  return made;
}

int Knowledge::tried() const {
  return static_cast<int>(std::count_if(facts_.begin(), facts_.end(),
                                        [](const PointFacts& facts) { return facts.tried(); }));
}

double Knowledge::excess(std::size_t point) const {
  const PointFacts& facts = facts_[point];
  double most = -1;
  if (goal_.latency_budget_s) {
    most = std::max(most, log_latency(point) - std::log(*goal_.latency_budget_s));
  }
  if (goal_.memory_limit_bytes && facts.memory_bytes) {
    most = std::max(most, std::log(static_cast<double>(*facts.memory_bytes)) -
                              std::log(static_cast<double>(*goal_.memory_limit_bytes)));
  }
  return most;
}

double Knowledge::latency_over_time() const {
  double sum = 0, count = 0;
  for (const PointFacts& facts : facts_) {
    for (std::size_t i = 0; i < facts.log_times.size(); ++i) {
      sum += facts.log_latencies[i] - facts.log_times[i];
      ++count;
    }
  }
  return over_visits(count > 0 ? sum / count : 0);
}

// The statistic of normal ln times around a mean that is normal itself.
double Knowledge::over_visits(double log_over_time) const {
  if (normal_quantile_ <= 0) return log_over_time;
  return std::hypot(std::max(log_over_time, 0.0), normal_quantile_ * noise());
}

double Knowledge::log_latency(std::size_t point) const {
  const PointFacts& facts = facts_[point];
  const double typical = stats::mean(facts.log_typical);
  return typical + over_visits(stats::mean(facts.log_latencies) - typical);
}

}  // namespace batchscope::tune

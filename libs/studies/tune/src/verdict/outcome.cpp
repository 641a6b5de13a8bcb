#include "batchscope/tune/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "batchscope/base/units.hpp"
#include "batchscope/findings/floors.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/axes.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "headline.hpp"

namespace batchscope::tune {
namespace {

std::vector<PointEstimate> front_by(std::vector<PointEstimate> points,
                                    const std::function<double(const PointEstimate&)>& cost) {
  std::erase_if(points, [](const PointEstimate& point) { return !point.left_out.empty(); });
  std::sort(points.begin(), points.end(), [&](const PointEstimate& a, const PointEstimate& b) {
    return cost(a) != cost(b) ? cost(a) < cost(b) : a.rate > b.rate;
  });
  std::vector<PointEstimate> front;
  for (const PointEstimate& point : points) {
    if (front.empty() || point.rate > front.back().rate) front.push_back(point);
  }
  return front;
}

// "12 % more", or where that is no number to read "340 times as much".
std::string over(double value, double bound) {
  constexpr double kManyTimes = 10;
  const double ratio = value / bound;
  return ratio < kManyTimes ? findings::percent(ratio - 1) + " more"
                            : fmt::format("{:.0f} times the bound", ratio);
}

// A goal's bounds, and what of the measured points comes nearest to each.
struct Nearest {
  const Goal& goal;
  const std::vector<schema::RunConfig>& grid;
  const PointEstimate& fastest;            // the least latency
  const PointEstimate* leanest = nullptr;  // the least memory; null: of none it is known

  std::string latency_of(const PointEstimate& point) const {
    return fmt::format("{} ({}), {}", base::format_seconds(point.latency_s), goal.latency_of.text(),
                       over(point.latency_s, *goal.latency_budget_s));
  }
  std::string memory_of(const PointEstimate& point) const {
    return fmt::format("{}, {}", base::format_bytes(*point.memory_bytes),
                       over(static_cast<double>(*point.memory_bytes),
                            static_cast<double>(*goal.memory_limit_bytes)));
  }
  bool latency_binds() const {
    return goal.latency_budget_s && fastest.latency_s > *goal.latency_budget_s;
  }
  bool memory_binds() const {
    return goal.memory_limit_bytes && leanest != nullptr &&
           *leanest->memory_bytes > *goal.memory_limit_bytes;
  }
};

// Which bound no point keeps, and by how much the nearest misses it; or what it takes to keep one
// where each can be kept, but not both.
std::string binding_words(const Nearest& nearest) {
  const auto setting = [&](const PointEstimate& point) {
    return setting_words(nearest.grid[point.point]);
  };
  const Goal& goal = nearest.goal;
  std::string words = "No measured setting meets the bounds.";
  if (nearest.latency_binds()) {
    words += fmt::format(" The latency budget is {}. The fastest setting ({}) takes {}.",
                         base::format_seconds(*goal.latency_budget_s), setting(nearest.fastest),
                         nearest.latency_of(nearest.fastest));
  }
  if (nearest.memory_binds()) {
    words += fmt::format(" The memory limit is {}. The smallest setting ({}) uses {}.",
                         base::format_bytes(*goal.memory_limit_bytes), setting(*nearest.leanest),
                         nearest.memory_of(*nearest.leanest));
  }
  const bool each_alone = !nearest.latency_binds() && !nearest.memory_binds();
  if (!each_alone || !goal.latency_budget_s || !goal.memory_limit_bytes) return words;
  return words + fmt::format(
                     " Each bound can be met alone, but not both. Within the latency budget of {}, "
                     "the fastest setting ({}) uses {}. Within the memory limit of {}, the "
                     "smallest setting ({}) takes {}.",
                     base::format_seconds(*goal.latency_budget_s), setting(nearest.fastest),
                     nearest.memory_of(nearest.fastest),
                     base::format_bytes(*goal.memory_limit_bytes), setting(*nearest.leanest),
                     nearest.latency_of(*nearest.leanest));
}

Nearest nearest_of(const SearchOutcome& outcome) {
  const auto& all = outcome.estimates;
  const auto may = [](const PointEstimate& point) { return point.left_out.empty(); };
  const PointEstimate* fastest = &all.front();
  const PointEstimate* leanest = nullptr;
  for (const PointEstimate& each : all) {
    if (!may(each)) continue;
    if (each.latency_s < fastest->latency_s) fastest = &each;
    if (each.memory_bytes && (leanest == nullptr || *each.memory_bytes < *leanest->memory_bytes)) {
      leanest = &each;
    }
  }
  return {outcome.goal, outcome.grid, *fastest, leanest};
}

// With the noise of both, hardly more than the margin; ln units.
constexpr double kTieWithNoise = 0.015;

bool is_tied(const PointEstimate& one, const PointEstimate& best) {
  const double behind = std::log(best.rate / one.rate);
  const double noise = std::hypot(one.standard_error, best.standard_error);
  return one.feasible && behind <= std::log1p(findings::kTieMargin) &&
         behind + noise <= kTieWithNoise;
}

// The first of the standings, or where others are as good, the smallest batch of them; in training
// the smallest step.
std::size_t pick_among(const std::vector<PointEstimate>& estimates, const Goal& goal,
                       const std::vector<schema::RunConfig>& grid) {
  const PointEstimate& best = estimates.front();
  std::size_t pick = best.point;
  if (goal.objective == Objective::latency || !best.feasible) return pick;
  const auto size = [&](std::size_t point) {
    return std::pair(schema::effective_batch(grid[point]), grid[point].shape.batch_size);
  };
  for (const PointEstimate& each : estimates) {
    const bool tied = each.left_out.empty() && is_tied(each, best);
    if (tied && size(each.point) < size(pick)) pick = each.point;
  }
  return pick;
}

std::optional<std::size_t> runner_up_of(const std::vector<PointEstimate>& estimates,
                                        std::size_t pick) {
  const auto found =
      std::find_if(estimates.begin(), estimates.end(), [&](const PointEstimate& each) {
        return each.feasible && each.left_out.empty() && each.point != pick;
      });
  return found == estimates.end() ? std::nullopt : std::optional(found->point);
}

}  // namespace

std::string setting_words(const schema::RunConfig& config) {
  std::string words =
      fmt::format("batch {}, {}", config.shape.batch_size, schema::execution_in_words(config));
  if (config.accumulation > 1) {
    words.insert(words.find(", "), fmt::format(", {} batches per step", config.accumulation));
  }
  if (config.instances > 1) words += fmt::format(", {} instances", config.instances);
  if (config.checkpointing) words += ", checkpointing";
  if (config.loader) words += ", " + schema::workers_in_words(*config.loader);
  if (config.pipeline) words += ", " + schema::in_words(*config.pipeline);
  words += ", " + config.engine;
  for (const schema::Axis& axis : schema::axes()) {
    if (!axis.plain && axis.id != schema::AxisId::environment) continue;
    const std::string own = axis.words(config);
    if (!own.empty()) words += ", " + own;
  }
  return words;
}

std::string_view iteration_words(const schema::RunConfig& config) {
  return config.accumulation > 1 ? "step" : "batch";
}

std::vector<PointEstimate> latency_front(std::vector<PointEstimate> points) {
  return front_by(std::move(points), [](const PointEstimate& point) { return point.latency_s; });
}

std::vector<PointEstimate> memory_front(std::vector<PointEstimate> points) {
  std::erase_if(points, [](const PointEstimate& point) { return !point.memory_bytes; });
  return front_by(std::move(points), [](const PointEstimate& point) {
    return static_cast<double>(*point.memory_bytes);
  });
}

const PointEstimate* estimate_of(const SearchOutcome& outcome, std::size_t point) {
  const auto found = std::find_if(outcome.estimates.begin(), outcome.estimates.end(),
                                  [&](const PointEstimate& each) { return each.point == point; });
  return found == outcome.estimates.end() ? nullptr : &*found;
}

Figures figures_of(const PointEstimate& estimate) {
  return {estimate.rate, estimate.mean_s, estimate.typical_s, estimate.latency_s, 0};
}

SearchOutcome outcome_of(const Search& search) {
  SearchOutcome made;
  made.goal = search.goal();
  made.grid = search.grid();
  made.estimates = search.estimates();
  made.points_measured = search.points_measured();
  made.points_total = static_cast<int>(search.grid().size());
  made.visits = search.visits();
  made.latency_front = latency_front(made.estimates);
  made.memory_front = memory_front(made.estimates);
  for (const std::string& why : search.left_out()) {
    if (!why.empty()) ++made.left_out[why];
  }
  if (made.estimates.empty() || !made.estimates.front().left_out.empty()) {
    made.feasible = false;
    made.message =
        made.estimates.empty() ? "No setting succeeded." : "No measured setting qualifies.";
    return made;
  }
  made.pick = pick_among(made.estimates, made.goal, made.grid);
  const PointEstimate& pick = *estimate_of(made, *made.pick);
  made.feasible = pick.feasible;
  made.message = pick.feasible ? use_words(made.grid[*made.pick], figures_of(pick), made.goal)
                               : binding_words(nearest_of(made));
  made.runner_up = runner_up_of(made.estimates, *made.pick);
  return made;
}

}  // namespace batchscope::tune

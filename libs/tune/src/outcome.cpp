#include "batchscope/tune/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "batchscope/base/units.hpp"

namespace batchscope::tune {
namespace {

std::string duration(double seconds) {
  return base::format_duration(
      std::chrono::duration_cast<base::Nanoseconds>(std::chrono::duration<double>(seconds)));
}

std::vector<Standing> front_by(std::vector<Standing> points,
                               const std::function<double(const Standing&)>& cost) {
  std::sort(points.begin(), points.end(), [&](const Standing& a, const Standing& b) {
    return cost(a) != cost(b) ? cost(a) < cost(b) : a.rate > b.rate;
  });
  std::vector<Standing> front;
  for (const Standing& point : points) {
    if (front.empty() || point.rate > front.back().rate) front.push_back(point);
  }
  return front;
}

// Which bound the nearest point misses, by how much, and what would mend it.
std::string binding_words(const Standing& nearest, const Goal& goal,
                          const schema::RunConfig& config) {
  std::string words = "No measured configuration keeps the bounds.";
  if (goal.latency_budget_s && nearest.latency_s > *goal.latency_budget_s) {
    words += fmt::format(
        " The latency budget of {} binds: the nearest, {}, takes {} ({}), {:.0f} % more.",
        duration(*goal.latency_budget_s), setting_words(config), duration(nearest.latency_s),
        to_string(goal.latency_of), 100 * (nearest.latency_s / *goal.latency_budget_s - 1));
  }
  const auto& limit = goal.memory_limit_bytes;
  if (limit && nearest.memory_bytes && *nearest.memory_bytes > *limit) {
    words += fmt::format(
        " The memory limit of {} binds: the nearest, {}, takes {}, {:.0f} % more.",
        base::format_bytes(*limit), setting_words(config),
        base::format_bytes(*nearest.memory_bytes),
        100 * (static_cast<double>(*nearest.memory_bytes) / static_cast<double>(*limit) - 1));
  }
  return words;
}

std::string pick_words(const Standing& pick, const Goal& goal, const schema::RunConfig& config) {
  std::string words = fmt::format("Use {}: {:.4g} samples/s at {} a batch", setting_words(config),
                                  pick.rate, duration(pick.time_s));
  if (goal.price_per_hour) {
    words += fmt::format(", {:.3g} for a million samples",
                         cost_of_a_million(*goal.price_per_hour, pick.rate));
  }
  return words + ".";
}

// Ties give away at most this much of the throughput, as in analyze, and with the noise of both
// hardly more than that; ln units.
constexpr double kTieMargin = 0.005;
constexpr double kTieWithNoise = 0.015;

bool is_tied(const Standing& one, const Standing& best) {
  const double behind = std::log(best.rate / one.rate);
  const double noise = std::hypot(one.standard_error, best.standard_error);
  return one.feasible && behind <= kTieMargin && behind + noise <= kTieWithNoise;
}

// The first of the standings, or where others are as good, the smallest batch of them.
std::size_t pick_among(const std::vector<Standing>& standings, const Goal& goal,
                       const std::vector<schema::RunConfig>& grid) {
  const Standing& best = standings.front();
  std::size_t pick = best.point;
  if (goal.objective == Objective::latency || !best.feasible) return pick;
  const auto size = [&](std::size_t point) { return grid[point].shape.batch_size; };
  for (const Standing& each : standings) {
    if (is_tied(each, best) && size(each.point) < size(pick)) pick = each.point;
  }
  return pick;
}

std::optional<std::size_t> runner_up_of(const std::vector<Standing>& standings, std::size_t pick) {
  const auto found = std::find_if(standings.begin(), standings.end(), [&](const Standing& each) {
    return each.feasible && each.point != pick;
  });
  return found == standings.end() ? std::nullopt : std::optional(found->point);
}

}  // namespace

std::string setting_words(const schema::RunConfig& config) {
  std::string words = fmt::format("batch {}, {}, {}, {} thread{}", config.shape.batch_size,
                                  schema::to_string(config.precision), config.device,
                                  config.threads, config.threads == 1 ? "" : "s");
  if (config.instances > 1) words += fmt::format(", {} instances", config.instances);
  if (config.checkpointing) words += ", checkpointing";
  return words + ", " + config.engine;
}

std::vector<Standing> latency_front(std::vector<Standing> points) {
  return front_by(std::move(points), [](const Standing& point) { return point.latency_s; });
}

std::vector<Standing> memory_front(std::vector<Standing> points) {
  std::erase_if(points, [](const Standing& point) { return !point.memory_bytes; });
  return front_by(std::move(points),
                  [](const Standing& point) { return static_cast<double>(*point.memory_bytes); });
}

const Standing* standing_of(const Outcome& outcome, std::size_t point) {
  const auto found = std::find_if(outcome.standings.begin(), outcome.standings.end(),
                                  [&](const Standing& each) { return each.point == point; });
  return found == outcome.standings.end() ? nullptr : &*found;
}

Outcome outcome_of(const Search& search) {
  Outcome made;
  made.goal = search.goal();
  made.grid = search.grid();
  made.standings = search.standings();
  made.points_measured = search.points_measured();
  made.points_total = static_cast<int>(search.grid().size());
  made.visits = search.visits();
  made.latency_front = latency_front(made.standings);
  made.memory_front = memory_front(made.standings);
  if (made.standings.empty()) {
    made.feasible = false;
    made.message = "No point could be measured.";
    return made;
  }
  made.pick = pick_among(made.standings, made.goal, made.grid);
  const Standing& pick = *standing_of(made, *made.pick);
  const schema::RunConfig& config = made.grid[*made.pick];
  made.feasible = pick.feasible;
  made.message =
      pick.feasible ? pick_words(pick, made.goal, config) : binding_words(pick, made.goal, config);
  made.runner_up = runner_up_of(made.standings, *made.pick);
  return made;
}

}  // namespace batchscope::tune

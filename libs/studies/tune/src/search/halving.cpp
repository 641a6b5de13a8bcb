#include "halving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace batchscope::tune {
namespace {

struct Rung {
  std::size_t points;
  int visits;  // of each, in all
};
constexpr std::array<Rung, 3> kRungs{{{8, 3}, {4, 8}, {2, 16}}};
// What is behind by more than so many standard errors is given up.
constexpr double kHopeless = 3.0;

double known_cost(const Knowledge& known, std::size_t point) {
  return known.cost(point, known.log_time(point));
}

bool is_hopeless(const Knowledge& known, std::size_t point, std::size_t best) {
  const double behind = known_cost(known, point) - known_cost(known, best);
  const double a = known.estimate(point).standard_error;
  const double b = known.estimate(best).standard_error;
  return behind > kHopeless * std::hypot(a, b);
}

// Where the best keeps the bounds: whether this one misses them by more than noise.
bool misses_bounds(const Knowledge& known, std::size_t point, std::size_t best) {
  return known.excess(best) <= 0 &&
         known.excess(point) > kHopeless * known.estimate(point).standard_error;
}

bool is_out(const Knowledge& known, std::size_t point, std::size_t best) {
  return misses_bounds(known, point, best) || is_hopeless(known, point, best);
}

// Nothing is left that could be better than the best, which more visits would not change.
bool is_decided(const Knowledge& known, const std::vector<std::size_t>& order) {
  const auto visits = static_cast<int>(known.facts(order.front()).log_times.size());
  if (visits < kRungs.front().visits) return false;
  return std::all_of(order.begin() + 1, order.end(),
                     [&](std::size_t point) { return is_out(known, point, order.front()); });
}

}  // namespace

std::vector<std::size_t> ranked(const Knowledge& known) {
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < known.grid().size(); ++i) {
    const PointFacts& facts = known.facts(i);
    if (!facts.log_times.empty() && facts.left_out.empty()) points.push_back(i);
  }
  std::stable_sort(points.begin(), points.end(), [&](std::size_t a, std::size_t b) {
    const double over_a = std::max(known.excess(a), 0.0);
    const double over_b = std::max(known.excess(b), 0.0);
    if (over_a != over_b) return over_a < over_b;
    return known.cost(a, known.log_time(a)) < known.cost(b, known.log_time(b));
  });
  return points;
}

std::vector<Suggestion> look_twice(const Knowledge& known, const TimeBudget& purse) {
  std::vector<Suggestion> asks;
  double price = 0;
  for (std::size_t i = 0; i < known.grid().size(); ++i) {
    const PointFacts& facts = known.facts(i);
    const bool once = facts.log_times.size() == 1 && facts.left_out.empty();
    if (!once || facts.ruled_out) continue;
    asks.push_back(
        {i, SearchRule::again, "measured only once so far; a second visit reduces the noise"});
    price += purse.price(known.log_time(i));
  }
  if (!purse.is_small(price)) asks.clear();
  return asks;
}

std::vector<Suggestion> halve(const Knowledge& known) {
  const std::vector<std::size_t> order = ranked(known);
  std::vector<Suggestion> asks;
  if (order.empty() || is_decided(known, order)) return asks;
  for (const Rung& rung : kRungs) {
    for (std::size_t place = 0; place < std::min(rung.points, order.size()); ++place) {
      const std::size_t point = order[place];
      const int visits = static_cast<int>(known.facts(point).log_times.size());
      if (visits >= rung.visits || known.facts(point).ruled_out) continue;
      if (is_out(known, point, order.front())) continue;
      asks.push_back({point, SearchRule::halving,
                      fmt::format("rank {} of the best {}: visit {} of {}", place + 1, rung.points,
                                  visits + 1, rung.visits)});
    }
    if (!asks.empty()) return asks;
  }
  return asks;
}

}  // namespace batchscope::tune

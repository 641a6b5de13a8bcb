#include <algorithm>
#include <cmath>

#include "acquisition.hpp"
#include "propose.hpp"

namespace batchscope::tune {
namespace {

// Of the points of a search: the rest goes where the first ones point to.
constexpr double kShareAlone = 0.55;
constexpr double kShareOfSeveral = 0.2;  // where other settings have to be looked at too
constexpr int kFewestAlone = 4, kFewestOfSeveral = 2;

std::size_t nearest(const Knowledge& known, const Lane& lane, double log_size) {
  return *std::min_element(lane.points.begin(), lane.points.end(), [&](auto a, auto b) {
    return std::abs(std::log(known.batch_size(a)) - log_size) <
           std::abs(std::log(known.batch_size(b)) - log_size);
  });
}

std::ptrdiff_t choices(const Knowledge& known, const Lane& lane) {
  return std::count_if(lane.points.begin(), lane.points.end(),
                       [&](std::size_t point) { return known.facts(point).left_out.empty(); });
}

// Sizes that have to be skipped leave the largest one that does not, unless one near it is known.
std::optional<std::size_t> largest_affordable(const Knowledge& known, const Lane& lane,
                                              const Acquisition& acquisition,
                                              const TimeBudget& purse) {
  double known_size = 0;
  std::optional<std::size_t> largest;
  for (const std::size_t point : lane.points) {
    if (known.facts(point).tried()) known_size = known.batch_size(point);
    if (known.is_open(point) && purse.affords(acquisition.belief(point).mean)) largest = point;
  }
  constexpr double kNear = 1.9;
  if (!largest || known.batch_size(*largest) < kNear * known_size) return std::nullopt;
  return largest;
}

const Lane& longest_lane(const Knowledge& known) {
  return *std::max_element(
      known.lanes().begin(), known.lanes().end(),
      [&](const Lane& a, const Lane& b) { return choices(known, a) < choices(known, b); });
}

}  // namespace

std::optional<Suggestion> begin_with(const Knowledge& known, int points, const TimeBudget& purse) {
  constexpr const char* kWhy = "covers the range in even steps";
  std::optional<Acquisition> acquisition;
  if (purse.is_limited()) acquisition.emplace(known);
  bool skipped = false;
  for (const std::size_t point : first_points(known, points)) {
    if (!known.is_open(point)) continue;
    if (!acquisition || purse.affords(acquisition->belief(point).mean)) {
      return Suggestion{point, SearchRule::grid, kWhy};
    }
    skipped = true;
  }
  if (!skipped) return std::nullopt;
  const auto largest = largest_affordable(known, longest_lane(known), *acquisition, purse);
  if (!largest) return std::nullopt;
  return Suggestion{*largest, SearchRule::grid, "largest size that the budget allows"};
}

std::vector<std::size_t> first_points(const Knowledge& known, int points) {
  const auto& lanes = known.lanes();
  const Lane& lane = longest_lane(known);
  const double low = std::log(known.batch_size(lane.points.front()));
  const double high = std::log(known.batch_size(lane.points.back()));
  const bool alone = lanes.size() == 1;
  const int wanted =
      std::max(static_cast<int>(std::lround((alone ? kShareAlone : kShareOfSeveral) * points)),
               alone ? kFewestAlone : kFewestOfSeveral);
  const double doublings = (high - low) / std::log(2.0);
  // Exact doublings where they can be afforded: they stay on powers of two.
  const double step = std::max(
      std::log(2.0), (high - low) / std::max(std::min(wanted - 1.0, std::ceil(doublings)), 1.0));
  std::vector<std::size_t> chosen;
  for (double at = low; at < high - 0.25 * step; at += step)
    chosen.push_back(nearest(known, lane, at));
  chosen.push_back(lane.points.back());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  if (std::ssize(chosen) > points) chosen.resize(static_cast<std::size_t>(points));
  return chosen;
}

}  // namespace batchscope::tune

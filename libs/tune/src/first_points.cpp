#include <algorithm>
#include <cmath>

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

}  // namespace

std::vector<std::size_t> first_points(const Knowledge& known, int points) {
  const auto& lanes = known.lanes();
  const Lane& lane = *std::max_element(
      lanes.begin(), lanes.end(),
      [](const Lane& a, const Lane& b) { return a.points.size() < b.points.size(); });
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

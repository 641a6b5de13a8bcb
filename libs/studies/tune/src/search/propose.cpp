#include "propose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "acquisition.hpp"
#include "batchscope/findings/wording.hpp"
#include "bisection.hpp"

namespace batchscope::tune {
namespace {

// An expected gain below this is not worth a point; ln units.
constexpr double kWorthless = 2e-4;
// Every how many points the search looks at what its beliefs do not say by themselves.
constexpr int kEvery = 4;
// With fewer points there are none to spare for neighbors.
constexpr int kManyPoints = 13;
// Of the points, that each setting of the grid gets one of first.
constexpr double kShareForSettings = 0.65;
constexpr double kLeastChance = 0.05;  // of keeping the bounds
constexpr double kNearOctaves = 1.5;

std::string percent(double log_ratio) {
  return findings::percent(std::expm1(std::abs(log_ratio)));
}

// Two neighbors of `place` in its lane, the larger first.
std::optional<std::size_t> open_neighbor(const Knowledge& known, std::size_t point) {
  const auto& points = known.lanes()[known.lane_of(point)].points;
  const auto place = std::find(points.begin(), points.end(), point) - points.begin();
  for (const std::ptrdiff_t step : {-1, 1}) {
    const std::ptrdiff_t at = place + step;
    if (at < 0 || at >= std::ssize(points)) continue;
    const std::size_t other = points[static_cast<std::size_t>(at)];
    if (known.is_open(other)) return other;
  }
  return std::nullopt;
}

bool is_power_of_two(int64_t size) {
  return (size & (size - 1)) == 0;
}

std::optional<Suggestion> neighbor(const Knowledge& known, const Acquisition& acquisition,
                                   const TimeBudget& purse) {
  if (!acquisition.best()) return std::nullopt;
  const auto other = open_neighbor(known, *acquisition.best());
  if (!other || !purse.affords(acquisition.belief(*other).mean)) return std::nullopt;
  const int64_t size = known.grid()[*acquisition.best()].shape.batch_size;
  return Suggestion{
      *other, SearchRule::neighbor,
      fmt::format("next to batch {}, the best so far{}", size,
                  is_power_of_two(size) ? "; powers of two can be unusually fast or slow" : "")};
}

std::optional<Suggestion> cliff(const Knowledge& known, const SearchOptions& options) {
  for (const auto& each : options.cliffs) {
    for (std::size_t i = 0; i < known.grid().size(); ++i) {
      const bool there = known.grid()[i].shape.batch_size == each.batch_size;
      if (there && known.is_open(i)) {
        return Suggestion{i, SearchRule::neighbor,
                          fmt::format("predicted jump in time: {}", each.why)};
      }
    }
  }
  return std::nullopt;
}

std::string promise(const Knowledge& known, const Acquisition& acquisition, std::size_t point) {
  const double sd = acquisition.belief(point).sd;
  if (!acquisition.best()) {
    return fmt::format("no measured point meets the bounds; this one does with probability {}",
                       findings::percent(acquisition.chance_of_bounds(point)));
  }
  const double better = acquisition.cost(*acquisition.best()) - acquisition.cost(point);
  const std::string than = schema::describe(known.grid()[*acquisition.best()]);
  if (better > 0) {
    return fmt::format("expected to be {} better than the best so far, uncertain by {}",
                       percent(better), percent(sd));
  }
  const double most = std::max(better + 2 * sd, 0.0);
  constexpr double kShown = 0.0005;  // less is 0 in words
  if (most < kShown) {
    return fmt::format("uncertain by {}; about as good as the best so far", percent(sd));
  }
  return fmt::format("uncertain by {}; could be up to {} better than the best so far", percent(sd),
                     percent(most));
}

// A point with what measuring it is expected to gain, ln units, for what it costs.
struct Candidate {
  std::optional<std::size_t> point;
  double worth = 0;
};

Candidate most_promising(const Knowledge& known, const Acquisition& acquisition,
                         const TimeBudget& purse) {
  Candidate most;
  for (std::size_t i = 0; i < known.grid().size(); ++i) {
    const double log_time = acquisition.belief(i).mean;
    if (!known.is_open(i) || !purse.affords(log_time)) continue;
    const double gain = acquisition.expected_improvement(i);
    if (gain <= kWorthless) continue;
    const double worth = gain / purse.price(log_time);
    if (worth > most.worth) most = {i, worth};
  }
  return most;
}

// Where nothing is expected to gain: what may yet be best if the beliefs are too sure of
// themselves.
std::optional<std::size_t> most_open(const Knowledge& known, const Acquisition& acquisition,
                                     const TimeBudget& purse) {
  constexpr double kSds = 3.0;
  std::optional<std::size_t> chosen;
  const bool any_keeps = acquisition.best().has_value();
  const auto least = [&](std::size_t point) {
    if (!any_keeps) return -acquisition.chance_of_bounds(point);
    return acquisition.cost(point) - kSds * acquisition.belief(point).sd;
  };
  for (std::size_t i = 0; i < known.grid().size(); ++i) {
    if (!known.is_open(i)) continue;
    if (any_keeps && acquisition.chance_of_bounds(i) < kLeastChance) continue;
    if (!purse.affords(acquisition.belief(i).mean)) continue;
    if (!chosen || least(i) < least(*chosen)) chosen = i;
  }
  return chosen;
}

std::optional<Suggestion> bisect(const Knowledge& known, const Acquisition& acquisition,
                                 const TimeBudget& purse, double than) {
  const auto step = best_bisection(known, acquisition);
  if (!step || step->gain <= kWorthless) return std::nullopt;
  const double log_time = acquisition.belief(step->point).mean;
  if (!purse.affords(log_time) || step->gain / purse.price(log_time) <= than) return std::nullopt;
  return Suggestion{step->point, SearchRule::gap,
                    fmt::format("between batch {:.0f} and {:.0f} the time jumps {} above the trend "
                                "of smaller sizes; below the jump, larger is better",
                                known.batch_size(step->before), known.batch_size(step->after),
                                percent(step->jump))};
}

std::optional<Suggestion> what_gains(const Knowledge& known, const Acquisition& acquisition,
                                     const TimeBudget& purse) {
  const Candidate most = most_promising(known, acquisition, purse);
  if (const auto made = bisect(known, acquisition, purse, most.worth)) return made;
  if (!most.point) return std::nullopt;
  return Suggestion{*most.point, SearchRule::law, promise(known, acquisition, *most.point)};
}

// Of a setting of which nothing is known, the point that least can be told of, near the best size
// so far; while nothing keeps the bounds, the one that most probably does.
double interest(const Knowledge& known, const Acquisition& acquisition, std::size_t point) {
  if (!acquisition.best()) return acquisition.chance_of_bounds(point);
  const double octaves = std::log2(known.batch_size(point) / known.batch_size(*acquisition.best()));
  return std::abs(octaves) <= kNearOctaves ? acquisition.belief(point).sd : 0;
}

std::optional<Suggestion> new_setting(const Knowledge& known, const Acquisition& acquisition,
                                      const TimeBudget& purse) {
  std::optional<std::size_t> chosen;
  double most = 0;
  for (const Lane& lane : known.lanes()) {
    const bool seen = std::any_of(lane.points.begin(), lane.points.end(),
                                  [&](std::size_t point) { return known.facts(point).tried(); });
    if (seen) continue;
    for (const std::size_t point : lane.points) {
      if (!known.is_open(point) || !purse.affords(acquisition.belief(point).mean)) continue;
      const double of_this = interest(known, acquisition, point);
      if (of_this <= most) continue;
      most = of_this;
      chosen = point;
    }
  }
  if (!chosen) return std::nullopt;
  return Suggestion{*chosen, SearchRule::setting,
                    fmt::format("setting not measured yet; prediction uncertain by {}",
                                percent(acquisition.belief(*chosen).sd))};
}

}  // namespace

std::optional<Suggestion> propose(const Knowledge& known, const SearchOptions& options, int points,
                                  const TimeBudget& purse) {
  const Acquisition acquisition(known);
  if (known.tried() < std::lround(kShareForSettings * points)) {
    if (const auto made = new_setting(known, acquisition, purse)) return made;
  }
  if (known.tried() % kEvery == 1) {
    if (const auto made = cliff(known, options)) return made;
  }
  if (known.tried() % kEvery == 3 && known.tried() >= kManyPoints) {
    if (const auto made = neighbor(known, acquisition, purse)) return made;
  }
  if (const auto made = what_gains(known, acquisition, purse)) return made;
  if (const auto made = neighbor(known, acquisition, purse)) return made;
  if (const auto point = most_open(known, acquisition, purse)) {
    return Suggestion{*point, SearchRule::law, promise(known, acquisition, *point)};
  }
  return std::nullopt;
}

std::optional<Suggestion> propose_more(const Knowledge& known, const TimeBudget& purse) {
  return what_gains(known, Acquisition(known), purse);
}

}  // namespace batchscope::tune

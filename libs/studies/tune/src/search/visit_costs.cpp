#include "visit_costs.hpp"

#include <algorithm>
#include <cmath>

namespace batchscope::tune {
namespace {

// That one new point may take; and where all that takes less was tried.
constexpr double kMostOfAll = 0.1, kMostOfAllLate = 0.35;
constexpr double kSmall = 0.1;
constexpr double kShareOfHalving = 0.45;

// A visit lasts a while at least, which short iterations fill, and has a few iterations at least,
// which count where they are long.
double longer_by(double seen_time_s, double seen_iterations, double time_s) {
  constexpr double kFewest = 7;  // warm-up included
  const double seen_s = seen_time_s * seen_iterations;
  return std::max(std::min(seen_iterations, kFewest) * time_s - seen_s, 0.0);
}

}  // namespace

void VisitCosts::tell(const Observation& seen, double time_s) {
  spent_s_ += seen.wall_s;
  if (seen.wall_s <= 0) return;
  const auto place =
      std::lower_bound(seen_.begin(), seen_.end(), time_s,
                       [](const Seen& each, double other_s) { return each.time_s < other_s; });
  seen_.insert(place, {time_s, seen.wall_s, seen.iterations});
}

std::optional<double> VisitCosts::wall_s(double time_s) const {
  if (seen_.empty()) return std::nullopt;
  const auto above = std::find_if(seen_.begin(), seen_.end(),
                                  [&](const Seen& each) { return each.time_s >= time_s; });
  if (above == seen_.begin()) return above->wall_s;
  const Seen& below = *(above - 1);
  if (above == seen_.end()) return below.wall_s + longer_by(below.time_s, below.iterations, time_s);
  const double part = (time_s - below.time_s) / (above->time_s - below.time_s);
  return below.wall_s + part * (above->wall_s - below.wall_s);
}

TimeBudget::TimeBudget(const VisitCosts& costs, std::optional<double> left_s,
                       std::optional<double> one_s)
    : costs_(costs), left_s_(costs.spent_s() > 0 ? left_s : std::nullopt), share_(kMostOfAll) {
  if (left_s_) total_s_ = *left_s_ + costs.spent_s();
  one_s_ = std::min(one_s.value_or(total_s_), total_s_);
}

TimeBudget TimeBudget::opened() const {
  TimeBudget wide = *this;
  wide.share_ = kMostOfAllLate;
  return wide;
}

double TimeBudget::price(double log_time) const {
  return left_s_ ? costs_.wall_s(std::exp(log_time)).value_or(1) : 1;
}

bool TimeBudget::affords(double log_time) const {
  return !left_s_ || price(log_time) <= std::min(share_ * total_s_, *left_s_);
}

bool TimeBudget::is_small(double price) const {
  return !left_s_ || price <= kSmall * *left_s_;
}

bool TimeBudget::is_time_to_halve() const {
  return left_s_ && *left_s_ <= kShareOfHalving * one_s_;
}

}  // namespace batchscope::tune

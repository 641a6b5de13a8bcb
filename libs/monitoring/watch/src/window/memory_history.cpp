#include "memory_history.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/trend.hpp"

namespace batchscope::watch {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr std::array<int64_t, 5> kSteps{5 * kSecond, 30 * kSecond, 240 * kSecond, 1920 * kSecond,
                                        15360 * kSecond};
// Of half minutes 40, so that the ramp of an epoch of a quarter of an hour has an end among them.
constexpr std::array<std::size_t, 5> kFewest{48, 40, 24, 24, 24};
// Without readings for so long, what was before is another story.
constexpr int64_t kLongestGap = 600 * kSecond;

// Each new point asks again: a rise by chance is seen once or twice.
constexpr int kTimes = 3;

constexpr double kAlpha = 1e-4;
constexpr double kHalfAlpha = 0.01;
// Beyond what random walks do: either says so. Of the first 0.02 %, of the second 1 % do.
constexpr double kLeastDrift = 3.5;
constexpr double kLeastRatio = 47;  // times the number of values
constexpr double kLeastBytes = 64.0 * 1024 * 1024;
// Of the slope of the earlier half, that of the later one may be: a warm-up flattens out.
constexpr double kLeastOfSlope = 0.8;
// An allocator that takes a few large blocks reaches few new heights, and stands still in between:
// 4 steps have a ratio of about 48. Noise makes new heights rare too, but does not stand still.
constexpr int kFewestRises = 5;
constexpr double kRatioOfNoise = 60;

// How often the later half exceeds all before.
int new_heights(std::span<const double> values) {
  double highest = values.front();
  int rises = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] <= highest) continue;
    highest = values[i];
    rises += i >= values.size() / 2 ? 1 : 0;
  }
  return rises;
}

bool goes_up_steadily(std::span<const double> values, double slope) {
  const double ratio = stats::von_neumann_ratio(values, slope) * static_cast<double>(values.size());
  const bool walks = ratio < kLeastRatio && stats::drift_score(values) < kLeastDrift;
  return !walks && (ratio >= kRatioOfNoise || new_heights(values) >= kFewestRises);
}

stats::Slope slope_of(std::span<const double> values) {
  stats::Slope slope = *stats::theil_sen(values);
  slope.interval = stats::interval_by_neighbours(values, slope.a_step);
  return slope;
}

// Of one that stands, as far as is known for certain.
bool flattens_out(std::span<const double> values, bool is_active) {
  const auto slope = [&](std::span<const double> part) {
    return is_active ? slope_of(part) : *stats::theil_sen(part);
  };
  return slope(values.subspan(values.size() / 2)).interval.high <
         kLeastOfSlope * slope(values.first(values.size() / 2)).a_step;
}

// The newest lie where they would if it stood still since then, and not on the line through those
// before.
bool has_stopped(std::span<const double> values) {
  constexpr std::size_t kNewest = 6;
  constexpr double kErrors = 4, kOfStandstill = 0.6;
  const auto before = values.first(values.size() - kNewest);
  const double slope = stats::theil_sen(before)->a_step;
  std::vector<double> levels;
  for (std::size_t i = 0; i < before.size(); ++i) {
    levels.push_back(before[i] - slope * static_cast<double>(i));
  }
  const double level = stats::median(levels);
  double apart = 0;
  for (std::size_t i = before.size(); i < values.size(); ++i) {
    apart += (values[i] - level - slope * static_cast<double>(i)) / kNewest;
  }
  const double count = kNewest / std::min(double{kNewest}, stats::inflation_by_neighbours(before));
  const double noise = kErrors * stats::robust_std(levels) / std::sqrt(count);
  return -apart > std::max(noise, kOfStandstill * slope * (kNewest + 1) / 2);
}

// Of the last minutes it is asked every few seconds, and only of what rises plainly until now.
bool rises_plainly(std::span<const double> values) {
  constexpr double kOfItsRange = 0.7, kOfItsRate = 0.5;
  constexpr std::size_t kLast = 4;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double rise = values.back() - values.front();
  const double latest = values.back() - values[values.size() - 1 - kLast];
  return rise >= kOfItsRange * (*most - *least) &&
         latest * static_cast<double>(values.size() - 1) >= kOfItsRate * rise * kLast;
}

// The chance that so many of the changes go up where either way is as likely, by Chernoff's bound:
// of a walk however its steps scatter, which Mann and Kendall's test can say little of where a rise
// bends upwards. 1 where some go down.
double chance_of_ups(std::span<const double> values) {
  constexpr double kFewestChanges = 20, kNearlyAll = 0.9, kMostOfRise = 0.1;
  double ups = 0, changes = 0, highest = values.front(), fall = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    ups += values[i] > values[i - 1] ? 1 : 0;
    changes += values[i] != values[i - 1] ? 1 : 0;
    highest = std::max(highest, values[i]);
    fall = std::max(fall, highest - values[i]);
  }
  if (changes < kFewestChanges || ups < kNearlyAll * changes) return 1;
  if (fall > kMostOfRise * (values.back() - values.front())) return 1;
  const double q = ups / changes;
  const double down = q < 1 ? (1 - q) * std::log(2 * (1 - q)) : 0;
  return std::exp(-changes * (q * std::log(2 * q) + down));
}

// Its chance, where it is one.
std::optional<double> chance_of_rise(std::span<const double> values, const stats::MannKendall& test,
                                     double slope) {
  if (const double p = chance_of_ups(values); p <= kAlpha) return p;
  const auto later = stats::mann_kendall(values.subspan(values.size() / 2));
  const double p = stats::p_rises(test);
  if (!later || p > kAlpha || stats::p_rises(*later) > kHalfAlpha) return std::nullopt;
  return goes_up_steadily(values, slope) ? std::optional(p) : std::nullopt;
}

// `before`: where the one that was seen last stands; noise hides it for a while.
std::optional<double> chance_that_it_goes_on(const std::optional<Rise>& before,
                                             const stats::MannKendall& test) {
  constexpr double kGoesOn = 0.05;
  return before && stats::p_rises(test) <= kGoesOn ? std::optional(before->p) : std::nullopt;
}

std::optional<Rise> rise_of(std::span<const double> values, double step_seconds,
                            const std::optional<Rise>& before) {
  // The cheap one first: most memory does not rise.
  if (values.back() - values.front() < kLeastBytes) return std::nullopt;
  const auto test = stats::mann_kendall(values);
  if (!test) return std::nullopt;
  stats::Slope slope = slope_of(values);
  if (slope.a_step <= 0) return std::nullopt;
  auto p = chance_of_rise(values, *test, slope.a_step);
  if (!p) p = chance_that_it_goes_on(before, *test);
  if (!p || flattens_out(values, before.has_value()) || has_stopped(values)) return std::nullopt;
  // Of one that bends upwards, what it is lately.
  const stats::Slope later = slope_of(values.subspan(values.size() / 2));
  if (later.interval.low > slope.interval.high) slope = later;
  return Rise{slope.a_step / step_seconds,
              {slope.interval.low / step_seconds, slope.interval.high / step_seconds},
              *p,
              static_cast<double>(values.size()) * step_seconds};
}

}  // namespace

void MemoryHistory::put(std::size_t index, int64_t time_ns, double bytes) {
  Level& level = levels_[index];
  if (level.began_ns == 0) level.began_ns = time_ns;
  level.trough = std::min(level.trough, bytes);
  if (time_ns - level.began_ns < kSteps[index]) return;
  level.push({time_ns, level.trough});
  level.trough = std::numeric_limits<double>::infinity();
  level.began_ns = time_ns;
  const std::vector<double> values = level.values();
  // Longer than the step where samples are rarer.
  const double spanned_s =
      static_cast<double>(level.points.back().time_ns - level.points.front().time_ns) / 1e9;
  if (values.size() < kFewest[index]) return;
  const double step_s = spanned_s / std::max(1.0, static_cast<double>(values.size()) - 1);
  const auto before = level.times >= kTimes ? level.rise : std::nullopt;
  level.rise = index > 0 || rises_plainly(values) ? rise_of(values, step_s, before) : std::nullopt;
  if (level.rise && level.was_as_high()) level.rise.reset();
  if (level.rise && level.times == 0) level.rises_from_ns = level.points.front().time_ns;
  level.times = level.rise ? level.times + 1 : 0;
  // The points that are kept may not reach back to where it began.
  if (level.rise) {
    level.rise->over_seconds = static_cast<double>(time_ns - level.rises_from_ns) / 1e9;
  }
  choose_rise();
}

// Of the shortest span, and of longer ones while they may be of the same rate: they know it better.
void MemoryHistory::choose_rise() {
  rise_.reset();
  for (auto level = levels_.begin() + 1; level != levels_.end(); ++level) {
    if (level->times < kTimes) continue;
    if (!rise_ || rise_->interval.contains(level->rise->bytes_a_second)) rise_ = level->rise;
  }
}

void MemoryHistory::Level::push(Point point) {
  if (points.full()) {
    if (gone++ % kPoints == 0) highest_gone.push(points.front().bytes);
    highest_gone.back() = std::max(highest_gone.back(), points.front().bytes);
  }
  points.push(point);
}

std::vector<double> MemoryHistory::Level::values() const {
  std::vector<double> bytes;
  for (const Point& point : points.values()) bytes.push_back(point.bytes);
  return bytes;
}

// It fell since then, and comes back to where it was, as from epoch to epoch.
bool MemoryHistory::Level::was_as_high() const {
  constexpr std::size_t kNewest = 4;  // of noise the last may be low
  const auto newest = points.values().last(std::min(kNewest, points.size()));
  const double level = std::ranges::max(newest, {}, &Point::bytes).bytes;
  return std::ranges::any_of(highest_gone.values(),
                             [&](double highest) { return highest >= level; });
}

bool MemoryHistory::goes_up() const {
  constexpr std::size_t kFewestToSay = 12;
  constexpr double kLeast = 16.0 * 1024 * 1024, kChance = 0.01;
  return std::any_of(levels_.begin(), levels_.begin() + 2, [&](const Level& level) {
    if (level.points.size() < kFewestToSay) return false;
    if (level.points.back().bytes - level.points.front().bytes < kLeast) return false;
    const auto test = stats::mann_kendall(level.values());
    return test && stats::p_rises(*test) < kChance;
  });
}

std::optional<Rise> MemoryHistory::of_minutes() const {
  const Level& level = levels_.front();
  return level.times >= kTimes ? level.rise : std::nullopt;
}

void MemoryHistory::add(int64_t time_ns, double bytes) {
  if (last_ns_ != 0 && time_ns - last_ns_ > kLongestGap) *this = MemoryHistory{};
  last_ns_ = time_ns;
  last_bytes_ = bytes;
  for (std::size_t i = 0; i < kLevels; ++i) put(i, time_ns, bytes);
}

}  // namespace batchscope::watch

#include "batchscope/findings/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "batchscope/base/lists.hpp"
#include "batchscope/findings/floors.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/schema/axes.hpp"
#include "batchscope/schema/not_stated.hpp"

namespace batchscope::findings {
namespace {

// More values than this are easier to read as ranges.
constexpr std::size_t kMostListed = 8;
// Less than this is 0.0 % with one decimal.
constexpr double kLeastPercent = 0.0005;

// The number alone, so that ranges can share one unit.
std::string percent_number(double ratio) {
  const double value = 100 * ratio;
  return std::abs(value) < 9.95 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

// A heading has room to say what is trained with, and which of the execution is not stated.
std::string heading_words(const schema::Axis& axis, const schema::RunConfig& key) {
  switch (axis.id) {
    case schema::AxisId::precision:
      return schema::execution_in_words(key);
    case schema::AxisId::device:
    case schema::AxisId::threads:
    case schema::AxisId::optimizer:
      return "";
    case schema::AxisId::mode:
      if (key.mode != schema::Mode::train) return "";
      return key.optimizer.empty() ? "training" : "training with " + key.optimizer;
    case schema::AxisId::engine:
      return schema::states_engine(key) ? key.engine : "";
    default:
      return axis.words(key);
  }
}

}  // namespace

std::string percent(double ratio) {
  if (std::isnan(ratio)) return "– %";
  if (ratio == 0) return "0 %";
  if (std::abs(ratio) < kLeastPercent) return ratio > 0 ? "< 0.1 %" : "> -0.1 %";
  return percent_number(ratio) + " %";
}

std::string relative_difference(double ratio) {
  const double size = std::abs(ratio);
  if (size >= 10) return fmt::format("{:.0f}", ratio);
  if (size == 0 || size >= 1e-3) return fmt::format("{:.2g}", ratio);
  std::string text = fmt::format("{:.1e}", ratio);  // "2.8e-05"
  if (const auto zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

std::string percent_range(const stats::Interval& interval) {
  // What ends beyond is as good as open, and its digits say nothing.
  constexpr double kFar = 10;
  if (interval.low > kFar) return "over 1000 %";
  if (interval.high < -kFar) return "under -1000 %";
  const std::string low = interval.low < -kFar ? "under -1000" : percent_number(interval.low);
  const std::string high = interval.high > kFar ? "over 1000" : percent_number(interval.high);
  return fmt::format("{} to {} %", low, high);
}

std::string in_interval(const std::optional<stats::Interval>& interval) {
  return interval ? fmt::format(" (CI {})", percent_range(*interval)) : "";
}

std::string list(std::span<const int64_t> values, const char* last) {
  std::vector<std::string> items;
  if (values.size() > kMostListed) {
    items = base::format_integers(values);
  } else {
    for (const int64_t value : values) items.push_back(fmt::format("{}", value));
  }
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? fmt::format(" {} ", last) : ", ";
    text += items[i];
  }
  return text;
}

std::string three_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return fmt::format("{}", value);
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return fmt::format("{:.{}f}", value, std::max(0, 2 - magnitude));
}

std::string by_interval(const Estimate& estimate) {
  if (!estimate.ci || !std::isfinite(estimate.value)) return three_digits(estimate.value);
  const double half =
      std::max(estimate.ci->high - estimate.value, estimate.value - estimate.ci->low);
  if (!(half > 0) || !std::isfinite(half)) return three_digits(estimate.value);
  const int of_half = static_cast<int>(std::floor(std::log10(half))) - 1;
  const double size = std::max(std::abs(estimate.value), half);
  const int place = std::max(of_half, static_cast<int>(std::floor(std::log10(size))) - 3);
  const double unit = std::pow(10.0, place);
  return fmt::format("{:.{}f}", std::round(estimate.value / unit) * unit, std::max(0, -place));
}

std::string more_or_less(double ratio) {
  if (ratio >= 1) return fmt::format("{:.3g} times as much", 1 + ratio);
  return fmt::format("{} {}", percent(std::abs(ratio)), ratio < 0 ? "less" : "more");
}

std::string more_or_fewer(double ratio) {
  if (ratio >= 1) return fmt::format("{:.3g} times as many", 1 + ratio);
  return fmt::format("{} {}", percent(std::abs(ratio)), ratio < 0 ? "fewer" : "more");
}

std::string more_or_less_range(double ratio, const stats::Interval& interval) {
  if (ratio >= 1) return fmt::format("{:.3g} to {:.3g} times", 1 + interval.low, 1 + interval.high);
  return percent_range(ratio < 0 ? stats::Interval{-interval.high, -interval.low} : interval);
}

std::string change_of_time(double ratio) {
  constexpr double kManyTimes = 1.5;
  if (ratio >= 1) return percent(ratio - 1) + " longer";
  const double times = 1 / ratio;
  return percent(1 - ratio) + " less time" +
         (times >= kManyTimes ? fmt::format(" ({:.1f} times as fast)", times) : "");
}

std::string milliseconds(double ms) {
  return three_digits(ms) + " ms";
}

std::string milliseconds_of(int64_t ns) {
  return milliseconds(static_cast<double>(ns) / 1e6);
}

std::string batches(std::span<const int64_t> sizes, const char* last) {
  return fmt::format("{} {}", sizes.size() == 1 ? "batch" : "batches", list(sizes, last));
}

bool mean_differs(const ConfigRow& row) {
  return is_mean_worth_showing(row.mean_ms.value, row.time_ms.value);
}

std::string verdict_in_words(const ConfigRow& row) {
  if (row.verdict == Verdict::ok) return "ok";
  if (row.verdict == Verdict::untestable) return "too few visits";
  const char* const what = row.departs == Deviation::slower   ? "slow"
                           : row.departs == Deviation::faster ? "fast"
                                                              : "odd";
  return fmt::format("{}, {}", what, row.verdict == Verdict::proven ? "proven" : "suspected");
}

std::string label(const schema::RunConfig& key) {
  std::string text;
  schema::each_axis_engine_after(schema::AxisId::pipeline, [&](const schema::Axis& axis) {
    const std::string words = heading_words(axis, key);
    if (!words.empty()) text += (text.empty() ? "" : ", ") + words;
  });
  return text;
}

}  // namespace batchscope::findings

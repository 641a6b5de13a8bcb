#include "batchscope/charts/chart_axis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "batchscope/base/algorithms.hpp"
#include "chart_script.hpp"

namespace batchscope::charts {
namespace {

constexpr double kMargin = 0.45;       // beyond the outer sizes, in steps
constexpr double kPixelsPerDigit = 9;  // of a tick label
constexpr double kLabelGap = 8;        // pixels between two of them
constexpr std::size_t kMostTics = 12;
constexpr double kLeastSpan = 0.02;       // of an axis of amounts, relative
constexpr double kLeastRatioSpan = 0.08;  // of an axis of ratios
constexpr double kLogarithmicBeyond = 3;  // ratio of largest to smallest value
constexpr double kForIntervals = 0.5;     // of what the values span, beyond them at either end
constexpr double kBeyondIntervals = 0.03;

bool is_power_of_two(int64_t size) {
  return size > 0 && (size & (size - 1)) == 0;
}

double label_pixels(int64_t size) {
  return kPixelsPerDigit * static_cast<double>(fmt::formatted_size("{}", size));
}

// Powers of ten times each mantissa, within the range.
std::vector<double> marks(const std::vector<double>& mantissas, double low, double high) {
  std::vector<double> result;
  for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high; decade *= 10) {
    for (const double mantissa : mantissas) {
      const double mark = mantissa * decade;
      if (mark >= low && mark <= high) result.push_back(mark);
    }
  }
  return result;
}

}  // namespace

SizeAxis::SizeAxis(const std::vector<findings::Group>& groups, Spacing spacing)
    : spacing_(spacing) {
  std::set<int64_t> sizes;
  for (const findings::Group& group : groups) {
    for (const findings::ConfigRow& row : group.rows) sizes.insert(row.config.shape.batch_size);
  }
  sizes_.assign(sizes.begin(), sizes.end());
}

double SizeAxis::position(int64_t size) const {
  if (spacing_ == Spacing::log2) return std::log2(static_cast<double>(std::max<int64_t>(1, size)));
  return static_cast<double>(std::lower_bound(sizes_.begin(), sizes_.end(), size) - sizes_.begin());
}

double SizeAxis::low() const {
  return position(sizes_.front()) - kMargin;
}
double SizeAxis::high() const {
  return position(sizes_.back()) + kMargin;
}

std::vector<int64_t> SizeAxis::labelled(double pixels) const {
  std::vector<int64_t> wanted = sizes_;
  // The ends first, then powers of two: they matter most where not all have room.
  std::stable_partition(wanted.begin(), wanted.end(), is_power_of_two);
  std::stable_partition(wanted.begin(), wanted.end(), [&](int64_t size) {
    return size == sizes_.front() || size == sizes_.back();
  });
  const double scale = pixels / (high() - low());
  std::vector<int64_t> chosen;
  for (const int64_t size : wanted) {
    const bool room = std::all_of(chosen.begin(), chosen.end(), [&](int64_t other) {
      const double distance = std::abs(position(size) - position(other)) * scale;
      return distance >= (label_pixels(size) + label_pixels(other)) / 2 + kLabelGap;
    });
    if (room) chosen.push_back(size);
  }
  return chosen;
}

std::string SizeAxis::commands(double pixels) const {
  const std::vector<int64_t> chosen = labelled(pixels);
  std::vector<std::string> tics;
  for (const int64_t size : sizes_) {
    tics.push_back(base::contains(chosen, size)
                       ? fmt::format("'{}' {}", size, number(position(size)))
                       : fmt::format("'' {} 1", number(position(size))));
  }
  return fmt::format("set xrange [{}:{}]\nset xtics ({})", number(low()), number(high()),
                     fmt::join(tics, ", "));
}

void ValueAxis::include(double value) {
  if (!std::isfinite(value)) return;
  low_ = std::min(low_, value);
  high_ = std::max(high_, value);
}

void ValueAxis::include(const findings::Estimate& estimate) {
  include(estimate.value);
  if (!estimate.ci) return;
  intervals_.low = std::min(intervals_.low, estimate.ci->low);
  intervals_.high = std::max(intervals_.high, estimate.ci->high);
}

bool ValueAxis::logarithmic() const {
  return low_ > 0 && high_ > kLogarithmicBeyond * low_;
}

stats::Interval ValueAxis::ends_of_values(const Look& look) const {
  if (look.logarithmic && logarithmic()) {
    const double room = std::pow(high_ / low_, 0.1);
    return {low_ / room, high_ * room};
  }
  const double least = look.ratio ? kLeastRatioSpan : kLeastSpan * std::abs(high_);
  const double span = std::max(high_ - low_, least);
  const double middle = (low_ + high_) / 2;
  const double bottom = look.from_zero ? std::min(0.0, low_) : middle - 0.62 * span;
  const double top = look.from_zero ? 1.12 * high_ : middle + 0.62 * span;
  return {bottom, top > bottom ? top : bottom + 1};
}

stats::Interval ValueAxis::ends(const Look& look) const {
  const stats::Interval values = ends_of_values(look);
  const bool log = look.logarithmic && logarithmic();
  const auto to = [&](double value) { return log ? std::log(value) : value; };
  const auto from = [&](double place) { return log ? std::exp(place) : place; };
  const double low = to(values.low), high = to(values.high);
  const double most = kForIntervals * (high - low), room = kBeyondIntervals * (high - low);
  stats::Interval ends = values;
  if (intervals_.low < values.low) {
    const bool endless = log && intervals_.low <= 0;
    ends.low = from((endless ? low - most : std::max(to(intervals_.low), low - most)) - room);
  }
  if (intervals_.high > values.high) {
    ends.high = from(std::min(to(intervals_.high), high + most) + room);
  }
  return ends;
}

std::string ValueAxis::logarithmic_commands(char axis) const {
  const auto [bottom, top] = ends({.logarithmic = true});
  const std::vector<double> fine = marks({1, 1.5, 2, 3, 5, 7}, bottom, top);
  const std::vector<double> coarse = marks({1, 2, 5}, bottom, top);
  const std::vector<double>& chosen = fine.size() <= kMostTics     ? fine
                                      : coarse.size() <= kMostTics ? coarse
                                                                   : marks({1}, bottom, top);
  std::vector<std::string> tics;
  for (const double mark : chosen) tics.push_back(fmt::format("'{0:g}' {0:.10g}", mark));
  return fmt::format("set logscale {0}\nset {0}range [{1}:{2}]\nset {0}tics ({3})", axis,
                     number(bottom), number(top), fmt::join(tics, ", "));
}

std::string ValueAxis::commands(const Look& look, char axis) const {
  if (look.logarithmic && logarithmic()) return logarithmic_commands(axis);
  const auto [bottom, top] = ends(look);
  return fmt::format("set format {0} '{1}'\nset {0}range [{2}:{3}]", axis,
                     look.ratio ? "%.2f" : "%g", number(bottom), number(top));
}

}  // namespace batchscope::charts

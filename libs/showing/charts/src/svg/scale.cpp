#include "batchscope/charts/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "batchscope/base/algorithms.hpp"

namespace batchscope::charts {
namespace {

constexpr double kMargin = 0.45;          // beyond the outer sizes, in steps
constexpr double kPixelsPerDigit = 9;     // of a tick label
constexpr double kLabelGap = 8;           // pixels between two of them
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
std::vector<AxisTick> at_mantissas(const std::vector<double>& mantissas,
                                   const stats::Interval& values) {
  std::vector<AxisTick> ticks;
  for (double decade = std::pow(10, std::floor(std::log10(values.low))); decade <= values.high;
       decade *= 10) {
    for (const double mantissa : mantissas) {
      const double value = mantissa * decade;
      if (values.contains(value)) ticks.push_back({value, fmt::format("{:.10g}", value)});
    }
  }
  return ticks;
}

}  // namespace

Scale::Scale(const stats::Interval& values, double from, double to, bool logarithmic)
    : values_(values), from_(from), to_(to), logarithmic_(logarithmic && values.low > 0) {}

double Scale::share(double value) const {
  if (logarithmic_) return std::log(value / values_.low) / std::log(values_.high / values_.low);
  return (value - values_.low) / (values_.high - values_.low);
}

double Scale::at(double value) const {
  if (logarithmic_ && !(value > 0)) return std::numeric_limits<double>::quiet_NaN();
  return from_ + share(value) * (to_ - from_);
}

double Scale::held(double value) const {
  return at(std::clamp(value, values_.low, values_.high));
}

bool Scale::is_below(double value) const {
  return value < values_.low;
}

std::vector<AxisTick> round_ticks(const stats::Interval& values, std::size_t most) {
  const double rough = (values.high - values.low) / static_cast<double>(most);
  if (!(rough > 0) || !std::isfinite(rough)) return {};
  const double unit = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * unit;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * unit >= rough) step = factor * unit;
  }
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  const bool plain = decimals <= 6 && std::max(std::abs(values.low), std::abs(values.high)) < 1e7;
  std::vector<AxisTick> ticks;
  for (double i = std::ceil(values.low / step - 1e-9); i * step <= values.high + 1e-9 * step; ++i) {
    const double value = i == 0 ? 0 : i * step;
    ticks.push_back(
        {value, plain ? fmt::format("{:.{}f}", value, decimals) : fmt::format("{:.10g}", value)});
  }
  return ticks;
}

std::vector<AxisTick> logarithmic_ticks(const stats::Interval& values, std::size_t most) {
  for (const std::vector<double>& mantissas :
       {std::vector<double>{1, 1.5, 2, 3, 5, 7}, {1, 2, 5}, {1}}) {
    std::vector<AxisTick> ticks = at_mantissas(mantissas, values);
    if (ticks.size() <= most) return ticks;
  }
  std::vector<AxisTick> decades = at_mantissas({1}, values);
  const std::size_t every = (decades.size() + most - 1) / most;
  std::vector<AxisTick> ticks;
  for (std::size_t i = 0; i < decades.size(); i += every) ticks.push_back(decades[i]);
  return ticks;
}

SizeAxis::SizeAxis(std::vector<int64_t> sizes, Spacing spacing)
    : sizes_(std::move(sizes)), spacing_(spacing) {
  std::sort(sizes_.begin(), sizes_.end());
  sizes_.erase(std::unique(sizes_.begin(), sizes_.end()), sizes_.end());
}

double SizeAxis::position(double size) const {
  if (spacing_ == Spacing::log2) return std::log2(std::max(1.0, size));
  return static_cast<double>(
      std::lower_bound(sizes_.begin(), sizes_.end(), static_cast<int64_t>(size)) - sizes_.begin());
}

stats::Interval SizeAxis::ends() const {
  return {position(static_cast<double>(sizes_.front())) - kMargin,
          position(static_cast<double>(sizes_.back())) + kMargin};
}

std::vector<int64_t> SizeAxis::labelled(double pixels) const {
  std::vector<int64_t> wanted = sizes_;
  // The ends first, then powers of two: they matter most where not all have room.
  std::stable_partition(wanted.begin(), wanted.end(), is_power_of_two);
  std::stable_partition(wanted.begin(), wanted.end(), [&](int64_t size) {
    return size == sizes_.front() || size == sizes_.back();
  });
  const Scale scale(ends(), 0, pixels);
  const auto place = [&](int64_t size) { return scale.at(position(static_cast<double>(size))); };
  std::vector<int64_t> chosen;
  for (const int64_t size : wanted) {
    const bool room = std::all_of(chosen.begin(), chosen.end(), [&](int64_t other) {
      return std::abs(place(size) - place(other)) >=
             (label_pixels(size) + label_pixels(other)) / 2 + kLabelGap;
    });
    if (room) chosen.push_back(size);
  }
  return chosen;
}

std::vector<AxisTick> SizeAxis::ticks(double pixels) const {
  const std::vector<int64_t> chosen = labelled(pixels);
  return base::mapped(sizes_, [&](int64_t size) {
    return AxisTick{position(static_cast<double>(size)),
                    base::contains(chosen, size) ? std::to_string(size) : ""};
  });
}

void ValueAxis::include(double value) {
  if (!std::isfinite(value)) return;
  low_ = std::min(low_, value);
  high_ = std::max(high_, value);
}

void ValueAxis::include(const stats::Interval& interval) {
  intervals_.low = std::min(intervals_.low, interval.low);
  intervals_.high = std::max(intervals_.high, interval.high);
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

}  // namespace batchscope::charts

#include "batchscope/findings/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/algorithms.hpp"

namespace batchscope::findings {
namespace {

// Sides of an interval that differ by less than this share of the longer one read as symmetric.
constexpr double kSymmetry = 0.25;
constexpr int kMostSignificant = 6;

int magnitude(double value) {
  return value == 0 || !std::isfinite(value)
             ? 0
             : static_cast<int>(std::floor(std::log10(std::abs(value))));
}

double longer_side(const Estimate& estimate) {
  return std::max(estimate.ci->high - estimate.value, estimate.value - estimate.ci->low);
}

bool has_interval(const Estimate& estimate) {
  return estimate.ci && std::isfinite(estimate.ci->low) && std::isfinite(estimate.ci->high);
}

bool symmetric(const Estimate& estimate) {
  const double below = estimate.value - estimate.ci->low;
  const double above = estimate.ci->high - estimate.value;
  if (below < 0 || above < 0) return false;
  return std::abs(above - below) <= kSymmetry * std::max(above, below);
}

int plain_decimals(double value, Quantity quantity) {
  if (quantity == Quantity::ratio) return 2;
  if (std::abs(value) >= 1000) return std::abs(value) >= 10000 ? 0 : 1;
  return std::clamp(3 - magnitude(value), 2, 9);
}

// Two significant digits of the interval's half-width, within what the value can carry.
int interval_decimals(const Estimate& estimate, Quantity quantity) {
  const double half = longer_side(estimate);
  if (!(half > 0)) return plain_decimals(estimate.value, quantity);
  const int wanted = std::max(0, 1 - magnitude(half));
  if (quantity == Quantity::ratio) return std::clamp(wanted, 2, 3);
  return std::clamp(wanted, 0, std::max(0, kMostSignificant - 1 - magnitude(estimate.value)));
}

// Rounded up where it would print as zero: an interval is never nothing.
std::string half_width(double half, int decimals) {
  const double smallest = std::pow(10.0, -decimals);
  return fixed(half > 0 ? std::max(half, smallest) : 0.0, decimals);
}

Shown show_one(const Estimate& estimate, int decimals, bool brackets) {
  if (!std::isfinite(estimate.value)) return {kAbsent, ""};
  if (!has_interval(estimate)) return {fixed(estimate.value, decimals), ""};
  if (!brackets) {
    return {fixed(estimate.value, decimals), "±" + half_width(longer_side(estimate), decimals)};
  }
  return {fixed(estimate.value, decimals),
          fmt::format("[{}, {}]", fixed(estimate.ci->low, decimals),
                      fixed(estimate.ci->high, decimals))};
}

int decimals_of(const Estimate& estimate, Quantity quantity) {
  return has_interval(estimate) ? interval_decimals(estimate, quantity)
                                : plain_decimals(estimate.value, quantity);
}

// Ratios are all about one, so a column of them has the same decimals throughout.
int most_decimals(const std::vector<const Estimate*>& column, Quantity quantity) {
  const auto decimals = [&](const Estimate* estimate) {
    return estimate == nullptr ? 0 : decimals_of(*estimate, quantity);
  };
  return base::largest_of(column, decimals, 0);
}

}  // namespace

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return kAbsent;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string plain(double value, Quantity quantity) {
  return fixed(value, plain_decimals(value, quantity));
}

std::string brief(double value) {
  return fixed(value, std::abs(value) >= 1e-9 ? std::clamp(2 - magnitude(value), 0, 4) : 0);
}

std::string p_in_words(double p_value) {
  return p_value < 0.0001 ? "p < 0.0001" : fmt::format("p = {:.2g}", p_value);
}

std::string enumerated(const std::vector<int64_t>& sizes) {
  const std::string all = fmt::format("{}", fmt::join(sizes, ", "));
  const std::size_t last = all.rfind(", ");
  return last == std::string::npos ? all : all.substr(0, last) + " and " + all.substr(last + 2);
}

std::vector<Shown> show_column(const std::vector<const Estimate*>& column, Quantity quantity) {
  const bool brackets = std::any_of(column.begin(), column.end(), [](const auto* estimate) {
    return estimate != nullptr && has_interval(*estimate) && !symmetric(*estimate);
  });
  const int most = most_decimals(column, quantity);
  std::vector<Shown> shown;
  shown.reserve(column.size());
  for (const Estimate* estimate : column) {
    if (estimate == nullptr) {
      shown.push_back({kAbsent, ""});
      continue;
    }
    const int decimals = quantity == Quantity::ratio ? most : decimals_of(*estimate, quantity);
    shown.push_back(show_one(*estimate, decimals, brackets));
  }
  return shown;
}

Shown show(const Estimate& estimate, Quantity quantity) {
  return show_column({&estimate}, quantity).front();
}

std::string inline_estimate(const Estimate& estimate, Quantity quantity) {
  const Shown shown = show(estimate, quantity);
  return shown.interval.empty() ? shown.value : shown.value + " " + shown.interval;
}

}  // namespace batchscope::findings

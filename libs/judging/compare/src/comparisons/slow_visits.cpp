#include "slow_visits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/counted.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/descriptive.hpp"

namespace batchscope::compare {
namespace {

using findings::percent;

constexpr double kApart = 0.03;      // of the two ratios
constexpr double kLeastSlow = 0.05;  // ln units over the median
constexpr double kRobustSds = 3 * 1.4826;

int slow_of(const LogsByRun& runs) {
  int slow = 0;
  for (const auto& logs : runs) slow += count_slow(logs);
  return slow;
}

int visits_of(const LogsByRun& runs) {
  std::size_t visits = 0;
  for (const auto& logs : runs) visits += logs.size();
  return static_cast<int>(visits);
}

std::string count_words(int slow, int visits, const std::string& name) {
  return fmt::format("{} of {} of {}", slow, base::counted(visits, "visit"), name);
}

}  // namespace

int count_slow(std::span<const double> logs) {
  if (logs.empty()) return 0;
  const double middle = stats::median(logs);
  std::vector<double> deviations;
  for (const double value : logs) deviations.push_back(std::abs(value - middle));
  const double fence = std::max(kLeastSlow, kRobustSds * stats::median(deviations));
  return static_cast<int>(
      std::count_if(logs.begin(), logs.end(), [&](double v) { return v > middle + fence; }));
}

std::optional<findings::SlowVisits> slow_visits(const LogsByRun& base, const LogsByRun& other,
                                                const std::optional<stats::MeanEstimate>& plain,
                                                const std::optional<stats::MeanEstimate>& trimmed) {
  if (!plain || !trimmed) return std::nullopt;
  const double ratio = std::exp(plain->value);
  if (std::abs(ratio - std::exp(trimmed->value)) <= kApart) return std::nullopt;
  return findings::SlowVisits{slow_of(base), visits_of(base), slow_of(other), visits_of(other),
                              ratio};
}

std::string slow_words(const findings::SlowVisits& slow, const std::string& base,
                       const std::string& other) {
  const double more = slow.mean_ratio - 1;
  std::string visits;
  if (slow.base > 0) visits = count_words(slow.base, slow.base_visits, base);
  if (slow.other > 0) {
    visits += (visits.empty() ? "" : " and ") + count_words(slow.other, slow.other_visits, other);
  }
  const int count = slow.base + slow.other;
  const std::string mode =
      count == 0 ? std::string("a few visits are far from the rest")
                 : fmt::format("{} {} in a slow mode", visits, count == 1 ? "is" : "are");
  return fmt::format("{}; the mean over all visits differs by {} {} time", mode,
                     percent(std::abs(more)), more < 0 ? "less" : "more");
}

}  // namespace batchscope::compare

#include "rules/reported_slowdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/counted.hpp"
#include "rules/change_evidence.hpp"

namespace batchscope::training {
namespace {

// A mean, because it may be a part of the steps that takes longer; outliers count less.
double level_of(std::span<const double> values, const ReportedSlowdown& reported) {
  constexpr double kMost = 1.5, kScatters = 3;
  const double scatter = kScatters * reported.scatter, before = reported.before.mean;
  const double least = before - std::max(reported.size, scatter),
               most = before + std::max(kMost * reported.size, reported.size + scatter);
  double sum = 0;
  for (const double value : values) sum += std::clamp(value, least, most);
  return sum / static_cast<double>(values.size());
}

}  // namespace

std::optional<int64_t> ended_at_ns(const ReportedSlowdown& reported, const LatestSteps& latest,
                                   std::size_t most) {
  const auto first = std::ranges::find_if(
      latest.facts, [&](const StepFact& fact) { return fact.index >= reported.since; });
  auto after = latest.values.subspan(static_cast<std::size_t>(first - latest.facts.begin()));
  if (after.size() < kFewestAfter) return std::nullopt;
  after = after.last(std::min(after.size(), most));
  if (level_of(after, reported) > reported.before.mean + kBack * reported.size) return std::nullopt;
  const bool is_seen = latest.since_change && latest.facts.front().index > reported.since;
  return (is_seen ? latest.facts.front() : latest.facts.back()).time_ns;
}

findings::Finding less_if_often(findings::Finding finding, int times) {
  constexpr int kOften = 2;
  if (times < kOften) return finding;
  finding.severity = std::min(finding.severity, findings::Severity::low);
  finding.what += fmt::format("; this happened {} before", base::counted(times, "time"));
  return finding;
}

}  // namespace batchscope::training

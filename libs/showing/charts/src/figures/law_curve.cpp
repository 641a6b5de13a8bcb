#include "batchscope/charts/law_curve.hpp"

#include <algorithm>

#include "batchscope/charts/fitted_law.hpp"
#include "batchscope/charts/series.hpp"

namespace batchscope::charts {
namespace {

constexpr std::size_t kFewestForLaw = 3;

}  // namespace

std::optional<LawCurve> law_curve(const ChartSubject& subject,
                                  const std::vector<findings::Group>& groups) {
  if (groups.size() != 1) return {};
  const findings::Group& group = groups.front();
  const auto law = time_by_law(group);
  if (!law || group.rows.size() < kFewestForLaw) return {};
  LawCurve curve{"law of the sizes: " + shown_name(group.law->formula), tolerance_words(), {}};
  for (const double size : sizes_along(group)) {
    const double ms = law(size);
    if (!(ms > 0)) continue;
    const auto value = subject.of_time(ms, size, group);
    const auto one = subject.of_time(ms / (1 + kTolerance), size, group);
    const auto other = subject.of_time(ms * (1 + kTolerance), size, group);
    if (!value || !one || !other) return {};
    curve.points.push_back({size, *value, std::min(*one, *other), std::max(*one, *other)});
  }
  return curve;
}

}  // namespace batchscope::charts

#include "rules/change_evidence.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/binomial.hpp"
#include "batchscope/stats/descriptive.hpp"

namespace batchscope::training {

bool may_have_changed(std::span<const double> values, double least) {
  constexpr std::size_t kParts = 12;
  const std::size_t length = std::max(kFewestAfter, values.size() / kParts);
  double low = stats::median(values.last(kFewestAfter)), high = low;
  for (std::size_t begin = 0; begin + length <= values.size(); begin += length) {
    const double level = stats::median(values.subspan(begin, length));
    low = std::min(low, level);
    high = std::max(high, level);
  }
  return high - low > least / 2;
}

double steps_of(const stats::ChangePoint& change) {
  return 1 / (1 / static_cast<double>(change.index - change.begin) +
              1 / static_cast<double>(change.end - change.index));
}

bool is_beyond_chance(std::span<const StepFact> facts, const stats::ChangePoint& change) {
  const double middle = (change.before + change.after) / 2;
  const auto count_of = [&](std::span<const StepFact> part) {
    return static_cast<double>(std::ranges::count_if(part, [&](const StepFact& fact) {
      return (std::log(fact.seconds) > middle) == (change.after > change.before);
    }));
  };
  const auto before = facts.subspan(change.begin, change.index - change.begin),
             after = facts.subspan(change.index, change.end - change.index);
  const auto n = static_cast<double>(before.size()), m = static_cast<double>(after.size());
  const double p = count_of(before) / n, q = count_of(after) / m,
               pooled = (p * n + q * m) / (n + m);
  return q > p &&
         n * stats::divergence(p, pooled) + m * stats::divergence(q, pooled) >= std::log(1e10);
}

}  // namespace batchscope::training

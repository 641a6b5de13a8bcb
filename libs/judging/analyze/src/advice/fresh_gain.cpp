#include "batchscope/analyze/fresh_gain.hpp"

#include <algorithm>

#include "batchscope/tables/estimates.hpp"

namespace batchscope::analyze {

double FreshGain::surest() const {
  return std::min(student.ci->low, trimmed.ci->low);
}

double FreshGain::largest() const {
  return std::min(student.ci->high, trimmed.ci->high);
}

FreshGain fresh_gain(std::span<const double> logs, const timing::Unseen& unseen, double level) {
  const auto by = [&](stats::Method method) {
    return tables::less_one(
        tables::allowing_for(unseen, tables::exp_estimate(logs, level, method)));
  };
  return {by(stats::Method::student_t), by(stats::Method::yuen_trimmed)};
}

}  // namespace batchscope::analyze

#include "batchscope/charts/outliers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "batchscope/findings/by_group.hpp"
#include "batchscope/findings/metrics.hpp"
#include "batchscope/findings/numbers.hpp"

namespace batchscope::charts {
namespace {

using findings::Finding;
using findings::findings_of;
using findings::fixed;

const std::array<std::pair<std::string_view, const char*>, 3> kExcesses = {
    {{findings::metric::kExcessOverSplit.name, "than a split into smaller batches"},
     {findings::metric::kExcessOverLaw.name, "than the other sizes suggest"},
     {findings::metric::kExcessOverNeighbours.name, "than its neighbours suggest"}}};

std::optional<OutlierSize> outlier_of(const Finding& finding) {
  if (finding.status != findings::Status::proven || finding.batch_sizes.size() != 1) return {};
  for (const findings::Evidence& evidence : finding.evidence) {
    for (const auto& [name, than] : kExcesses) {
      if (evidence.metric == name) {
        return OutlierSize{finding.batch_sizes.front(), evidence.estimate, than};
      }
    }
  }
  return {};
}

// Of what the interval leaves open nothing is said: 12.3 % only where it is that narrow.
int decimals_of(const findings::Estimate& ratio) {
  const double half = ratio.ci ? 50 * (ratio.ci->high - ratio.ci->low) : 0;
  if (half >= 1) return 0;
  return std::abs(ratio.value) < 0.1 || half > 0 ? 1 : 0;
}

}  // namespace

std::vector<OutlierSize> outliers(const findings::Summary& summary, const findings::Group& group) {
  std::map<int64_t, OutlierSize> found;
  for (const Finding& finding : findings_of(group, summary)) {
    const auto each = outlier_of(finding);
    if (!each) continue;
    const auto [place, added] = found.emplace(each->size, *each);
    const bool larger = std::abs(each->excess.value) > std::abs(place->second.excess.value);
    if (!added && larger) place->second = *each;
  }
  std::vector<OutlierSize> all;
  for (const auto& [size, each] : found) all.push_back(each);
  return all;
}

const OutlierSize* outlier_at(const std::vector<OutlierSize>& all, int64_t size) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const OutlierSize& each) { return each.size == size; });
  return found == all.end() ? nullptr : &*found;
}

std::string digits_percent(const findings::Estimate& ratio) {
  return fixed(100 * std::abs(ratio.value), decimals_of(ratio)) + " %";
}

std::string signed_percent(const findings::Estimate& ratio) {
  const std::string size = digits_percent(ratio);
  if (size.find_first_of("123456789") == std::string::npos) return size;
  return (ratio.value < 0 ? "−" : "+") + size;
}

std::string mark_words(const OutlierSize& outlier) {
  return signed_percent(outlier.excess) + ", proven";
}

bool names_a_setting(const findings::Summary& summary) {
  return summary.answer.confidence != findings::Confidence::cannot_tell;
}

bool is_answer(const findings::Summary& summary, const findings::ConfigRow& row) {
  return names_a_setting(summary) && summary.answer.config && *summary.answer.config == row.config;
}

}  // namespace batchscope::charts

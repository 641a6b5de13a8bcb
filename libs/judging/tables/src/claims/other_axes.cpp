#include "other_axes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/tables/axes.hpp"

namespace batchscope::tables {
namespace {

using findings::Finding;

bool holds(const findings::Group& group, int64_t size) {
  return std::any_of(group.rows.begin(), group.rows.end(), [&](const findings::ConfigRow& row) {
    return row.config.shape.batch_size == size;
  });
}

// Whether the table could have shown the finding at all.
bool could_show(const GroupClaims& claims, const Finding& finding) {
  const bool testable = claims.departure.outcome != DepartureOutcome::untestable;
  if (finding.id != findings::kDominated) return testable;
  return base::contains(claims.dominance_sizes, finding.batch_sizes.front());
}

struct Tables {
  const std::vector<Finding>& findings;
  const std::vector<std::size_t>& group_of;
  const std::vector<GroupClaims>& claims;
};

// How far off the size is: 0.1 = 10 % more time; 0 where the finding does not say.
double excess_of(const Finding& finding) {
  for (const findings::Evidence& evidence : finding.evidence) {
    if (evidence.unit == findings::kRatioUnit) return evidence.estimate.value;
  }
  return 0;
}

std::string with_size(const Finding& there, double here, const std::string& where) {
  const char* status = there.status == findings::Status::proven ? "proven" : "suspected";
  const double excess = excess_of(there);
  if (excess == 0 || here == 0) return fmt::format("Also {} at {}.", status, where);
  const char* lead = (excess > 0) == (here > 0) ? "Also" : "The opposite is";
  return fmt::format("{} {} at {}: {}.", lead, status, where, findings::change_of_time(1 + excess));
}

// What table `other` shows of a finding of another table, as a sentence.
std::string seen_there(const Tables& tables, const Finding& finding, std::size_t other,
                       const std::string& where) {
  for (std::size_t j = 0; j < tables.findings.size(); ++j) {
    const Finding& there = tables.findings[j];
    if (tables.group_of[j] != other || there.id != finding.id) continue;
    if (there.batch_sizes == finding.batch_sizes) {
      return with_size(there, excess_of(finding), where);
    }
  }
  const bool testable = could_show(tables.claims[other], finding);
  return fmt::format("{} at {}.", testable ? "Not found" : "Not testable", where);
}

}  // namespace

void tell_of_other_axes(std::vector<Finding>& findings, const std::vector<std::size_t>& group_of,
                        const std::vector<findings::Group>& groups,
                        const std::vector<GroupClaims>& claims) {
  std::vector<std::string> remarks(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (config_of(findings[i].where) == nullptr || findings[i].batch_sizes.size() != 1) continue;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto axis = single_difference(groups[group_of[i]].key, groups[g].key);
      if (!axis || !holds(groups[g], findings[i].batch_sizes.front())) continue;
      remarks[i] += " " + seen_there({findings, group_of, claims}, findings[i], g, axis->b_words);
    }
  }
  for (std::size_t i = 0; i < findings.size(); ++i) findings[i].what += remarks[i];
}

}  // namespace batchscope::tables

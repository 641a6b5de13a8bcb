#include "other_axes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axes.hpp"

namespace batchscope::analyze {
namespace {

using schema::Finding;

bool holds(const schema::Group& group, int64_t size) {
  return std::any_of(group.rows.begin(), group.rows.end(), [&](const schema::ConfigRow& row) {
    return row.config.shape.batch_size == size;
  });
}

// Whether the table could have shown the finding at all.
bool could_show(const GroupClaims& claims, const Finding& finding) {
  if (finding.id != "scaling.dominated") {
    return claims.departure.outcome != DepartureOutcome::untestable;
  }
  return std::find(claims.dominance_sizes.begin(), claims.dominance_sizes.end(),
                   finding.batch_sizes.front()) != claims.dominance_sizes.end();
}

struct Tables {
  const std::vector<Finding>& findings;
  const std::vector<std::size_t>& group_of;
  const std::vector<GroupClaims>& claims;
};

// What table `other` shows of a finding of another table.
std::string_view seen_there(const Tables& tables, const Finding& finding, std::size_t other) {
  for (std::size_t j = 0; j < tables.findings.size(); ++j) {
    const Finding& there = tables.findings[j];
    if (tables.group_of[j] != other || there.id != finding.id) continue;
    if (there.batch_sizes != finding.batch_sizes) continue;
    if (there.status == finding.status) return "The same at";
    return there.status == schema::Status::proven ? "Proven at" : "Suspected at";
  }
  return could_show(tables.claims[other], finding) ? "Not seen at" : "Could not be tested at";
}

}  // namespace

void tell_of_other_axes(std::vector<Finding>& findings, const std::vector<std::size_t>& group_of,
                        const std::vector<schema::Group>& groups,
                        const std::vector<GroupClaims>& claims) {
  std::vector<std::string> remarks(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!findings[i].where || findings[i].batch_sizes.size() != 1) continue;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto axis = single_difference(groups[group_of[i]].key, groups[g].key);
      if (!axis || !holds(groups[g], findings[i].batch_sizes.front())) continue;
      remarks[i] +=
          fmt::format(" {} {} {}.", seen_there({findings, group_of, claims}, findings[i], g),
                      axis->axis, axis->b);
    }
  }
  for (std::size_t i = 0; i < findings.size(); ++i) findings[i].message += remarks[i];
}

}  // namespace batchscope::analyze

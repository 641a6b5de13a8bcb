#include "batchscope/findings/by_group.hpp"

#include "batchscope/base/algorithms.hpp"

namespace batchscope::findings {
namespace {

const Group* group_of(const Finding& finding, const Summary& summary) {
  if (is_outside_a_run(finding)) return nullptr;
  if (summary.groups.size() == 1) return &summary.groups.front();
  const schema::RunConfig* const where = config_of(finding.where);
  if (where == nullptr) return nullptr;
  const schema::RunConfig key = without_batch_size(*where);
  const Group* found = nullptr;
  for (const Group& group : summary.groups) {
    if (group.key != key) continue;
    if (found != nullptr) return nullptr;
    found = &group;
  }
  return found;
}

std::vector<Finding> findings_with(const Group* group, const Summary& summary) {
  return base::kept(summary.findings,
                    [&](const Finding& finding) { return group_of(finding, summary) == group; });
}

}  // namespace

bool is_outside_a_run(const Finding& finding) {
  return finding.where.index() != 0 && config_of(finding.where) == nullptr;
}

std::string label_of(const Finding& finding, const std::vector<Group>& groups) {
  const schema::RunConfig* const where = config_of(finding.where);
  if (groups.size() < 2) return "";
  if (!finding.table.empty()) return finding.table;
  if (where == nullptr) return "";
  const schema::RunConfig key = without_batch_size(*where);
  std::string label;
  for (const Group& group : groups) {
    if (group.key != key) continue;
    if (!label.empty()) return "";
    label = group.label;
  }
  return label;
}

std::vector<Finding> findings_of(const Group& group, const Summary& summary) {
  return findings_with(&group, summary);
}

std::vector<Finding> findings_elsewhere(const Summary& summary) {
  return findings_with(nullptr, summary);
}

const ConfigRow* row_of(const schema::RunConfig& config, const Summary& summary) {
  for (const Group& group : summary.groups) {
    for (const ConfigRow& row : group.rows) {
      if (row.config == config) return &row;
    }
  }
  return nullptr;
}

}  // namespace batchscope::findings

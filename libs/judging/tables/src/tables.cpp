#include "batchscope/tables/tables.hpp"

#include <algorithm>
#include <iterator>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/tables/scaling_table.hpp"
#include "batchscope/timing/evidence.hpp"
#include "claims/claim_findings.hpp"
#include "claims/other_axes.hpp"
#include "sizes/memory_law.hpp"
#include "sizes/smooth_facts.hpp"

namespace batchscope::tables {
namespace {

// What a finding about one size says of it; of several it is open which is meant.
findings::Deviation departs_of(const findings::Finding& finding) {
  if (finding.batch_sizes.size() != 1) return findings::Deviation::unknown;
  for (const findings::Evidence& evidence : finding.evidence) {
    if (evidence.unit != findings::kRatioUnit) continue;
    return evidence.estimate.value < 0 ? findings::Deviation::faster : findings::Deviation::slower;
  }
  return findings::Deviation::unknown;
}

// One that is proven goes before what is suspected.
void judge(const std::vector<findings::Finding>& findings, const RunView& view,
           findings::ConfigRow& row) {
  const bool tested = view.repeated && row.n >= timing::kPairsToProve;
  row.verdict = tested ? findings::Verdict::ok : findings::Verdict::untestable;
  for (const findings::Finding& finding : findings) {
    const bool meant = std::find(finding.batch_sizes.begin(), finding.batch_sizes.end(),
                                 row.config.shape.batch_size) != finding.batch_sizes.end();
    if (!meant || finding.id == findings::kNoLaw) continue;
    const bool proven = finding.status == findings::Status::proven;
    if (!proven && row.verdict == findings::Verdict::suspect) continue;
    row.verdict = proven ? findings::Verdict::proven : findings::Verdict::suspect;
    row.departs = departs_of(finding);
    if (proven) return;
  }
}

// What tells a table from the others of all runs; empty when there is no other.
std::string table_name(const RunView& view, std::size_t g, const std::string& prefix) {
  std::vector<schema::RunConfig> keys;
  for (const GroupData& group : view.groups) keys.push_back(group.key);
  const std::string name = axis_words(keys[g], keys);
  return name.empty() && !prefix.empty() ? prefix.substr(0, prefix.size() - 2) : prefix + name;
}

}  // namespace

RunTables tables_of(const RunView& view, const TestOptions& options, const std::string& prefix,
                    std::optional<int64_t> memory_limit_bytes) {
  const std::vector<GroupClaims> claims = test_claims(view, options);
  RunTables tables;
  std::vector<std::size_t> group_of;
  for (std::size_t g = 0; g < view.groups.size(); ++g) {
    findings::Group group = scaling_table(view.groups[g], options);
    group.label = prefix + group.label;
    fill_smooth_facts(view, view.groups[g], claims[g], options, group);
    group.memory_laws = memory_laws_of(group, view.run->header, memory_limit_bytes);
    std::vector<findings::Finding> found = findings_of(claims[g], view, group, options);
    group.table = table_name(view, g, prefix);
    for (findings::Finding& finding : found) finding.table = group.table;
    for (findings::ConfigRow& row : group.rows) judge(found, view, row);
    group_of.insert(group_of.end(), found.size(), g);
    std::move(found.begin(), found.end(), std::back_inserter(tables.findings));
    tables.groups.push_back(std::move(group));
  }
  tell_of_other_axes(tables.findings, group_of, tables.groups, claims);
  return tables;
}

void name_tables(std::vector<findings::Finding>& findings,
                 const std::vector<findings::Group>& groups) {
  for (findings::Finding& finding : findings) {
    const schema::RunConfig* const where = config_of(finding.where);
    for (const findings::Group& group : groups) {
      const bool is_there = where != nullptr && without_batch_size(*where) == group.key;
      if (is_there) finding.table = group.table;
    }
  }
}

}  // namespace batchscope::tables

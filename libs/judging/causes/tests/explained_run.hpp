#pragma once

#include <iterator>
#include <utility>
#include <vector>

#include "batchscope/causes/cause_findings.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/tables/tables.hpp"

namespace batchscope::causes {

// What is found in the tables of a run, then the causes, which explain it.
inline std::vector<findings::Finding> explained_findings(const schema::RunFile& run) {
  const tables::RunView view = tables::view_run(run);
  std::vector<findings::Finding> findings = tables::tables_of(view, {}).findings;
  std::vector<findings::Finding> causes = cause_findings(view, {});
  std::move(causes.begin(), causes.end(), std::back_inserter(findings));
  attribute(findings, view);
  return findings;
}

}  // namespace batchscope::causes

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/tables/test_options.hpp"

namespace batchscope::tables {

// The scaling tables of a run, and what was found in them.
struct RunTables {
  std::vector<findings::Group> groups;  // one for each of RunView::groups, in order
  std::vector<findings::Finding>
      findings;  // in the order of the tables, each with its table's name
};

// One table for each set of configurations that differ in batch size only, with all that its own
// visits tell, and its anomalies: sizes that a split beats and sizes that depart from the law of
// the others, all tables tested as one family. Diagnostics are left open. `prefix` tells the runs
// of an analysis apart, "a.jsonl: ". `memory_limit_bytes`: what a batch has to fit into; absent:
// the plan's limit on the host, else the memory of the machine or the device.
RunTables tables_of(const RunView& view, const TestOptions& options, const std::string& prefix = "",
                    std::optional<int64_t> memory_limit_bytes = std::nullopt);

// Gives each finding that is about a configuration the name of the table that holds it.
void name_tables(std::vector<findings::Finding>& findings,
                 const std::vector<findings::Group>& groups);

// What is told of batch sizes against each other.
findings::Catalogue kinds();

}  // namespace batchscope::tables

#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/schema/run_config.hpp"

namespace batchscope::report {

// What configurations set beyond the columns that a table has for them, each in a column of its
// own: whatever any of them sets stands in the table, by the fields that all JSON is written by.
// Those of a loader and a pipeline are named after these: "pipeline_tokenizer".
class ConfigColumns {
 public:
  // `told`: the names of those that other columns tell.
  ConfigColumns(std::span<const schema::RunConfig> configs,
                const std::set<std::string_view>& reported);

  const std::vector<std::string>& names() const { return names_; }
  // In the order of the names; empty where the configuration does not say.
  std::vector<std::string> cells(const schema::RunConfig& config) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace batchscope::report

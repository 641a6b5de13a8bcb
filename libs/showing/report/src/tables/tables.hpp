#pragma once

#include <functional>
#include <optional>
#include <string>

#include "batchscope/document/document.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// Tables with one row a configuration, the batch size first.
document::TextTable scaling_table(const findings::Group& group);
// What a reader in a hurry needs of it, with the tail of single iterations.
document::TextTable short_table(const findings::Group& group);
// Quantiles and spread of single iterations; no rows when nothing was sampled.
document::TextTable iterations_table(const findings::Group& group);
// Columns that no configuration has a value for are left out.
document::TextTable memory_table(const findings::Group& group);
// Mean milliseconds of each phase with its share of the iteration.
document::TextTable phases_table(const findings::Group& group);

// A value in words; nothing where there is none.
template <class T, class Words>
std::string if_any(const std::optional<T>& value, const Words& words) {
  return value ? std::string(words(*value)) : "";
}
// A quantile; dim, and marked, where the samples cannot vouch for it.
document::Cell quantile_cell(const findings::ConfigRow& row, findings::Quantile quantile);
// Whether any quantile of single iterations is marked so.
bool marks_quantiles(const findings::Group& group);
// A mean count: whole from 10 on.
std::string mean_count(double value);

// Builds such a table column by column.
class RowTable {
 public:
  explicit RowTable(const findings::Group& group);

  using EstimateOf = std::function<const findings::Estimate*(const findings::ConfigRow&)>;
  using TextOf = std::function<std::string(const findings::ConfigRow&)>;
  using CellOf = std::function<document::Cell(const findings::ConfigRow&)>;

  void add_estimates(document::Column column, findings::Quantity quantity, const EstimateOf& get);
  void add_texts(document::Column column, const TextOf& get);
  void add_cells(document::Column column, const CellOf& get);
  // As add_texts, but left out when every cell is kAbsent.
  void add_texts_if_any(document::Column column, const TextOf& get);
  document::TextTable take();

 private:
  const findings::Group& group_;
  document::TextTable table_;
};

}  // namespace batchscope::report

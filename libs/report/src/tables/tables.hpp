#pragma once

#include <functional>
#include <optional>
#include <string>

#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/summary.hpp"
#include "document/document.hpp"

namespace batchscope::report {

// Tables with one row a configuration, the batch size first.
Table scaling_table(const findings::Group& group);
// What a reader in a hurry needs of it, with the tail of single iterations.
Table short_table(const findings::Group& group);
// Quantiles and spread of single iterations; no rows when nothing was sampled.
Table iterations_table(const findings::Group& group);
// Columns that no configuration has a value for are left out.
Table memory_table(const findings::Group& group);
// Mean milliseconds of each phase with its share of the iteration.
Table phases_table(const findings::Group& group);

// A value in words; nothing where there is none.
template <class T, class Words>
std::string if_any(const std::optional<T>& value, const Words& words) {
  return value ? std::string(words(*value)) : "";
}
// A quantile; dim, and marked, where the samples cannot vouch for it.
Cell quantile_cell(const findings::ConfigRow& row, findings::Quantile quantile);
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
  using CellOf = std::function<Cell(const findings::ConfigRow&)>;

  void add_estimates(Column column, findings::Quantity quantity, const EstimateOf& get);
  void add_texts(Column column, const TextOf& get);
  void add_cells(Column column, const CellOf& get);
  // As add_texts, but left out when every cell is kAbsent.
  void add_texts_if_any(Column column, const TextOf& get);
  Table take();

 private:
  const findings::Group& group_;
  Table table_;
};

}  // namespace batchscope::report

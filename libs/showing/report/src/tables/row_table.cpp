#include <algorithm>
#include <utility>

#include "batchscope/findings/numbers.hpp"
#include "tables.hpp"

namespace batchscope::report {
namespace {

using document::Cell;
using document::Column;
using document::Tone;
using findings::kAbsent;
using findings::Quantity;
using findings::show_column;
using findings::Shown;

bool says_something(const std::string& text) {
  return !text.empty() && text != kAbsent;
}

}  // namespace

RowTable::RowTable(const findings::Group& group) : group_(group) {
  table_.rows.resize(group.rows.size());
  add_texts({"batch", "size"}, [](const findings::ConfigRow& row) {
    return std::to_string(row.config.shape.batch_size);
  });
}

void RowTable::add_cells(Column column, const CellOf& get) {
  table_.columns.push_back(std::move(column));
  for (std::size_t i = 0; i < group_.rows.size(); ++i) {
    table_.rows[i].push_back(get(group_.rows[i]));
  }
}

void RowTable::add_texts(Column column, const TextOf& get) {
  add_cells(std::move(column), [&](const findings::ConfigRow& row) {
    std::string text = get(row);
    return Cell{text.empty() ? kAbsent : std::move(text), "", Tone::plain};
  });
}

void RowTable::add_texts_if_any(Column column, const TextOf& get) {
  const bool any = std::any_of(group_.rows.begin(), group_.rows.end(),
                               [&](const auto& row) { return says_something(get(row)); });
  if (any) add_texts(std::move(column), get);
}

void RowTable::add_estimates(Column column, Quantity quantity, const EstimateOf& get) {
  std::vector<const findings::Estimate*> estimates;
  for (const findings::ConfigRow& row : group_.rows) estimates.push_back(get(row));
  const std::vector<Shown> shown = show_column(estimates, quantity);
  std::size_t next = 0;
  add_cells(std::move(column), [&](const findings::ConfigRow&) {
    const Shown& cell = shown[next++];
    return Cell{cell.value, cell.interval, Tone::plain};
  });
}

document::TextTable RowTable::take() {
  return std::move(table_);
}

}  // namespace batchscope::report

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/csv/import_csv.hpp"
#include "batchscope/schema/run_config.hpp"
#include "csv_columns.hpp"
#include "csv_dialect.hpp"
#include "csv_rows.hpp"

namespace batchscope::csv {

// Finite, and the whole text.
std::optional<double> number(std::string_view text);
std::optional<int64_t> positive_integer(std::string_view text);

// One row, by column.
class RowView {
 public:
  explicit RowView(const CsvRow& row) : row_(row) {}

  std::string_view text(const std::optional<size_t>& column) const {
    return column && *column < row_.fields.size() ? std::string_view(row_.fields[*column]) : "";
  }
  std::optional<double> nanoseconds(const std::optional<CsvColumns::Timed>& column) const {
    if (!column || !column->ns_per_unit) return std::nullopt;
    const auto value = number(text(column->index));
    return value ? std::optional(*value * *column->ns_per_unit) : std::nullopt;
  }
  // Of a number in the column's unit, or of one with a unit of its own ("612 MiB").
  std::optional<int64_t> bytes(const std::optional<CsvColumns::Memory>& column) const;
  std::optional<int64_t> integer(const std::optional<size_t>& column) const {
    return positive_integer(text(column));
  }
  std::string text_or(const std::optional<size_t>& column, const std::string& fallback) const {
    const std::string_view value = text(column);
    return value.empty() ? fallback : std::string(value);
  }

 private:
  const CsvRow& row_;
};

bool is_ignored(const ImportOptions& options, const std::string& name);

// What a row is of. Errors: input, for a cell that is wrong; one that is absent or empty leaves
// what the options say.
base::Result<schema::RunConfig> config_of(const RowView& row, const CsvColumns& columns,
                                          const ImportOptions& options);

// Of the columns that nobody knows, those that tell apart what would else be repeats of one
// configuration. Errors: input, where one may do so as well as have been measured.
base::Result<std::vector<size_t>> telling_columns(const CsvTable& table,
                                                  const ImportOptions& options);

}  // namespace batchscope::csv

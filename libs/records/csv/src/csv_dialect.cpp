#include "csv_dialect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace batchscope::csv {
namespace {

using base::Error;
using base::ErrorKind;

CsvTable table_of(std::string_view text, char separator) {
  std::vector<CsvRow> rows = csv_rows(text, separator);
  CsvTable table;
  std::size_t first = 0;
  while (first < rows.size() && !table.columns) table.columns = find_columns(rows[first++].fields);
  if (!table.columns) return table;
  table.header = {rows[first - 1]};
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(first));
  table.rows = std::move(rows);
  return table;
}

bool has_time(const CsvTable& table) {
  return table.columns && (table.columns->time || table.columns->throughput_per_s);
}

// Digits with one comma among them, perhaps signed: what is behind the comma.
std::optional<std::string_view> behind_comma(std::string_view cell) {
  if (cell.substr(0, 1) == "-") cell.remove_prefix(1);
  const std::size_t comma = cell.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 == cell.size()) return {};
  constexpr std::string_view kDigits = "0123456789";
  const bool digits = cell.substr(0, comma).find_first_not_of(kDigits) == std::string_view::npos &&
                      cell.substr(comma + 1).find_first_not_of(kDigits) == std::string_view::npos;
  return digits ? std::optional(cell.substr(comma + 1)) : std::nullopt;
}

bool is_decimal_with_point(std::string_view cell) {
  return cell.find('.') != std::string_view::npos && !cell.empty() &&
         cell.find_first_not_of("0123456789.,-") == std::string_view::npos;
}

// The cells that hold numbers by the name of their column.
std::vector<std::size_t> number_columns(const CsvColumns& columns) {
  std::vector<std::size_t> found;
  for (const auto& column :
       {columns.batch_size, columns.seq_len, columns.threads, columns.instances, columns.repeats,
        columns.throughput_per_s, columns.rate_spread}) {
    if (column) found.push_back(*column);
  }
  if (columns.memory) found.push_back(columns.memory->index);
  for (const auto& column : {columns.time, columns.spread}) {
    if (column) found.push_back(column->index);
  }
  return found;
}

base::Result<void> read_decimal_commas(CsvTable& table, std::string_view name) {
  std::vector<std::string*> commas;
  bool surely = false;
  bool mixed = false;  // one cell has both
  const CsvRow* with_point = nullptr;
  for (CsvRow& row : table.rows) {
    for (const std::size_t column : number_columns(*table.columns)) {
      if (column >= row.fields.size()) continue;
      std::string& cell = row.fields[column];
      if (is_decimal_with_point(cell)) with_point = &row;
      mixed = mixed || (is_decimal_with_point(cell) && cell.find(',') != std::string::npos);
      const auto behind = behind_comma(cell);
      if (!behind) continue;
      commas.push_back(&cell);
      surely = surely || behind->size() != 3;
    }
  }
  if (commas.empty() && !mixed) return {};
  const auto refuse = [&](std::string what, int line) {
    return Error{ErrorKind::input, std::move(what), fmt::format("{}:{}", name, line),
                 "write numbers with a decimal point and without thousands separators: 1250.5"};
  };
  if (with_point != nullptr) {
    return refuse("some numbers have a comma and some a point: the decimal separator is unclear",
                  with_point->line);
  }
  if (!surely) {
    return refuse(
        fmt::format("the comma in '{}' may separate decimals or thousands", *commas.front()),
        table.rows.front().line);
  }
  for (std::string* cell : commas) std::replace(cell->begin(), cell->end(), ',', '.');
  return {};
}

}  // namespace

base::Result<CsvTable> read_table(std::string_view text, std::string_view name) {
  CsvTable best = table_of(text, ',');
  char separator = ',';
  for (const char other : {'\t', ';'}) {
    CsvTable table = table_of(text, other);
    const bool better =
        has_time(best) ? false : has_time(table) || (table.columns && !best.columns);
    if (!better) continue;
    best = std::move(table);
    separator = other;
  }
  if (separator == ',' || !best.columns) return best;
  if (auto read = read_decimal_commas(best, name); !read) return read.error();
  return best;
}

}  // namespace batchscope::csv

#pragma once

#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "csv_columns.hpp"
#include "csv_rows.hpp"

namespace batchscope::csv {

// A table and where its columns are.
struct CsvTable {
  std::optional<CsvColumns> columns;  // absent: no header line
  std::vector<CsvRow> header;         // the one row, where there is one
  std::vector<CsvRow> rows;           // below the header
};

// By the header line it is told whether commas, tabs or semicolons separate. Beside tabs and
// semicolons a comma within a number is a decimal comma ("140,09") and becomes a point. Errors:
// input, where it may as well separate thousands ("1,250", never another number of digits behind
// it), or where numbers have points too.
base::Result<CsvTable> read_table(std::string_view text, std::string_view name);

}  // namespace batchscope::csv

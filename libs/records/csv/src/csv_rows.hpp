#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace batchscope::csv {

struct CsvRow {
  int line = 0;  // of its first character, from 1
  std::vector<std::string> fields;
};

// Splits CSV text (RFC 4180, also with bare quotes, another separator, LF or CRLF and a byte-order
// mark) into rows; never fails.
std::vector<CsvRow> csv_rows(std::string_view text, char separator = ',');

}  // namespace batchscope::csv

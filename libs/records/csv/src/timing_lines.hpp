#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "csv_rows.hpp"

namespace batchscope::csv {

// "1: 50.30", "batch 4: 175.25 ms", "bs=8: 0.504s": a batch size and the time of a batch a line, as
// scripts print them.
struct TimingLines {
  std::vector<CsvRow> rows;     // below a header of its own, which rows_of_lines() puts first
  bool unit_is_stated = false;  // by some line
  std::optional<int> first_without_unit;  // the line's number; it and all alike got `unit`
};

// `unit` (ns, us, ms, s) is of lines that state none. Lines of another form become rows that cannot
// be used; nullopt where none has the form.
std::optional<TimingLines> timing_lines(std::string_view text, std::string_view unit);

// How many nanoseconds a unit is; nullopt for none of ns, us, ms, s, sec.
std::optional<double> ns_of_unit(std::string_view unit);

}  // namespace batchscope::csv

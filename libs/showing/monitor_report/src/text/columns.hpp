#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "text/line.hpp"

namespace batchscope::monitor_report {

// A column of a table that has to fit whatever the screen is wide.
struct Column {
  std::string title;
  std::size_t width = 0;  // that it needs
  std::size_t most = 0;   // that it can use: what is left goes to the first columns of this kind
  int rank = 0;           // the highest are left out first
  bool left = false;      // aligned
  bool wanted = true;     // false: nothing is known for it
};

// Widths of those that fit, with two blanks in between; 0: left out.
std::vector<std::size_t> widths_of(std::span<const Column> columns, std::size_t width);

struct Cell {
  std::string text;
  Tone tone = Tone::plain;
};

// A row of cells below their columns; those of columns left out are passed over.
void add_cells(ScreenLine& line, std::span<const Column> columns,
               std::span<const std::size_t> widths, std::span<const Cell> cells);

}  // namespace batchscope::monitor_report

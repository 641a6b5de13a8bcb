#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/base/units.hpp"
#include "batchscope/ranges/tree.hpp"

namespace batchscope::ranges {
namespace {

std::string duration(int64_t ns) {
  return base::format_duration(base::Nanoseconds(ns));
}

struct Column {
  std::string head;
  std::string (*cell)(const TreeRow&);  // empty: nothing to say
};

const std::array<Column, 9>& columns() {
  static const std::array<Column, 9> all{{
      {"calls", [](const TreeRow& row) { return std::to_string(row.calls); }},
      {"total", [](const TreeRow& row) { return duration(row.total_ns); }},
      {"self", [](const TreeRow& row) { return duration(row.self_ns); }},
      {"mean", [](const TreeRow& row) { return duration(static_cast<int64_t>(row.mean_ns)); }},
      {"max", [](const TreeRow& row) { return duration(row.max_ns); }},
      {"device",
       [](const TreeRow& row) { return row.device_ns ? duration(*row.device_ns) : std::string(); }},
      {"peak of process",
       [](const TreeRow& row) {
         return row.peak_bytes ? base::format_bytes(*row.peak_bytes) : std::string();
       }},
      {"threads",
       [](const TreeRow& row) {
         return row.threads > 1 ? std::to_string(row.threads) : std::string();
       }},
      {"still open",
       [](const TreeRow& row) { return row.open > 0 ? std::to_string(row.open) : std::string(); }},
  }};
  return all;
}

// The name, moved in by its depth.
std::string label(const TreeRow& row) {
  return std::string(2 * (row.path.size() - 1), ' ') + row.path.back();
}

}  // namespace

std::string tree_text(std::span<const TreeRow> rows) {
  std::size_t name_width = 5;
  for (const TreeRow& row : rows) name_width = std::max(name_width, label(row).size());
  std::vector<std::string> lines{fmt::format("{:<{}}", "range", name_width)};
  for (const TreeRow& row : rows) lines.push_back(fmt::format("{:<{}}", label(row), name_width));
  for (const Column& column : columns()) {
    std::vector<std::string> cells{column.head};
    for (const TreeRow& row : rows) cells.push_back(column.cell(row));
    if (std::all_of(cells.begin() + 1, cells.end(),
                    [](const auto& cell) { return cell.empty(); })) {
      continue;
    }
    std::size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, cell.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i] += fmt::format("  {:>{}}", cells[i], width);
    }
  }
  std::string text;
  for (const std::string& line : lines)
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  return text;
}

}  // namespace batchscope::ranges

#include "text_table.hpp"

#include <algorithm>

#include "batchscope/base/characters.hpp"

namespace batchscope::document {
namespace {

using base::clean;
using base::display_width;
using base::shorten;

constexpr std::size_t kGap = 2;
constexpr std::size_t kWidestCell = 48;

struct Layout {
  std::size_t value = 0;     // of the values
  std::size_t interval = 0;  // of the intervals, their leading space included
  std::size_t total = 0;     // with the header
};

std::string tidy(const std::string& text) {
  return shorten(clean(text), kWidestCell);
}

std::size_t width_of(const std::string& text) {
  return display_width(tidy(text));
}

std::vector<Layout> measure(const TextTable& table) {
  std::vector<Layout> layouts;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    Layout layout;
    for (const std::vector<Cell>& row : table.rows) {
      layout.value = std::max(layout.value, width_of(row[c].value));
      if (!row[c].interval.empty()) {
        layout.interval = std::max(layout.interval, 1 + width_of(row[c].interval));
      }
    }
    const Column& column = table.columns[c];
    layout.total =
        std::max({layout.value + layout.interval, width_of(column.title), width_of(column.second)});
    layouts.push_back(layout);
  }
  return layouts;
}

std::string pad(std::size_t width) {
  return std::string(width, ' ');
}

std::string aligned(const std::string& text, std::size_t width, bool left) {
  const std::string clean_text = tidy(text);
  const std::string space = pad(width - std::min(width, display_width(clean_text)));
  return left ? clean_text + space : space + clean_text;
}

StyledText cell_span(const Cell& cell, const Column& column, const Layout& layout) {
  std::string body = aligned(cell.value, layout.value, column.left);
  const std::string interval = cell.interval.empty() ? "" : " " + tidy(cell.interval);
  body += interval + pad(layout.interval - display_width(interval));
  const std::string rest = pad(layout.total - layout.value - layout.interval);
  return {column.left ? body + rest : rest + body, cell.tone};
}

// Runs of columns that fit side by side after the key column. A group of columns (up to the next
// break_before) stays together when it fits in a line of its own.
std::vector<std::vector<std::size_t>> split(const TextTable& table,
                                            const std::vector<Layout>& layouts, std::size_t width) {
  const auto cost = [&](std::size_t c) { return kGap + layouts[c].total; };
  const auto group_cost = [&](std::size_t first) {
    std::size_t sum = cost(first);
    for (std::size_t c = first + 1; c < layouts.size() && !table.columns[c].break_before; ++c) {
      sum += cost(c);
    }
    return sum;
  };
  const std::size_t key = layouts.front().total;
  std::vector<std::vector<std::size_t>> parts(1);
  std::size_t used = key;
  for (std::size_t c = 1; c < layouts.size(); ++c) {
    const std::size_t needed = table.columns[c].break_before ? group_cost(c) : cost(c);
    if (used + needed > width && !parts.back().empty()) {
      parts.emplace_back();
      used = key;
    }
    parts.back().push_back(c);
    used += cost(c);
  }
  return parts;
}

void trim_end(Line& line) {
  while (!line.empty()) {
    std::string& text = line.back().text;
    text.erase(text.find_last_not_of(' ') + 1);
    if (!text.empty()) return;
    line.pop_back();
  }
}

Line header_line(const TextTable& table, const std::vector<Layout>& layouts,
                 const std::vector<std::size_t>& columns, std::string Column::*text) {
  Line line;
  for (const std::size_t c : columns) {
    const Column& column = table.columns[c];
    line.push_back(
        {pad(line.empty() ? 0 : kGap) + aligned(column.*text, layouts[c].total, column.left),
         Tone::dim});
  }
  trim_end(line);
  return line;
}

Line row_line(const TextTable& table, const std::vector<Cell>& row,
              const std::vector<Layout>& layouts, const std::vector<std::size_t>& columns) {
  Line line;
  for (const std::size_t c : columns) {
    if (!line.empty()) line.push_back({pad(kGap), Tone::plain});
    line.push_back(cell_span(row[c], table.columns[c], layouts[c]));
  }
  trim_end(line);
  return line;
}

}  // namespace

std::vector<Line> lay_out(const TextTable& table, std::size_t width) {
  if (table.columns.empty()) return {};
  const std::vector<Layout> layouts = measure(table);
  std::vector<Line> lines;
  for (std::vector<std::size_t> part : split(table, layouts, width)) {
    part.insert(part.begin(), 0);
    if (!lines.empty()) lines.emplace_back();
    lines.push_back(header_line(table, layouts, part, &Column::title));
    lines.push_back(header_line(table, layouts, part, &Column::second));
    for (const std::vector<Cell>& row : table.rows) {
      lines.push_back(row_line(table, row, layouts, part));
    }
  }
  return lines;
}

}  // namespace batchscope::document

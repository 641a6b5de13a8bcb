#include "text/columns.hpp"

#include <algorithm>
#include <numeric>

#include "batchscope/base/characters.hpp"

namespace batchscope::monitor_report {
namespace {

constexpr std::size_t kGap = 2;

}  // namespace

std::vector<std::size_t> widths_of(std::span<const Column> columns, std::size_t width) {
  std::vector<std::size_t> by_rank(columns.size()), widths(columns.size());
  std::iota(by_rank.begin(), by_rank.end(), std::size_t{0});
  std::stable_sort(by_rank.begin(), by_rank.end(),
                   [&](std::size_t a, std::size_t b) { return columns[a].rank < columns[b].rank; });
  std::size_t used = 0;
  for (const std::size_t i : by_rank) {
    const std::size_t more = columns[i].width + (used == 0 ? 0 : kGap);
    if (!columns[i].wanted || used + more > width) continue;
    widths[i] = columns[i].width;
    used += more;
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (widths[i] == 0 || columns[i].most <= widths[i]) continue;
    const std::size_t more = std::min(columns[i].most - widths[i], width - std::min(used, width));
    widths[i] += more;
    used += more;
  }
  return widths;
}

void add_cells(ScreenLine& line, std::span<const Column> columns,
               std::span<const std::size_t> widths, std::span<const Cell> cells) {
  std::size_t column = line.used();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (widths[i] == 0) continue;
    const std::string text = shown(cells[i].text, line.look());
    const std::size_t taken = std::min(base::display_width(text), widths[i]);
    if (taken > 0) line.pad_to(columns[i].left ? column : column + widths[i] - taken);
    line.add_name(text, widths[i], cells[i].tone);
    column += widths[i] + kGap;
  }
}

}  // namespace batchscope::monitor_report

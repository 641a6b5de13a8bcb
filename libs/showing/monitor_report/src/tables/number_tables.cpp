#include <algorithm>

#include "batchscope/findings/numbers.hpp"
#include "tables/tables.hpp"

namespace batchscope::monitor_report {
namespace {

using document::cell_of;
using document::TextTable;

constexpr int64_t kSegments = 12;

std::string number_of(double value, const Chart& chart) {
  const std::string text = value_words(value, chart);
  return chart.unit.empty() ? text : text.substr(0, text.size() - chart.unit.size() - 1);
}

document::Cell spread_cell(const MinMeanMax& spread, const Chart& chart) {
  if (spread.count == 0) return cell_of(findings::kAbsent);
  document::Cell cell = cell_of(number_of(spread.mean(), chart));
  if (spread.low < spread.high) {
    cell.interval = number_of(spread.low, chart) + " to " + number_of(spread.high, chart);
  }
  return cell;
}

// Of each of the stretches.
std::vector<MinMeanMax> over_parts(const Series& line, const RecordedSeries& recorded) {
  std::vector<MinMeanMax> episodes(kSegments);
  const TimeAxis& clock = recorded.clocks[line.clock];
  const int64_t length = std::max<int64_t>(1, recorded.wall_ns() / kSegments);
  for (size_t i = 0; i < clock.rows.size(); ++i) {
    const int64_t at = (clock.rows[i].time_ns - recorded.start_ns) / length;
    episodes[static_cast<size_t>(std::min(at, kSegments - 1))].take(line.spreads[i]);
  }
  return episodes;
}

}  // namespace

TextTable line_table(const std::vector<Chart>& charts) {
  TextTable table;
  table.columns = {{"what", "", true, false},
                   {"unit", "", true, false},
                   {"mean", "", false, false},
                   {"least", "", false, false},
                   {"most", "", false, false}};
  for (const Chart& chart : charts) {
    for (const Series& line : chart.lines) {
      const MinMeanMax all = line.all();
      table.rows.push_back({cell_of(chart.title + ", " + line.name), cell_of(chart.unit),
                            cell_of(number_of(all.mean(), chart)),
                            cell_of(number_of(all.low, chart)),
                            cell_of(number_of(all.high, chart))});
    }
  }
  return table;
}

TextTable chart_table(const Chart& chart, const RecordedSeries& recorded) {
  TextTable table;
  table.columns = {{"from", "", true, false}};
  table.rows = {{cell_of("all")}};
  for (int64_t i = 0; i < kSegments; ++i) {
    const int64_t from = recorded.start_ns + i * (recorded.wall_ns() / kSegments);
    table.rows.push_back({cell_of(utc(from))});
  }
  for (const Series& line : chart.lines) {
    table.columns.push_back({line.name, chart.unit, false, false});
    table.rows.front().push_back(spread_cell(line.all(), chart));
    const std::vector<MinMeanMax> episodes = over_parts(line, recorded);
    for (size_t i = 0; i < episodes.size(); ++i) {
      table.rows[i + 1].push_back(spread_cell(episodes[i], chart));
    }
  }
  return table;
}

}  // namespace batchscope::monitor_report

#include "job_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/traceview/document.hpp"

namespace batchscope::traceview {
namespace {

using advice::Change;
using advice::JobSummary;
using advice::RankTimes;
using advice::TraceComparison;
using document::Cell;
using document::cell_of;
using document::List;
using document::TextTable;
using document::Tone;

std::vector<Cell> change_row(const std::string& name, const Change& change, double wall) {
  const auto ms = [](double ns) { return cell_of(findings::three_digits(ns / 1e6)); };
  const double share = wall > 0 ? change.difference_ns() / wall : 0;
  Cell difference = ms(change.difference_ns());
  if (change.difference_ns() > 0) difference.value.insert(0, "+");
  if (share >= 0.01) difference.tone = Tone::bad;
  if (share <= -0.01) difference.tone = Tone::good;
  return {cell_of(name), ms(change.before_ns), ms(change.after_ns), difference,
          cell_of(findings::percent(share))};
}

TextTable change_table(const TraceComparison& comparison, const std::vector<Change>& changes,
                       size_t most) {
  const char* const unit = comparison.by_step ? "ms per step" : "ms";
  TextTable table;
  table.columns = {{"", "", true},
                   {"before", unit},
                   {"after", unit},
                   {"difference", unit},
                   {"share of", "before"}};
  for (const Change& change : changes) {
    if (table.rows.size() == most) break;
    if (change.before_ns == 0 && change.after_ns == 0) continue;
    table.rows.push_back(
        change_row(name_for_a_reader(change.name), change, comparison.wall.before_ns));
  }
  return table;
}

std::vector<Change> changed(std::vector<Change> changes) {
  std::erase_if(changes, [](const Change& each) { return each.difference_ns() == 0; });
  return changes;
}

}  // namespace

TextTable rank_table(const JobSummary& job) {
  TextTable table;
  table.columns = {{"rank", "", true},    {"time", "ms"},        {"busy", ""},
                   {"compute", "ms"},     {"collectives", "ms"}, {"share of it", "waiting, ms"},
                   {"the last", "times"}, {"clock off", "ms"}};
  const bool has_clocks = std::any_of(job.times.begin(), job.times.end(), [&](const auto& each) {
    return each.clock_of != job.times.front().clock_of;
  });
  if (has_clocks) table.columns.push_back({"against", "rank"});
  for (size_t i = 0; i < job.times.size(); ++i) {
    const RankTimes& times = job.times[i];
    attribution::TimeParts parts;
    for (const auto& device : job.ranks[i].attribution.devices) parts += device.parts;
    table.rows.push_back(
        {cell_of(fmt::format("{}", times.rank)), milliseconds_cell(times.wall_ns),
         cell_of(findings::percent(parts.busy_share())), milliseconds_cell(times.compute_ns),
         milliseconds_cell(times.communication_ns), milliseconds_cell(times.waited_ns),
         cell_of(fmt::format("{}", times.last_to_arrive)), milliseconds_cell(times.offset_ns)});
    if (has_clocks) table.rows.back().push_back(cell_of(fmt::format("{}", times.clock_of)));
  }
  return table;
}

TextTable changed_parts_table(const TraceComparison& comparison) {
  TextTable parts = change_table(comparison, comparison.parts, comparison.parts.size());
  parts.rows.push_back(change_row("all", comparison.wall, comparison.wall.before_ns));
  return parts;
}

TextTable changed_kernels_table(const TraceComparison& comparison, size_t most) {
  return change_table(comparison, changed(comparison.kernels), most);
}

TextTable changed_operators_table(const TraceComparison& comparison, size_t most) {
  return change_table(comparison, changed(comparison.operators), most);
}

namespace {

std::string reported(const TraceComparison::Prediction& prediction) {
  const std::string promised =
      fmt::format("{}: predicted gain {} to {}", prediction.id, findings::percent(prediction.low),
                  findings::percent(prediction.high));
  if (prediction.gained <= 0) {
    return promised + ": the cause is gone, but other parts became slower by as much or more";
  }
  return fmt::format("{}, measured gain {}{}", promised, findings::percent(prediction.gained),
                     prediction.holds ? "" : ", outside the prediction");
}

}  // namespace

List prediction_list(const TraceComparison& comparison) {
  List predictions;
  for (const auto& each : comparison.predictions) {
    predictions.items.push_back({{{reported(each), Tone::plain}}, {}});
  }
  return predictions;
}

}  // namespace batchscope::traceview

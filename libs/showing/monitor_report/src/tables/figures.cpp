#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/units.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "series/totals.hpp"
#include "tables/tables.hpp"

namespace batchscope::monitor_report {
namespace {

using document::Tile;

const Chart* chart_of(const std::vector<Chart>& charts, std::string_view id) {
  const auto found =
      std::find_if(charts.begin(), charts.end(), [&](const Chart& one) { return one.id == id; });
  return found == charts.end() ? nullptr : &*found;
}

MinMeanMax all_lines(const Chart& chart) {
  MinMeanMax all;
  for (const Series& line : chart.lines) all.take(line.all());
  return all;
}

void add_training(const RecordedSeries& recorded, std::vector<Tile>& tiles) {
  size_t steps = 0;
  double per_second = 0;
  bool is_known = true;
  std::vector<LoopTotals> loops;
  for (const Loop& loop : recorded.loops) {
    const LoopTotals& totals = loops.emplace_back(totals_of(loop));
    steps += totals.steps;
    per_second += totals.samples_per_second.value_or(0);
    is_known = is_known && totals.samples_per_second.has_value();
  }
  if (loops.empty()) return;
  const bool one = loops.size() == 1;
  const std::string of = one ? "" : fmt::format(" of {} loops", loops.size());
  tiles.push_back({counted(steps, "step", "steps"), "", "reported by the training" + of});
  if (is_known) {
    tiles.push_back({findings::brief(per_second), "samples/s",
                     one ? "throughput within steps" : "throughput within steps, all loops"});
  }
  if (!one) return;
  const LoopTotals& totals = loops.front();
  if (totals.typical_seconds > 0) {
    tiles.push_back({base::format_seconds(totals.typical_seconds),
                     "p95 " + base::format_seconds(totals.slow_seconds), "typical step"});
  }
  if (totals.last_loss) {
    tiles.push_back({fmt::format("{:.4g}", *totals.last_loss),
                     fmt::format("from {:.4g}", *totals.first_loss), "last loss"});
  }
  if (totals.loading_share) {
    tiles.push_back(
        {findings::percent(*totals.loading_share), "of the step time", "wait for the loader"});
  }
}

void add_gpus(const RecordedSeries& recorded, const std::vector<Chart>& charts,
              std::vector<Tile>& tiles) {
  const std::string gpus = counted(recorded.gpus.size(), "GPU", "GPUs");
  if (const Chart* const busy = chart_of(charts, "gpu-busy")) {
    tiles.push_back({findings::percent(all_lines(*busy).mean() / 100),
                     "mean of " + counted(busy->lines.size(), "GPU", "GPUs"), "GPU busy"});
  }
  if (const Chart* const active = chart_of(charts, "sm-active")) {
    tiles.push_back({findings::percent(all_lines(*active).mean() / 100),
                     "mean of " + counted(active->lines.size(), "GPU", "GPUs"),
                     "multiprocessors active"});
  }
  std::optional<double> joules;
  for (const std::string& gpu : recorded.gpus) {
    if (const auto own = energy_joules(recorded, gpu)) joules = joules.value_or(0) + *own;
  }
  if (joules) tiles.push_back({energy_words(*joules), "", "energy of " + gpus});
}

}  // namespace

std::vector<Tile> figures_of(const RecordedSeries& recorded, const std::vector<Chart>& charts) {
  if (recorded.empty()) return {};
  std::vector<Tile> tiles{{lasting(recorded.wall_ns()), "", "watched"}};
  add_training(recorded, tiles);
  add_gpus(recorded, charts, tiles);
  if (const Chart* const cpu = chart_of(charts, "cpu"); cpu != nullptr && recorded.gpus.empty()) {
    tiles.push_back({findings::percent(cpu->lines.front().all().mean() / 100), "mean",
                     "CPUs " + cpu->lines.front().name});
  }
  return tiles;
}

}  // namespace batchscope::monitor_report

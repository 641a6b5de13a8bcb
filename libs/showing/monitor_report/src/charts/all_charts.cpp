#include "charts/all_charts.hpp"

#include <iterator>

#include "batchscope/base/algorithms.hpp"
#include "charts/chart_groups.hpp"

namespace batchscope::monitor_report {
namespace {

void append(std::vector<Chart> some, std::vector<Chart>& all) {
  std::move(some.begin(), some.end(), std::back_inserter(all));
}

}  // namespace

std::vector<std::string> drawn_gpus(const RecordedSeries& recorded,
                                    std::span<const watch::ActiveFinding> active_findings) {
  if (recorded.gpus.size() <= kMostLines) return recorded.gpus;
  std::vector<std::string> chosen;
  for (const watch::ActiveFinding& active : active_findings) {
    const auto* const at = std::get_if<findings::GpuMoment>(&active.finding.where);
    if (at == nullptr) continue;
    const std::string name = std::to_string(at->gpu);
    if (base::contains(recorded.gpus, name)) base::add_if_new(chosen, name);
  }
  for (const std::string& name : recorded.gpus) base::add_if_new(chosen, name);
  chosen.resize(kMostLines);
  // As they are told of everywhere.
  return base::kept(recorded.gpus,
                    [&](const std::string& name) { return base::contains(chosen, name); });
}

std::vector<Chart> all_charts(const RecordedSeries& recorded,
                              std::span<const watch::ActiveFinding> active_findings) {
  std::vector<Chart> all = training_charts(recorded);
  append(gpu_charts(recorded, drawn_gpus(recorded, active_findings)), all);
  append(host_charts(recorded), all);
  for (Chart& chart : all) {
    std::erase_if(chart.lines, [](const Series& line) { return line.all().count == 0; });
  }
  std::erase_if(all, [](const Chart& chart) { return chart.lines.empty(); });
  return all;
}

}  // namespace batchscope::monitor_report

#include "batchscope/api/analyze.hpp"

#include <utility>

#include "batchscope/api/recorded.hpp"
#include "batchscope/capacity/max_batch_result.hpp"
#include "batchscope/compare/summary_gates.hpp"
#include "batchscope/report/max_batch.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::api {
namespace {

bool has_own_bounds(const analyze::Options& options) {
  return options.latency_budget_s || options.latency_of || options.memory_limit_bytes ||
         options.current_batch_size;
}

findings::Summary analyzed(std::span<const schema::RunFile> runs, analyze::Options options,
                           std::optional<double> practical) {
  options.practical = practical.value_or(options.practical);
  std::vector<findings::Tuning> tunings;
  options.recommendations.resize(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto plan = tune::read_goal(runs[i].header);
    if (!plan) continue;
    if (practical) plan->goal.practical = practical;
    tunings.push_back(tune::tuning_of(tune::tuned_of(runs[i], *plan)));
    tunings.back().run = i < options.names.size() ? options.names[i] : std::string();
    if (!has_own_bounds(options)) {
      options.recommendations[i] = tune::recommendation_of(tunings.back());
    }
  }
  findings::Summary summary = analyze::analyze(runs, options);
  summary.tunings = std::move(tunings);
  return summary;
}

}  // namespace

base::Result<findings::Summary> analyze(const Program& program,
                                        std::span<const schema::RunFile> runs,
                                        AnalyzeOptions options) {
  if (runs.size() == 1 && is_search(runs.front())) {
    const auto& names = options.analysis.names;
    const auto found = capacity::recorded_max_batch(runs.front(), program.commands,
                                                    names.empty() ? "" : names.front());
    if (!found) return found.error();
    return report::max_batch_summary(*found);
  }
  options.analysis.commands = program.commands;
  findings::Summary summary = analyzed(runs, std::move(options.analysis), options.practical);
  if (options.fail_on) summary.gates.push_back(compare::finding_gate(summary, *options.fail_on));
  if (options.strict) summary.gates.push_back(compare::width_gate(summary));
  return summary;
}

bool reached_target(const schema::RunFile& run) {
  return compare::reached_target(analyze::analyze(std::span(&run, 1)));
}

}  // namespace batchscope::api

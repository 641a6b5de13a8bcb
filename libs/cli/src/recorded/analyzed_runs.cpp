#include "analyzed_runs.hpp"

#include <utility>

#include "batchscope/base/units.hpp"
#include "batchscope/tune/tune.hpp"
#include "subject_flags.hpp"

namespace batchscope::cli {
namespace {

bool has_own_bounds(const analyze::Options& options) {
  return options.latency_budget_s || options.memory_limit_bytes || options.current_batch_size;
}

}  // namespace

findings::Summary analyzed(std::span<const schema::RunFile> runs, analyze::Options options,
                           std::optional<double> practical) {
  options.practical = practical.value_or(options.practical);
  options.spelling = flag_of;
  std::vector<findings::Tuning> tunings;
  options.recommendations.resize(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto plan = tune::read_goal(runs[i].header);
    if (!plan) continue;
    plan->practical = practical.value_or(plan->practical);
    tunings.push_back(tune::tuning_of(tune::tuned_of(runs[i], *plan), flag_of));
    tunings.back().run = i < options.names.size() ? options.names[i] : std::string();
    if (!has_own_bounds(options)) {
      options.recommendations[i] = tune::recommendation_of(tunings.back());
    }
  }
  findings::Summary summary = analyze::analyze(runs, options);
  summary.tunings = std::move(tunings);
  return summary;
}

base::Result<std::optional<double>> read_practical(const std::string& text) {
  if (text.empty()) return std::optional<double>();
  const auto ratio = base::parse_ratio(text);
  if (!ratio || *ratio < 0 || *ratio >= 1) {
    return base::Error{base::ErrorKind::usage, "must be a share from 0% to below 100%",
                       "--practical", "use --practical 1%"};
  }
  return std::optional(*ratio);
}

}  // namespace batchscope::cli

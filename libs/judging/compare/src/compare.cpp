#include "batchscope/compare/compare.hpp"

#include "comparisons/comparisons.hpp"
#include "gates/planned_pairs.hpp"
#include "gates/regression_gate.hpp"
#include "gates/run_sides.hpp"

namespace batchscope::compare {

using tables::RunView;

Compared compare(const std::vector<RunView>& views, const std::vector<std::string>& names,
                 const ComparisonOptions& options) {
  Compared compared;
  if (views.empty()) return compared;
  const RunSides sides = sides_of(views, options.baseline_runs, options.runs_in_pairs);
  const bool has_sides = !sides.baseline.empty() && !sides.candidate.empty();
  std::vector<Open> all = views.size() == 1 ? compare_within(views.front(), options)
                          : has_sides       ? compare_sides(sides, options)
                                            : compare_runs(views, names, options);
  if (options.regression_margin) {
    const auto planned = views.size() == 1 ? planned_within(views.front())
                         : has_sides       ? planned_between(sides)
                                           : std::vector<PlannedPair>{};
    compared.gate = regression_gate(planned, all, *options.regression_margin, options);
  }
  compared.comparisons = judge(std::move(all), options);
  for (auto& comparison : compared.comparisons) comparison.margin = options.regression_margin;
  if (views.size() > 1 && has_other_lengths(views)) {
    compared.warnings.push_back(
        "The runs have different batches from the same mix of lengths, or different texts, and "
        "were not compared. Use the same --seed and the same texts.");
  }
  return compared;
}

}  // namespace batchscope::compare

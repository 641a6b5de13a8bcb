#include "batchscope/api/trend.hpp"

#include <algorithm>

#include "batchscope/compare/trend.hpp"

namespace batchscope::api {

base::Result<findings::Trend> trend(std::vector<LabelledRun> runs, double level) {
  if (runs.empty()) {
    return base::Error{base::ErrorKind::usage, "there is no run", "",
                       "name run files, or a folder of them"};
  }
  std::stable_sort(runs.begin(), runs.end(), [](const LabelledRun& a, const LabelledRun& b) {
    return a.run.header.created < b.run.header.created;
  });
  std::vector<tables::RunView> views;
  std::vector<std::string> labels;
  for (const LabelledRun& each : runs) {
    views.push_back(tables::view_run(each.run));
    labels.push_back(each.label);
  }
  tables::TestOptions options;
  options.level = level;
  return compare::trend_of(views, labels, options);
}

}  // namespace batchscope::api

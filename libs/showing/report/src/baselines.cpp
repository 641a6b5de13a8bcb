#include "batchscope/report/baselines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/schema/json_line.hpp"

namespace batchscope::report {
namespace {

using schema::Baseline;
using schema::SavedRun;

constexpr std::size_t kCommitsReported = 3;

// What the runs have of it, once each.
template <class Get>
std::vector<std::string> values_of(const Baseline& baseline, const Get& get) {
  std::vector<std::string> values;
  for (const SavedRun& run : baseline.runs) {
    for (const std::string& value : get(run)) base::add_if_new(values, value);
  }
  std::erase(values, "");
  return values;
}

std::string commits_of(const Baseline& baseline) {
  auto commits = values_of(baseline, [](const SavedRun& run) { return std::vector{run.commit}; });
  if (commits.empty()) return "no commit";
  const std::size_t more = commits.size() - std::min(commits.size(), kCommitsReported);
  commits.resize(commits.size() - more);
  return base::join(commits, ", ") + (more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace

std::string baselines_text(const std::vector<Baseline>& baselines) {
  std::size_t width = 0;
  for (const Baseline& baseline : baselines) width = std::max(width, baseline.name.size());
  std::string text;
  for (const Baseline& baseline : baselines) {
    const auto machines =
        values_of(baseline, [](const SavedRun& run) { return std::vector{run.machine}; });
    const auto models = values_of(baseline, [](const SavedRun& run) { return run.models; });
    text += fmt::format("{:<{}}  {}  {}  {}  {}  {}\n", baseline.name, width,
                        base::counted(baseline.runs.size(), "run"), baseline.runs.back().created,
                        commits_of(baseline), base::join(machines, "; "), base::join(models, ", "));
  }
  return text.empty() ? "no saved baseline\n" : text;
}

std::string baselines_json(std::vector<Baseline> baselines) {
  return schema::json_document(schema::Baselines{std::move(baselines)});
}

}  // namespace batchscope::report

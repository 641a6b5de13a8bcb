#include "batchscope/tables/environments.hpp"

#include <algorithm>
#include <numeric>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/timing/use.hpp"

namespace batchscope::tables {
namespace {

using schema::Environment;
using schema::RunFile;

bool is_made_to_measure(const schema::Visit& visit) {
  return timing::serves(visit.purpose, timing::Use::measured);
}

// Indices of configurations that somebody asked for, ascending.
std::vector<std::size_t> asked_for(const RunFile& run) {
  const std::size_t all = run.configs.size();
  const auto begun = static_cast<std::size_t>(std::max<int64_t>(run.header.configurations, 0));
  std::vector<std::size_t> indices(std::min(begun, all));
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  if (!indices.empty()) return indices;
  for (const schema::Visit& visit : run.visits) {
    const auto index = static_cast<std::size_t>(std::max(visit.config, 0));
    if (is_made_to_measure(visit) && index < all) indices.push_back(index);
  }
  std::sort(indices.begin(), indices.end());
  return indices;
}

}  // namespace

std::vector<Environment> planned_environments(const RunFile& run) {
  std::vector<Environment> environments;
  for (const std::size_t index : asked_for(run)) {
    base::add_if_new(environments, run.configs[index].environment);
  }
  return environments;
}

Environment plainest_environment(const RunFile& run) {
  const auto environments = planned_environments(run);
  const auto plainer = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  const auto plainest = std::min_element(environments.begin(), environments.end(), plainer);
  return plainest == environments.end() ? Environment{} : *plainest;
}

}  // namespace batchscope::tables

#include <fmt/format.h>

#include <algorithm>

#include "warnings.hpp"
#include "wording.hpp"

namespace batchscope::analyze {
namespace {

// With so many, a slow iteration more or less moves the mean by little.
constexpr std::size_t kEnough = 20;
constexpr std::size_t kToAdvise = 50;

// The shortest series of a configuration's visits.
std::size_t iterations_of(const ConfigData& config) {
  std::size_t fewest = kEnough;
  for (const UsableVisit& usable : config.visits) {
    if (!timing::shows_iterations(*usable.visit)) continue;
    for (const auto samples : usable.series) fewest = std::min(fewest, samples.size());
  }
  return fewest;
}

// Slow iterations come again in visit after visit, so that they are no accidents.
bool recur(const ConfigData& config) {
  const auto with_slow =
      std::count_if(config.visits.begin(), config.visits.end(), [](const UsableVisit& usable) {
        return timing::shows_iterations(*usable.visit) && timing::slow_iterations(usable) > 0;
      });
  return with_slow > 1 && 3 * with_slow >= static_cast<std::ptrdiff_t>(config.visits.size());
}

}  // namespace

std::vector<std::string> few_iterations_warnings(const RunView& view) {
  std::vector<std::string> warnings;
  for (const GroupData& group : view.groups) {
    std::vector<int64_t> sizes;
    std::size_t fewest = kEnough;
    for (const ConfigData& config : group.configs) {
      const std::size_t iterations = iterations_of(config);
      if (iterations >= kEnough || !recur(config)) continue;
      sizes.push_back(config.batch_size());
      fewest = std::min(fewest, iterations);
    }
    if (sizes.empty()) continue;
    warnings.push_back(fmt::format(
        "{}: at {} some iterations take over 1.5 times the typical one, and visits have as few as "
        "{}: how many slow ones a visit catches depends on where it ends. For a mean that holds, "
        "measure with --iterations {}.",
        label(group.key), batches(sizes), fewest, kToAdvise));
  }
  return warnings;
}

}  // namespace batchscope::analyze

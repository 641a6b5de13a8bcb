#include "batchscope/tables/few_iterations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/visit.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/timing/evidence.hpp"

namespace batchscope::tables {
namespace {

using findings::batches;
using findings::label;

// The shortest series of a configuration's visits.
std::size_t iterations_of(const ConfigData& config) {
  std::size_t fewest = timing::kIterationsForMean;
  for (const UsableVisit& usable : config.visits) {
    if (!timing::shows_iterations(*usable.visit)) continue;
    for (const auto samples : usable.series) fewest = std::min(fewest, samples.size());
  }
  return fewest;
}

// A slow iteration that follows one of the typical length, so that it is
// no beginning: in the warm-up it tells as much as later.
bool has_slow(const UsableVisit& usable) {
  constexpr double kTypical = 1.2;
  for (const schema::InstanceTimes& instance : schema::by_instance(*usable.visit)) {
    if (instance.samples_ns.empty()) continue;
    const double typical =
        stats::median(std::vector<double>(instance.samples_ns.begin(), instance.samples_ns.end()));
    bool begun = false;
    for (const auto times : {instance.warmup_ns, instance.samples_ns}) {
      for (const int64_t time : times) {
        if (begun && static_cast<double>(time) > timing::kSlowIteration * typical) return true;
        begun |= static_cast<double>(time) < kTypical * typical;
      }
    }
  }
  return false;
}

bool shows_slow(const UsableVisit& usable) {
  return timing::shows_iterations(*usable.visit) && has_slow(usable);
}

// Slow iterations come again in visit after visit, so that they are no accidents.
bool recur(const ConfigData& config) {
  const auto with_slow = std::count_if(config.visits.begin(), config.visits.end(), shows_slow);
  return with_slow > 1 && 3 * with_slow >= static_cast<std::ptrdiff_t>(config.visits.size());
}

}  // namespace

bool has_too_few_iterations(const ConfigData& config) {
  return iterations_of(config) < timing::kIterationsForMean && recur(config);
}

bool has_too_few_iterations(const RunView& view, const schema::RunConfig& config) {
  const ConfigData* const found = find_config(view, config);
  return found != nullptr && has_too_few_iterations(*found);
}

std::vector<std::string> few_iterations_warnings(const RunView& view) {
  std::vector<std::string> warnings;
  for (const GroupData& group : view.groups) {
    std::vector<int64_t> sizes;
    std::size_t fewest = timing::kIterationsForMean;
    for (const ConfigData& config : group.configs) {
      const std::size_t iterations = iterations_of(config);
      if (!has_too_few_iterations(config)) continue;
      sizes.push_back(config.batch_size());
      fewest = std::min(fewest, iterations);
    }
    if (sizes.empty()) continue;
    warnings.push_back(
        fmt::format("{}: at {} some iterations take over 1.5 times the typical one, and visits "
                    "have as few as {}: how many slow ones a visit catches depends on where it "
                    "ends. For a reliable mean, measure with --iterations {}.",
                    label(group.key), batches(sizes), fewest, timing::kIterationsToAdvise));
  }
  return warnings;
}

}  // namespace batchscope::tables

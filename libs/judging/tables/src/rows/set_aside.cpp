#include "batchscope/tables/set_aside.hpp"

#include <algorithm>
#include <map>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/timing/evidence.hpp"

namespace batchscope::tables {
namespace {

struct Failures {
  int count = 0;
  bool out_of_memory = false;
};

// Of the configurations of a table, by batch size.
std::map<int64_t, Failures> failures_of(const RunView& view, const GroupData& group) {
  std::map<int64_t, Failures> by_size;
  const auto& configs = view.run->configs;
  for (const schema::Event& event : view.run->events) {
    const bool memory = event.kind == schema::EventKind::out_of_memory;
    const auto config = static_cast<std::size_t>(event.where.config.value_or(-1));
    if (!schema::is_failure(event) || config >= configs.size()) continue;
    if (schema::without_batch_size(configs[config]) != group.key) continue;
    Failures& failures = by_size[configs[config].shape.batch_size];
    ++failures.count;
    failures.out_of_memory |= memory;
  }
  return by_size;
}

}  // namespace

std::vector<findings::Exclusion> set_aside(const RunView& view, const GroupData& group) {
  std::map<int64_t, findings::LeftOutReason> reasons;
  // A search visits what promises little but once or twice; elsewhere few visits mean that the
  // others failed.
  const bool even = view.run->header.origin != schema::Origin::tune;
  std::size_t fullest = 0;
  for (const ConfigData& config : group.configs) {
    if (!config.settled) reasons[config.batch_size()] = findings::LeftOutReason::warming;
  }
  for (const ConfigData& config : group.configs) fullest = std::max(fullest, config.visits.size());
  for (const ConfigData& config : group.configs) {
    if (even && 2 * config.visits.size() < fullest)
      reasons[config.batch_size()] = findings::LeftOutReason::few_visits;
  }
  for (const auto& [size, failures] : failures_of(view, group)) {
    if (failures.count < timing::kFailuresToGiveUp) continue;
    reasons[size] = failures.out_of_memory ? findings::LeftOutReason::out_of_memory
                                           : findings::LeftOutReason::failed;
  }
  std::vector<findings::Exclusion> sizes;
  for (const auto& [size, reason] : reasons) {
    schema::RunConfig config = group.key;
    config.shape.batch_size = size;
    sizes.push_back({std::move(config), reason});
  }
  return sizes;
}

bool is_set_aside(const std::vector<findings::Exclusion>& sizes, int64_t batch_size) {
  return std::any_of(sizes.begin(), sizes.end(), [&](const findings::Exclusion& each) {
    return each.config.shape.batch_size == batch_size;
  });
}

}  // namespace batchscope::tables

#include "batchscope/charts/phases_to_draw.hpp"

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/schema/phases.hpp"

namespace batchscope::charts {

using findings::ConfigRow;
using findings::Group;

std::vector<std::string> phase_names(const Group& group) {
  std::vector<std::string> names;
  for (const ConfigRow& row : group.rows) {
    for (const findings::PhaseShare& phase : row.phases) base::add_if_new(names, phase.name);
  }
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& name) { return name != schema::phases::kOther; });
  return names;
}

const findings::PhaseShare* find_phase(const ConfigRow& row, const std::string& name) {
  for (const findings::PhaseShare& phase : row.phases) {
    if (phase.name == name) return &phase;
  }
  return nullptr;
}

std::vector<std::string> stacked_phases(const std::vector<Group>& groups) {
  Group all;
  for (const Group& group : groups) {
    all.rows.insert(all.rows.end(), group.rows.begin(), group.rows.end());
  }
  std::vector<std::string> names = phase_names(all);
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& name) { return name == schema::phases::kForward; });
  return names;
}

PhasesToDraw phases_to_draw(const std::vector<Group>& groups) {
  PhasesToDraw phases;
  for (const std::string& name : stacked_phases(groups)) {
    const bool large = std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
      return std::any_of(group.rows.begin(), group.rows.end(), [&](const ConfigRow& row) {
        const findings::PhaseShare* const phase = find_phase(row, name);
        return phase != nullptr && phase->share >= kSmallPhase;
      });
    });
    (large ? phases.drawn : phases.left_out).push_back(name);
  }
  return phases;
}

}  // namespace batchscope::charts

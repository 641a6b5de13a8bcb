#include <fmt/format.h>

#include "batchscope/findings/fitness_rules.hpp"
#include "warnings.hpp"

namespace batchscope::analyze {
namespace {

using findings::FitnessRule;
using findings::Watched;
using tables::ConfigData;
using tables::GroupData;
using tables::RunView;
using tables::UsableVisit;

struct Tally {
  int seen = 0;
  int bad = 0;
  double worst = 0;
};

Tally tally(const RunView& view, const FitnessRule& rule) {
  Tally result;
  const int cpus = view.run->header.machine.logical_cpus;
  for (const GroupData& group : view.groups) {
    for (const ConfigData& config : group.configs) {
      for (const UsableVisit& usable : config.visits) {
        const auto value = rule.value(usable.visit->fitness);
        if (!value) continue;
        const bool worse = rule.is_least ? *value < result.worst : *value > result.worst;
        if (result.seen == 0 || worse) result.worst = *value;
        ++result.seen;
        const Watched watched{cpus, static_cast<double>(usable.visit->wall_ns) * 1e-9};
        if (is_unfit(rule, *value, watched)) ++result.bad;
      }
    }
  }
  return result;
}

std::string in_words(const FitnessRule& rule, const Tally& found) {
  const std::string worst = rule.worst(found.worst);
  return fmt::format("{} in {} of {} visits{}: {}.", rule.what, found.bad, found.seen,
                     worst.empty() ? "" : " (" + worst + ")",
                     rule.effect.empty() ? rule.fix : rule.effect);
}

}  // namespace

std::vector<std::string> fitness_warnings(const RunView& view) {
  std::vector<std::string> warnings;
  for (const FitnessRule& rule : findings::fitness_rules()) {
    const Tally found = tally(view, rule);
    if (found.bad > 0) warnings.push_back(in_words(rule, found));
  }
  return warnings;
}

}  // namespace batchscope::analyze

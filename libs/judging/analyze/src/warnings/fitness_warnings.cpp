#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/findings/fitness_rules.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/timing/visits.hpp"
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

// "Other processes were busy in 4 of 12 visits (up to 1.45 CPUs)".
std::string seen_words(const FitnessRule& rule, const Tally& found) {
  const std::string worst = rule.worst(found.worst);
  return fmt::format("{} in {} of {}{}", rule.what, found.bad, base::counted(found.seen, "visit"),
                     worst.empty() ? "" : " (" + worst + ")");
}

Tally tally(const std::vector<RunView>& views, const FitnessRule& rule) {
  Tally all;
  for (const RunView& view : views) {
    const Tally one = tally(view, rule);
    if (one.seen == 0) continue;
    const bool worse = rule.is_least ? one.worst < all.worst : one.worst > all.worst;
    if (all.seen == 0 || worse) all.worst = one.worst;
    all.seen += one.seen;
    all.bad += one.bad;
  }
  return all;
}

// Whether its threads alone leave none of them without a processor.
bool has_a_processor_each(const schema::RunConfig& config, const schema::Machine& machine) {
  return config.threads * config.instances <= machine.logical_cpus;
}

// Others took the processor from iterations that were ready to run, by what the kernel counted.
Tally waits_of(const std::vector<RunView>& views) {
  constexpr double kMostWaiting = 0.1;  // of the time that is timed
  Tally found;
  for (const RunView& view : views) {
    for (const GroupData& group : view.groups) {
      for (const ConfigData& config : group.configs) {
        for (const UsableVisit& usable : config.visits) {
          const auto& waited = usable.visit->usage.wait_max_thread_ns;
          const double timed_s = timing::timed_s(*usable.visit);
          const bool alone = has_a_processor_each(config.config, view.run->header.machine);
          if (!waited || !alone || timed_s <= 0) continue;
          const double share = static_cast<double>(*waited) / 1e9 / timed_s;
          ++found.seen;
          found.bad += share > kMostWaiting ? 1 : 0;
          found.worst = std::max(found.worst, share);
        }
      }
    }
  }
  return found;
}

std::string waiting_words(const Tally& found) {
  return fmt::format("The process waited for a CPU in {} of {} (up to {} of the time)", found.bad,
                     base::counted(found.seen, "visit"), findings::percent(found.worst));
}

}  // namespace

std::vector<std::string> fitness_warnings(const RunView& view) {
  std::vector<std::string> warnings;
  for (const FitnessRule& rule : findings::fitness_rules()) {
    const Tally found = tally(view, rule);
    if (found.bad == 0) continue;
    warnings.push_back(fmt::format("{}: {}.", seen_words(rule, found),
                                   rule.effect.empty() ? rule.fix : rule.effect));
  }
  return warnings;
}

MachineReading machine_of(const std::vector<RunView>& views) {
  MachineReading reading;
  int most = 0;
  const auto hear = [&](const Tally& found, const std::string& stated, std::string_view fix) {
    if (found.bad == 0) return;
    reading.fitness = findings::MachineFitness::disturbed;
    reading.mostly |= 2 * found.bad > found.seen;
    // Names of what was seen, such as "GPU", keep their capitals.
    const std::string words = base::uncapitalised(stated);
    const bool worse = found.bad > most;
    if (worse) reading.fix = fix;
    if (worse) most = found.bad;
    reading.words = reading.words.empty() ? words
                    : worse               ? words + "; " + reading.words
                                          : reading.words + "; " + words;
  };
  for (const FitnessRule& rule : findings::fitness_rules()) {
    const Tally found = tally(views, rule);
    if (found.seen > 0 && reading.fitness == findings::MachineFitness::unknown) {
      reading.fitness = findings::MachineFitness::quiet;
    }
    hear(found, seen_words(rule, found), rule.fix);
  }
  const Tally waits = waits_of(views);
  hear(waits, waiting_words(waits), "end other programs, or pin the cores");
  if (reading.fitness == findings::MachineFitness::quiet) reading.words = "quiet";
  return reading;
}

}  // namespace batchscope::analyze

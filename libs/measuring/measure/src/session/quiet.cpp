#include "batchscope/measure/quiet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "batchscope/base/strings.hpp"
#include "batchscope/measure/observer.hpp"

namespace batchscope::measure {
namespace {

using findings::FitnessRule;

// Long enough for 50 ticks of CPU time, short beside loading a model.
constexpr double kLookSeconds = 0.5;
// Between looks of a run that waits.
constexpr double kRestSeconds = 1.5;

base::Nanoseconds nanoseconds(double seconds) {
  return std::chrono::duration_cast<base::Nanoseconds>(std::chrono::duration<double>(seconds));
}

void judge(MachineCheck& look, const findings::Watched& watched) {
  look.disturbances.clear();
  for (const FitnessRule& rule : findings::fitness_rules()) {
    const auto value = rule.value(look.fitness);
    if (value && is_unfit(rule, *value, watched)) look.disturbances.push_back(rule.of);
  }
}

MachineCheck look_once(const IdleCheck& with) {
  const host::FitnessSnapshot before = with.take();
  with.pause(kLookSeconds);
  const host::FitnessSnapshot after = with.take();
  MachineCheck look;
  look.fitness = host::assess_fitness(before, after, nanoseconds(kLookSeconds));
  look.governor = after.governor;
  if (with.add_gpus) with.add_gpus(look.fitness);
  // A GPU without work has a low clock, which says nothing.
  look.fitness.clock_ratio.reset();
  judge(look, {after.watched_cpus, kLookSeconds});
  return look;
}

// "other processes use 1.2 CPUs", "the hypervisor took CPU time away (at most 10 %)"
std::string words_of(const FitnessRule& rule, const schema::Fitness& fitness) {
  const double value = rule.value(fitness).value_or(0);
  if (rule.of == findings::Disturbance::others_load) {
    return fmt::format("other processes use {:.1f} CPUs", value);
  }
  const std::string what = base::uncapitalised(rule.what);
  const std::string worst = rule.worst(value);
  return worst.empty() ? what : what + " (" + worst + ")";
}

std::string disturbances_in_words(const MachineCheck& look) {
  std::string words;
  for (const findings::Disturbance each : look.disturbances) {
    const std::string one = words_of(findings::fitness_rule(each), look.fitness);
    words += words.empty() ? one : ", and " + one;
  }
  return words;
}

}  // namespace

std::string in_words(const MachineCheck& look) {
  const std::string state = look.is_quiet() ? "the machine is quiet"
                                            : "the machine is busy: " + disturbances_in_words(look);
  if (look.governor.empty() || look.governor == "performance") return state;
  return state + fmt::format("; the CPU governor is {}, so the clock may drop", look.governor);
}

MachineCheck look_at_machine(const IdleCheck& with, double patience_s, Observer* observer) {
  MachineCheck look = look_once(with);
  double waited = 0;
  while (!look.is_quiet() && waited < patience_s) {
    if (waited == 0 && observer != nullptr) observer->on_wait(look, patience_s);
    const double rest = std::clamp(patience_s - waited - kLookSeconds, 0.0, kRestSeconds);
    if (!with.pause(rest)) break;
    look = look_once(with);
    waited += rest + kLookSeconds;
  }
  look.waited_s = waited;
  if (observer != nullptr) observer->on_machine(look);
  return look;
}

std::optional<schema::Event> event_of(const MachineCheck& look) {
  if (look.is_quiet()) return std::nullopt;
  schema::Event event;
  event.kind = schema::EventKind::warning;
  event.what = "before the first visit: " + disturbances_in_words(look);
  if (look.waited_s > 0) event.what += fmt::format(", after {:.0f} s of waiting", look.waited_s);
  event.fix = findings::fitness_rule(look.disturbances.front()).fix;
  return event;
}

}  // namespace batchscope::measure

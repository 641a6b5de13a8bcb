#include "batchscope/findings/fitness_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "batchscope/findings/wording.hpp"

namespace batchscope::findings {
namespace {

using schema::Fitness;

constexpr double kMostSteal = 0.01;
// Two readings of an idle machine differ by more than a tick: the kernel samples who is busy at
// each tick, while the time of a process is counted exactly. On 2 CPUs that a visit of 1 s keeps
// busy half of the time the difference scatters by 0.07 CPUs (100 ticks a CPU, binomial), so that
// 0.1 would find one such visit in 13 disturbed, and this finds one in 400.
constexpr double kMostOthersLoad = 0.2;
constexpr double kLeastClock = 0.75;

// What Linux counts CPU time in for programs (USER_HZ is 100).
constexpr double kTick_s = 0.01;

template <class T>
std::optional<double> number(const std::optional<T>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

double exact(const Watched&) {
  return 0;
}

// A tick a CPU, whose errors are independent, in CPUs' worth of work.
double in_cpus(const Watched& watched) {
  return watched.seconds > 0 ? kTick_s * std::sqrt(watched.cpus) / watched.seconds : 0;
}

double in_share(const Watched& watched) {
  return watched.cpus > 0 ? in_cpus(watched) / watched.cpus : 0;
}

std::string nothing_more(double) {
  return "";
}

// In the order of Disturbance.
std::array<FitnessRule, 5> make_rules() {
  return {{
      {Disturbance::steal, "steal", "share of the CPU time that the hypervisor gave to others",
       [](const Fitness& seen) { return seen.steal_ratio; }, kMostSteal, false, in_share,
       "The hypervisor took CPU time away",
       [](double worst) { return "at most " + percent(worst); },
       "times are longer and noisier than on an idle machine",
       "measure later, or on an instance with dedicated CPUs"},
      {Disturbance::others_load, "others-load", "CPUs' worth of work by other processes",
       [](const Fitness& seen) { return seen.others_load; }, kMostOthersLoad, false, in_cpus,
       "Other processes were busy",
       [](double worst) { return fmt::format("up to {} CPUs", three_digits(worst)); }, "",
       "stop other processes, or measure later"},
      {Disturbance::throttled, "throttled",
       "time for which the cgroup's CPU quota throttled the work",
       [](const Fitness& seen) { return number(seen.throttled_ns); }, 0, false, exact,
       "The CPU quota of the cgroup throttled the work", nothing_more, "",
       "use no more threads than the quota has CPUs, or raise the quota"},
      {Disturbance::gpu_clock, "gpu-clock", "SM clock of the GPU as a share of its default",
       [](const Fitness& seen) { return seen.clock_ratio; }, kLeastClock, true, exact,
       fmt::format("The GPU ran below {} of its default clock", percent(kLeastClock)),
       [](double worst) { return "down to " + percent(worst); }, "",
       "let it cool down or raise its power limit"},
      {Disturbance::gpu_shared, "gpu-shared", "processes on the GPU other than the visit's",
       [](const Fitness& seen) { return number(seen.other_gpu_processes); }, 0, false, exact,
       "Other processes used the GPU", nothing_more, "the measured times include their work",
       "stop the processes that nvidia-smi shows, or use another GPU"},
  }};
}

}  // namespace

std::span<const FitnessRule> fitness_rules() {
  static const std::array kRules = make_rules();
  return kRules;
}

const FitnessRule& fitness_rule(Disturbance of) {
  return fitness_rules()[static_cast<std::size_t>(of)];
}

bool is_unfit(const FitnessRule& rule, double value, const Watched& watched) {
  if (rule.is_least) return value < rule.limit;
  return value > std::max(rule.limit, rule.resolution(watched));
}

std::string fitness_markdown() {
  std::string text =
      "\n## Fitness of the machine\n\nThese are warnings, not findings: machine values read during "
      "each visit, and their limits. Steal and load count only above the resolution of 10 ms "
      "ticks, 0.01 s x sqrt(CPUs) / length of the visit. `doctor` applies the same rules to the "
      "machine now.\n\n| rule | what is read | unfit | what to do |\n|---|---|---|---|\n";
  for (const FitnessRule& rule : fitness_rules()) {
    text += fmt::format("| {} | {} | {} {:g} | {} |\n", rule.id, rule.reading,
                        rule.is_least ? "below" : "above", rule.limit, rule.fix);
  }
  return text;
}

}  // namespace batchscope::findings

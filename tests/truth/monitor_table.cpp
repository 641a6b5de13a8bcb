// Prints the part `monitor` of docs/reference/truth.md: how often what is told of a watched machine
// is right.
//
//   monitor_table [scenes a family, default 400] [first seed, default 100001]

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "monitor_scenes/families.hpp"
#include "monitor_scenes/verdict.hpp"
#include "row.hpp"
#include "training_scenes/families.hpp"

namespace {

using namespace batchscope;
using monitor_scenes::Nature;
using truth::Goal;
using truth::Outcome;
using truth::run;

constexpr const char* kIntroduction =
    "# Truth of a monitor\n\n"
    "How often the monitor's findings are right, in scenarios of virtual time: a loop computes and "
    "waits, step by step, on 1 to 8 GPUs, and is sampled every 0.5 to 5 s for 4 to 7 minutes "
    "(leaks and other histories of memory: 40 to 80; trouble that lasts for most of an hour: 60, "
    "and the reported share of busy time has to be within five points of the true one). Each value "
    "has autocorrelated noise, 1 % of the readings of busy are arbitrary, and on some machines up "
    "to 10 % of the readings fail or come twice. GPM, PSI, delay "
    "accounting, values by core, processes, steps and their loading time are each available or "
    "not. All numbers are drawn for each scenario.\n\n"
    "Trouble counts as named if the first finding that is active at the end is the right one. On a "
    "machine without trouble no finding of medium or high severity may ever become active. Near "
    "the thresholds, and with too few readings, either the first finding has to be right or none "
    "of medium or high severity may ever become active; there is no goal for it.\n\n"
    "Trainings are 2,500 to 4,000 steps with noise, outliers, checkpoints, logging and a warm-up, "
    "half as many runs a row. A change has to be reported once, at the right step (within 64) and "
    "with the right size (within a fifth of it, or two points); waits for batches with their share "
    "(within five points) and their time (within a tenth); a rhythm with its number.\n\n"
    "A row passes when the 99 % interval of its rate (Clopper and Pearson) does not exclude the "
    "goal; the rows in bold are the mean of those above. The rules were developed with other "
    "seeds. This part is generated: `./dev truth monitor`.\n";

void print(const std::string& what, const Goal& goal, const Outcome& outcome) {
  const bool has_goal = goal.at_least.has_value();
  fmt::print("| {} | {} | {:.1f} % | {:.1f} to {:.1f} % | {} | {} |\n", what,
             has_goal ? describe(goal) : "–", 100 * outcome.rate(), 100 * outcome.interval.low,
             100 * outcome.interval.high, outcome.experiments,
             !has_goal               ? "–"
             : passes(goal, outcome) ? "yes"
                                     : "**no**");
}

struct Judged {
  std::string name;
  std::function<bool(uint64_t seed)> is_right;
};

// All of a part, whose seeds go on from one to the next. Whether all pass.
bool print_part(const std::string& title, const Goal& goal, const std::vector<Judged>& families,
                int scenes, uint64_t& seed) {
  fmt::print("\n## {}\n\n| what | goal | rate | 99 % interval | scenes | passes |\n", title);
  fmt::print("|---|---|---|---|---|---|\n");
  bool all_pass = true;
  int held = 0;
  for (const Judged& family : families) {
    const Outcome outcome = run({title, family.name, goal, family.is_right}, scenes, seed);
    seed += static_cast<uint64_t>(scenes);
    print(family.name, goal, outcome);
    all_pass = all_pass && passes(goal, outcome);
    held += outcome.held;
  }
  int left = held;
  const Outcome all = run({"", "", {}, [&](uint64_t) { return left-- > 0; }},
                          static_cast<int>(families.size()) * scenes, 0);
  print("**all of these**", goal, all);
  return all_pass && passes(goal, all);
}

std::vector<Judged> machines(Nature nature) {
  std::vector<Judged> found;
  for (const auto& family : monitor_scenes::families()) {
    if (family.nature != nature) continue;
    found.push_back({std::string(family.name), [&family](uint64_t seed) {
                       return monitor_scenes::judge(family, seed).right;
                     }});
  }
  return found;
}

std::vector<Judged> trainings(bool healthy) {
  std::vector<Judged> found;
  for (const auto& family : training_scenes::families()) {
    if (family.is_healthy != healthy) continue;
    found.push_back({family.name, [&family](uint64_t seed) {
                       return training_scenes::judge(family, seed).right;
                     }});
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  const int scenes = argc > 1 ? std::atoi(argv[1]) : 400;
  uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100'001;
  if (scenes < 1) {
    fmt::print(stderr, "usage: monitor_table [scenes a family] [first seed]\n");
    return 2;
  }
  fmt::print("{}", kIntroduction);
  const Goal named{0.95, std::nullopt}, quiet{0.98, std::nullopt};
  bool all_pass = true;
  const auto put = [&](const char* title, const Goal& goal, const std::vector<Judged>& families,
                       int count) {
    all_pass = print_part(title, goal, families, count, seed) && all_pass;
  };
  const int runs = std::max(1, scenes / 2);
  put("Machines with trouble: the finding names it", named, machines(Nature::faulty), scenes);
  put("Machines without trouble: no alarm", quiet, machines(Nature::healthy), scenes);
  put("Near a threshold, or with few readings", {}, machines(Nature::marginal), scenes);
  put("Trainings with trouble: it is reported with step and size", named, trainings(false), runs);
  put("Trainings without trouble: no alarm", quiet, trainings(true), runs);
  return all_pass ? 0 : 1;
}

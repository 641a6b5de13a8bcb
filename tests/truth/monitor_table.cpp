// Prints the part `monitor` of docs/reference/truth.md: how often what is told of a watched machine
// is right.
//
//   monitor_table [scenes a family, default 400] [first seed, default 100001]

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "monitor_scenes/families.hpp"
#include "monitor_scenes/verdict.hpp"
#include "row.hpp"

namespace {

using namespace batchscope;
using monitor_scenes::Family;
using monitor_scenes::Nature;
using truth::Goal;
using truth::Outcome;
using truth::run;

constexpr const char* kIntroduction =
    "# Truth of a monitor\n\n"
    "How often what is told of a watched machine is right, in scenes of virtual time: a loop "
    "computes and waits, step by step, on 1 to 8 GPUs, and what can be read of that is sampled "
    "every 0.5 to 5 s for 4 to 7 minutes (leaks and other histories of memory: 40 to 80). Each "
    "value has noise that resembles itself from sample to sample, 1 % of the readings of busy are "
    "anything, and of some machines up to 10 % of the readings fail or come twice. GPM, PSI, delay "
    "accounting, values by core, processes, steps and their loading time are each there or not. "
    "All numbers are drawn for each scene.\n\n"
    "Trouble is named where the first of the findings that stand in the end is the right one; of a "
    "machine without trouble no finding of medium or high severity may ever stand. Near the "
    "thresholds, and where too little is seen, the first has to be right or nothing of medium or "
    "high severity may ever stand; there is no goal for it.\n\n"
    "A row passes when the 99 % interval of its rate (Clopper and Pearson) does not exclude the "
    "goal; the rows in bold are the mean of those above. Not the seeds that the rules were made "
    "with. This part is generated: `./dev truth monitor`.\n";

struct Part {
  Nature nature;
  const char* title;
  Goal goal;
};

void print(const std::string& what, const Goal& goal, const Outcome& outcome) {
  const bool has_goal = goal.at_least.has_value();
  fmt::print("| {} | {} | {:.1f} % | {:.1f} to {:.1f} % | {} | {} |\n", what,
             has_goal ? describe(goal) : "–", 100 * outcome.rate(), 100 * outcome.interval.low,
             100 * outcome.interval.high, outcome.experiments,
             !has_goal               ? "–"
             : passes(goal, outcome) ? "yes"
                                     : "**no**");
}

// All families of a part, whose seeds go on from one to the next. Whether all pass.
bool print_part(const Part& part, int scenes, uint64_t& seed) {
  fmt::print("\n## {}\n\n| what | goal | rate | 99 % interval | scenes | passes |\n", part.title);
  fmt::print("|---|---|---|---|---|---|\n");
  bool all_pass = true;
  int families = 0, held = 0;
  for (const Family& family : monitor_scenes::families()) {
    if (family.nature != part.nature) continue;
    const auto is_right = [&](uint64_t each) { return monitor_scenes::judge(family, each).right; };
    const Outcome outcome = batchscope::truth::run(
        {part.title, std::string(family.name), part.goal, is_right}, scenes, seed);
    seed += static_cast<uint64_t>(scenes);
    print(std::string(family.name), part.goal, outcome);
    all_pass = all_pass && passes(part.goal, outcome);
    ++families;
    held += outcome.held;
  }
  int left = held;
  const Outcome all = batchscope::truth::run({"", "", {}, [&](uint64_t) { return left-- > 0; }},
                                             families * scenes, 0);
  print("**all of these**", part.goal, all);
  return all_pass && passes(part.goal, all);
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
  bool all_pass = true;
  for (const Part& part :
       {Part{Nature::faulty, "Machines with trouble: it is named", {0.95, std::nullopt}},
        Part{Nature::healthy, "Machines without: nobody is called", {0.98, std::nullopt}},
        Part{Nature::marginal, "Near a threshold, or hardly seen", {}}}) {
    all_pass = print_part(part, scenes, seed) && all_pass;
  }
  return all_pass ? 0 : 1;
}

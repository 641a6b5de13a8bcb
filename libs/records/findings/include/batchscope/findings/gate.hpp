#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/findings/finding.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::findings {

// failed: what the gate looks for is shown. passed: it is shown to be absent. inconclusive:
// neither.
enum class Outcome { passed, failed, inconclusive };
std::string_view to_string(Outcome outcome);

// One question of a gate, with its answer.
struct GateCheck {
  std::string name;  // "batch 4, bf16: new.pt against old.pt"
  Outcome outcome = Outcome::inconclusive;
  std::string message;                      // one sentence
  std::optional<schema::RunConfig> config;  // the baseline's; of a finding, the one it is about
  // The rest is of a regression gate only, and absent where nothing was tested. All are ratios of
  // more time, 0.03 = 3 % slower.
  // The interval's ends are the one-sided bounds that the verdict rests on.
  std::optional<Estimate> slowdown;
  // The lowest one-sided lower bound at the gate's level, of all that was tested: it may be faster
  // by so much at most.
  std::optional<double> at_best;
  // From here on a measured slow-down would have been called a regression.
  std::optional<double> smallest_shown;
  // A true slow-down from here on is called a regression in at least four of five such experiments.
  std::optional<double> detectable;
  int n = 0;  // pairs of visits, or runs of the smaller side
  // The comparison of the same summary that it is about; absent where there are no times.
  std::optional<std::size_t> comparison;
  std::string where, base, other;  // "batch 4, bf16", and the versions, in words
  // About how many of them would settle an inconclusive check; absent where more would hardly.
  std::optional<int> needed;
};

// What a gate looks at: is something slower, is a finding as severe as asked for, was the wanted
// width of intervals reached.
enum class GateName { regression, finding, width };
std::string_view to_string(GateName name);

// What a build server is told.
struct Gate {
  GateName name = GateName::regression;
  Outcome outcome = Outcome::inconclusive;
  std::optional<double> margin;  // regression: a slow-down up to here is none
  double level = 0.95;           // of each one-sided bound
  std::vector<GateCheck> checks;
  std::string message;  // the verdict, one sentence
  std::string advice;   // inconclusive: what to add
};

}  // namespace batchscope::findings

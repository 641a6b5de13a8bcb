#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/findings/finding.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::findings {

// Why: a bound that it breaks or may break, what it computes, or that it could not be measured.
enum class LeftOutReason {
  latency,
  latency_unknown,
  memory,
  memory_unknown,
  loss,
  outputs,
  out_of_memory,
  failed,
  few_visits,
  warming  // its visits may still hold warm-up
};
std::string_view to_string(LeftOutReason reason);

// A measured configuration that a recommendation had to pass over.
struct Exclusion {
  schema::RunConfig config;
  LeftOutReason reason{};
};

// How far the run's own tests carry a recommendation. Shown: it is better than the baseline, or
// where it is the baseline itself, nothing else is better by what matters. Looks best: that is not
// shown, or nothing could be tested. Open: no other configuration is told apart from it, so that
// none is to be named.
enum class Support { shown, unconfirmed_best, open };

struct Recommendation {
  schema::RunConfig config;
  std::string objective = "throughput";  // "throughput with latency <= 200 ms"
  // False: no measured configuration keeps the bounds of the objective; `config` comes nearest.
  bool feasible = true;
  double throughput_per_s = 0;   // samples/s
  double latency_ms = 0;         // one iteration
  std::optional<Estimate> gain;  // ratio against `gain_against`, 0.12 = 12 % more throughput
  double gain_level = 0.95;      // of its interval: stricter where it is of the best of many
  std::string gain_against;      // "batch_size 1", with what else is set otherwise
  std::optional<schema::RunConfig> baseline;  // what `gain` compares with
  // True: what looks best cannot be told from the baseline, which stays; `unconfirmed_best` is it,
  // and so many blocks would tell at the scatter seen.
  bool undecided = false;
  std::optional<schema::RunConfig> unconfirmed_best;
  std::optional<int> blocks_needed;
  // What the visits do not show, for they are too short: so many seconds each would tell.
  std::optional<int> visit_s_needed;
  // Where that is so: the largest gain over `config` that was measured, or may be there.
  std::optional<Estimate> open_gain;
  Support support = Support::unconfirmed_best;
  // Where throughput still grows at the largest size measured: those worth measuring next.
  std::vector<int64_t> larger_sizes;
  // Held up in visits that took no part in choosing it: `gain`, which is then theirs, and the bound
  // on latency. Withdrawn: it did not. Neither: not tried, or the visits leave it open.
  bool verified = false;
  bool withdrawn = false;
  int fresh_visits = 0;  // made to verify it, of each of the two
  int points_measured = 0;
  int points_total = 0;
  std::string cut_short;      // what ended the search before it was over; empty: it was over
  std::vector<int64_t> ties;  // batch sizes not told apart from it
  // With its settings, within the bounds: sizes to round to, shown to be no slower than a split,
  // and those of which that is open. Empty where nothing was repeated.
  std::vector<int64_t> good_sizes;
  std::vector<int64_t> untested_sizes;
  std::vector<Exclusion> left_out;
  std::string message;
};

}  // namespace batchscope::findings

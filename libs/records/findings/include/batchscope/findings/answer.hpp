#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/findings/finding.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::findings {

// What the answer is about.
enum class AnswerKind {
  setting,     // which setting to use
  comparison,  // which of two is faster: models, engines, runs
  largest,     // the largest batch that fits
  none         // nothing was measured that could answer
};
std::string_view to_string(AnswerKind kind);

// How sure the answer is. Verified: held up in fresh visits that took no part in choosing it.
// Shown: a claim of the run's own tests. Suspected: what looks best, not shown. Cannot tell: the
// intervals are wider than what they would have to show; no setting is named then.
enum class Confidence { verified, shown, suspected, cannot_tell };
std::string_view to_string(Confidence confidence);

// The machine while it was measured. Unknown: nothing was recorded (a table from elsewhere).
enum class MachineFitness { quiet, disturbed, unknown };
std::string_view to_string(MachineFitness fitness);

// A latency with how far it can be vouched for.
struct AnsweredLatency {
  Estimate typical_ms;  // of one batch
  // Of single batches; without interval: too few samples to vouch for; 0: not recorded.
  Estimate p95_ms, p99_ms;
  // What single times are of: "batch", "step", or where no batch was timed by itself "mean of
  // several batches".
  std::string of = "batch";
  double mean_ms = 0;  // what the throughput is made of

  bool has_quantiles() const { return p99_ms.value > 0; }
};

// The answer to what a run was made for, in what a reader sees first: at a terminal, on the page,
// in JSON and Markdown. Made by analyze and tune alone; whoever shows it adds nothing to it.
struct Answer {
  AnswerKind kind = AnswerKind::none;
  Confidence confidence = Confidence::cannot_tell;
  MachineFitness fitness = MachineFitness::unknown;

  std::string headline;  // "Use batch 32", "B takes 3.1 % longer than A", "Cannot tell which batch
                         // size is best"
  std::string setting;   // "batch 32, 2 instances"; empty where none is named
  std::optional<schema::RunConfig> config{};   // of the setting
  std::optional<Estimate> throughput_per_s{};  // samples/s, of all instances
  std::optional<AnsweredLatency> latency{};
  std::optional<Estimate>
      gain{};  // 0.12 = 12 % more throughput than `against`; comparison: ratio - 1 of time
  double gain_level = 0.95;
  std::string against;  // "batch 1"
  std::string
      sure;  // why so sure, or what is missing: "6 fresh visits of each show it", one clause
  std::string machine;  // what disturbed it, or "quiet": one clause
  // The size that is proven to be furthest off, in a sentence without its end: why a size is slow
  // is asked as often as which to use. Empty: none.
  std::string slow;
  std::string next;           // what to do next: a sentence; empty: nothing
  std::string command;        // that can be pasted for it; empty: none
  bool next_is_page = false;  // a report of what is there already: a page does not say it

  // There is an answer for each of several models, lengths or modes, all in the headline; the
  // figures are those of the first.
  bool several = false;

  // The answer for a terminal, the headline first, at most six: the last one is `command`, if any.
  std::vector<std::string> lines;
};

// Composes `lines` of what else the answer says.
void put_lines(Answer& answer);

}  // namespace batchscope::findings

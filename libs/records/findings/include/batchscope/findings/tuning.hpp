#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/findings/answer.hpp"
#include "batchscope/findings/finding.hpp"
#include "batchscope/schema/kinds.hpp"
#include "batchscope/schema/open_enum.hpp"
#include "batchscope/schema/run_config.hpp"
#include "batchscope/schema/search_settings.hpp"

namespace batchscope::findings {

using schema::LatencyStatistic;
using schema::Objective;

// One configuration that a search has measured.
struct TunedPoint {
  schema::RunConfig config;
  std::string setting;                    // "batch 48, fp32, cpu, 2 threads, torch"
  double throughput_per_s = 0;            // of all instances
  double time_ms = 0;                     // of one iteration: the typical one
  double mean_ms = 0;                     // the mean one: what the throughput is of
  double latency_ms = 0;                  // of one batch: the statistic that the budget bounds
  std::optional<int64_t> memory_bytes{};  // peak, of all instances
  int visits = 0;
  bool feasible = true;    // keeps the bounds of the goal
  std::string left_out{};  // why it may not be recommended whatever its speed; else empty
};

// The pick against another configuration, paired within the blocks of fresh visits.
struct FreshContrast {
  schema::RunConfig against;
  std::string what;  // "the default", "the runner-up"
  Estimate gain;     // of throughput (objective latency: of batches a second); 0.1 = 10 % more
  int n = 0;         // pairs
  Estimate trimmed;  // the gain by trimmed means, which few slow visits move less
};

// What visits showed that took no part in choosing. A search measures many and takes the best,
// whose own figures are therefore too good.
struct FreshFigures {
  double throughput_per_s = 0;  // of all instances, over the mean of their times
  double time_ms = 0;           // of one iteration: the typical one
  double mean_ms = 0;           // the mean one
  double latency_ms = 0;        // of one batch: the statistic that the budget bounds
  int visits = 0;
};

// What the samples of the pick can vouch for of its latency.
struct LatencyCheck {
  LatencyStatistic asked = LatencyStatistic::p50;      // the statistic that the budget bounds
  LatencyStatistic supported = LatencyStatistic::p50;  // the highest of them with enough samples
  double value_ms = 0;                                 // of `vouched`
  std::optional<stats::Interval> interval_ms{};  // 95 %, over visits; absent: none is vouched for
  int64_t samples = 0;                           // timed iterations
  int64_t samples_needed = 0;                    // for what was asked for
  bool settled = true;  // false: the visits may still hold warm-up, so that nothing is vouched for
  bool kept = false;    // what was asked for is vouched for, within the budget
  int64_t visits = 0;   // whose iterations the samples are
};
// "kept", "not kept", or "not shown to be kept".
std::string_view kept_in_words(const LatencyCheck& check, double budget_ms);
// Why what was asked for is not vouched for, no full stop; empty: it is.
std::string unsupported_words(const LatencyCheck& check);

// What a search for the best configuration came to.
struct Tuning {
  std::string run;  // how its run file is called; empty: a replayed table
  Objective objective = Objective::throughput;
  LatencyStatistic latency_of = LatencyStatistic::p50;  // what of the latency the budget bounds
  std::optional<double> latency_budget_ms{};
  std::optional<int64_t> memory_limit_bytes{};  // of all instances together
  std::optional<double> price_per_hour{};
  std::vector<TunedPoint> points;  // measured ones, the best first
  // What is to be used, into points: what the search found, or the default where nothing is shown
  // to be better by what matters. Absent: nothing could be measured.
  std::optional<std::size_t> pick{};
  std::optional<std::size_t> standard{};  // the default, where it was measured
  // Where the default stays: what looked best, into points; whether the two could not be told
  // apart, and about how many fresh visits of each would tell, at the scatter seen.
  std::optional<std::size_t> unconfirmed_best{};
  bool undecided = false;
  std::optional<int> visits_needed{};
  std::optional<FreshFigures> fresh{};  // of the pick; absent: it has the search's own alone
  // Of the points that may be recommended, those that no other beats in both, by latency and by
  // memory; into points.
  std::vector<std::size_t> latency_front, memory_front;
  std::vector<FreshContrast> contrasts;  // of what the search found, the default or not
  std::optional<LatencyCheck> latency{};
  bool feasible = true;   // the pick keeps the bounds
  bool verified = false;  // better than the default in fresh visits, or it is the default
  bool withdrawn = false;
  std::vector<int64_t> good_sizes;  // of the pick's setting: by estimates, no split is faster
  std::optional<double> cost_per_million{};  // samples, by the pick, in the currency of the price
  int points_measured = 0, points_total = 0, visits = 0;
  schema::OpenEnum<schema::EndReason> end_reason{};  // of its run file; empty: a replayed table
  // "the budget of 30.0 s ended the search: ..."; empty: it was over. Else nothing is verified.
  std::string cut_short;
  std::string message;              // what to use, or which bound binds, and by how much
  std::string verdict;              // what fresh visits say of it
  std::vector<std::string> advice;  // what else the pick asks for, a sentence each
  std::vector<std::string> warnings;
  std::optional<double> share_of_best{};  // of a replay: the pick's over the best of the table
  // Of a replay: points that the table has a time or a failure of, and those its run had planned.
  int points_recorded = 0, points_planned = 0;
  std::optional<schema::RunConfig> best{};  // of a replay
  Answer answer{};                          // what leads what is printed of this search alone
};

// The pick with the figures of its fresh visits, where it has some. There is a pick.
TunedPoint reported_pick(const Tuning& tuning);
// Any of the points as it is shown beside the pick, so that an answer has one figure of each.
TunedPoint reported_point(const Tuning& tuning, std::size_t place);
// Whose the figures of some of the points are: "by the search's own estimates; the marked one by
// its 12 fresh visits".
std::string reported_by(const Tuning& tuning, const std::vector<std::size_t>& places);

// The latency that the search bounds, as the title of a column or an axis: "latency (p50)".
std::string latency_title(const Tuning& tuning);

}  // namespace batchscope::findings

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/findings/answer.hpp"
#include "batchscope/findings/diagnostics.hpp"
#include "batchscope/findings/finding.hpp"
#include "batchscope/findings/gate.hpp"
#include "batchscope/findings/laws.hpp"
#include "batchscope/findings/loader_row.hpp"
#include "batchscope/findings/recommendation.hpp"
#include "batchscope/findings/tuning.hpp"
#include "batchscope/schema/axes.hpp"
#include "batchscope/schema/kinds.hpp"
#include "batchscope/schema/model_info.hpp"
#include "batchscope/schema/open_enum.hpp"
#include "batchscope/schema/outputs.hpp"
#include "batchscope/schema/resources.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::findings {

enum class Verdict { ok, suspect, proven, untestable };
std::string_view to_string(Verdict verdict);
// Where a size departs to: it takes more, or less, than the others suggest. Unknown: nowhere, or it
// cannot be told which of several sizes departs.
enum class Deviation { unknown, slower, faster };
std::string_view to_string(Deviation departs);

// Five-number summary of all timed iterations of a configuration, ms, with the count of Tukey
// outliers (labelled, never dropped); quantiles only where their 95 % order-statistic interval
// exists: of others reported_quantile() gives the value.
struct Distribution {
  double min_ms = 0, q1_ms = 0, median_ms = 0, q3_ms = 0, max_ms = 0;
  double whisker_low_ms = 0, whisker_high_ms = 0;  // last sample within 1.5 IQR of the box
  int64_t mild_outliers = 0, extreme_outliers = 0;
  std::optional<Estimate> p50_ms, p90_ms, p95_ms, p99_ms;
  bool of_series = false;  // sync end: of means of series; iterations had no times of their own
  std::vector<double> points_ms;  // at most 200 samples, evenly picked from the sorted outliers and
                                  // ends, for drawing
  std::vector<double> samples_ms;  // all, sorted: what plan draws its times from
  // Of each sample, so that a visit counts as much as another however many iterations it had time
  // for; empty: all alike.
  std::vector<double> weights;
};

enum class Quantile { p50, p90, p95, p99 };
// With its interval where the samples can vouch for it, else the weighted sample quantile; nothing
// with fewer than two samples, as of a table measured elsewhere.
std::optional<Estimate> reported_quantile(const Distribution& distribution, Quantile quantile);

// Mean of one phase an iteration, ms; shares are of time_mean_ms.
struct PhaseShare {
  std::string name;
  double host_ms = 0;
  std::optional<double> device_ms;
  double share = 0;
};

// Tokens of a mean iteration of variable-length input: what its samples hold, and what is computed
// because each batch is padded to its longest sample.
struct TokenFacts {
  double real = 0;
  double padded = 0;
  double padding = 0;   // 1 - real / padded: the share of what is computed that is padding
  Estimate real_per_s;  // real tokens a second
};

// One row of the scaling table: one configuration. Definitions: docs/design/method.md, section 2.
struct ConfigRow {
  schema::RunConfig config;
  int config_index = 0;
  schema::Purpose purpose = schema::Purpose::measure;  // measure or control
  Estimate time_ms;        // geometric mean over visits of their medians
  Estimate per_sample_ms;  // time / (instances x batch size)
  // Work over time: geometric mean over visits of the mean of their iterations, slow ones and all.
  Estimate mean_ms;
  Estimate throughput_per_s;  // samples per second of mean_ms, of all instances
  // Of the iterations that were timed one by one: over 1.5 times the typical one of their visit.
  double slow_share = 0;
  double batches_per_s = 0;
  std::optional<double> expected_ms;   // batch_size x time of the base, absent without a base
  std::optional<Estimate> efficiency;  // expected / time
  std::optional<Estimate> relative_slowdown;  // per-sample time / the base's
  std::optional<Estimate> jump;  // to this size from the next smaller one: time ratio / size ratio
  int n = 0;                     // visits
  int64_t n_iterations = 0;      // timed iterations of all visits
  double time_mean_ms = 0;       // arithmetic mean of all timed iterations: what the phases sum to
  std::vector<PhaseShare> phases;       // of the iteration; with "other" they sum to time_mean_ms
  std::optional<double> prepare_ms;     // mean, outside the iteration
  schema::Memory memory;                // largest over visits
  std::optional<double> fragmentation;  // 1 - allocated / reserved
  std::optional<double> minor_faults_per_iteration;
  std::optional<double> system_time_share;  // system / (user + system)
  std::optional<double> loss;               // train
  std::optional<TokenFacts> tokens;         // only with a mix of lengths
  std::optional<int64_t> skipped_steps;     // train in fp16: of all visits, warm-up included
  Distribution distribution;
  Verdict verdict = Verdict::untestable;
  Deviation departs = Deviation::unknown;  // what a verdict of suspect or proven is of
};

// "slow, proven", "fast, suspected", "too few visits": a verdict with what it is of.
std::string verdict_in_words(const ConfigRow& row);

// Whether mean and typical iteration differ by so much (3 %) that both are to be shown.
bool mean_differs(const ConfigRow& row);

// One scaling table: all batch sizes that share everything else.
struct Group {
  schema::RunConfig key;  // batch size 0
  std::string table;      // what tells it from the other tables; empty when it is the only one
  std::string label;
  int64_t base_batch_size = 1;  // what expected, efficiency and slowdown refer to
  std::vector<ConfigRow> rows;  // by batch size
  std::optional<TimeLaw> law;
  // The peak that grows with the batch: allocated on a device with an allocator of its own (and
  // reserved, second), resident elsewhere. Empty below 2 sizes.
  std::vector<MemoryLaw> memory_laws;
  std::vector<int64_t> best_sizes;     // not significantly worse than the best, paired
  std::optional<int64_t> knee;         // the smallest of them
  std::optional<int64_t> recommended;  // which is to be used, and may be none of them: the smallest
                                       // that is slower by nothing that matters
  bool is_open = false;                // which is best cannot be told: none is to be shown as that
  std::optional<int64_t> saturation;   // from here on more batch brings < 5 % throughput a doubling
  // Shown to take at most the margin longer than the cheapest other way to run as many samples.
  std::vector<int64_t> good_sizes;
  std::vector<int64_t> untested_sizes;      // neither that nor proven to take longer
  std::vector<Exclusion> set_aside;         // failed again and again, or with too few visits
  std::vector<int64_t> suggested_controls;  // sizes that would settle what is open
  double level = 0.95;                      // of the printed intervals
  // About how far (0.05 = 5 %) a size between the ends had to be off the law of the others to be
  // found, whichever it is.
  std::optional<double> smallest_provable_excess;
  std::string departure_verdict;  // "one law fits all sizes", "4 departs", "one of 2, 4", "no law
                                  // fits", "untestable"
  std::optional<Diagnostics> diagnostics;  // where diagnostic visits were made
};

// The losses of two configurations after as many steps from the same weights on the same inputs;
// the mean over visits of each.
struct LossPair {
  int64_t steps = 0;
  double base = 0;
  double other = 0;
};

// Visits far slower than the others of their configuration, where they make the mean over all
// visits tell another ratio than the trimmed mean, which leaves the slowest out.
struct SlowVisits {
  int base = 0, base_visits = 0;  // slow ones, of how many
  int other = 0, other_visits = 0;
  double mean_ratio = 1;  // time of other / time of base, over all visits
};

// The contrast of mean iterations, where it is over 3 points from that of typical ones.
struct MeanRatio {
  Estimate ratio;  // time of other / time of base, with its interval
  bool significant = false;
  // Of a batch.
  double base_ms = 0, other_ms = 0;
};

// The first iterations of a process, warm-up included, as far as a typical visit of either side
// went: nothing is known of later ones.
struct Reach {
  int64_t iterations = 0;
  double seconds = 0;
};

// Over visits: paired within blocks, or Welch's of two single runs. Over runs, several a side: by
// pairs of runs, or Welch's.
enum class ComparisonTest { paired, welch, paired_runs, welch_runs };
std::string_view to_string(ComparisonTest test);

// A contrast of two configurations that differ in one axis, or of the same configuration in two
// files, or in several files of either side.
struct Comparison {
  std::string axis;  // or a part of one: "model", "precision", "loader_workers", ..., or "run"
  std::optional<schema::AxisId> axis_id{};  // absent: runs
  std::string base;                         // value on that axis
  std::string other;
  schema::RunConfig config;  // the rest, with the base's value
  std::optional<schema::RunConfig>
      other_config;  // where it differs in more than the axis (instances)
  // Typical time of other / that of base; axis instances: time a sample, of all of them.
  Estimate ratio;
  // Of either; 0 where it is not known.
  double base_ms = 0, other_ms = 0;
  // A slow-down up to here (0.03 = 3 %) is none; absent where no gate on regressions was asked for.
  std::optional<double> margin{};
  ComparisonTest test = ComparisonTest::paired;
  int n = 0;           // pairs, or the smaller sample
  double p_value = 1;  // Holm over all comparisons of the analysis
  // Of two single runs: that these two differ, not that what they measured was changed.
  bool significant = false;
  std::string message;  // "B takes 12 % less time than A at batch 4 ..."
  std::optional<schema::OutputDifference>
      outputs;                     // axis engine: always there; precision: where they were compared
  std::optional<LossPair> losses;  // train: of precisions, and of checkpointing
  std::optional<SlowVisits> slow_visits;  // where the two means are over 3 points apart
  std::optional<MeanRatio> by_mean;
  std::optional<Reach> reach{};  // absent of imported tables
};

struct InputRun {
  std::string path;
  std::string created;
  std::string host;
  std::string cpu;
  schema::OpenEnum<schema::EndReason> end_reason;
  int blocks = 0;  // complete blocks
  double wall_s = 0;
  double iteration_share = 0;
  double target = 0.02;                   // half-width asked for, ln units
  std::vector<schema::ModelInfo> models;  // as in the run file; not repeated in the JSON
  std::optional<double> half_width;  // the widest contrast against the base; absent when untestable
};

// Everything analyze found; what every output format prints.
struct Summary {
  std::vector<InputRun> inputs;
  std::vector<Group> groups;
  std::vector<Comparison> comparisons;
  std::vector<Gate> gates;        // those that were asked for
  std::vector<Finding> findings;  // by severity, worst first
  // One for each work measured (model, sequence length, mode), in the order of the groups.
  std::vector<Recommendation> recommendations;
  std::vector<LoaderRow> loaders;  // one run: each setting of a DataLoader in Python
  std::vector<Tuning> tunings;     // one for each run of `tune`, in the order of the inputs
  std::vector<std::string> warnings;
  std::vector<std::string> words;  // the short summary for a newcomer, a sentence each
  Answer answer;                   // what leads every format
};

}  // namespace batchscope::findings

#include "training_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/units.hpp"
#include "batchscope/compare/accumulation_findings.hpp"
#include "batchscope/compare/loss_facts.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/phases.hpp"
#include "batchscope/tables/axes.hpp"

namespace batchscope::analyze {
namespace {

using Row = findings::KindRow<>;
using Prose = findings::Prose<findings::Nothing>;
using compare::accumulation_findings;
using compare::apart;
using compare::kLossApart;
using compare::loss_words;
using findings::batches;
using findings::Comparison;
using findings::doc_link;
using findings::Finding;
using findings::Group;
using findings::Metric;
using findings::percent;
using findings::severity_of_excess;
using schema::AxisId;

constexpr Metric kLossDifference{"loss_difference",
                                 "Difference between the losses of two ways of training after the "
                                 "same number of steps, as a share of the first loss."};
constexpr Metric kActivationMemoryRatio{
    "activation_memory_ratio",
    "Slope of peak memory against batch size with checkpointing, divided by the slope without."};
constexpr Metric kTimeRatio{
    "time_ratio",
    "Time with checkpointing divided by the time without, as a geometric mean over batch sizes."};
constexpr Metric kOptimizerShare{
    "optimizer_share",
    "Share of an iteration that the phase `optimizer` takes, at the size where it is largest."};

constexpr double kMuchOptimizer = 0.20;  // of a step
constexpr int kExampleSteps = 4;         // of accumulation

constexpr auto kLossDeparts =
    Row("train.loss-departs", "Two ways of training give different losses",
        Prose("The losses of two precisions (or with and without checkpointing) with the same "
              "seed, weights and inputs are more than {%} apart, or one is not finite. The "
              "comparison is at the last step that all visits recorded, at most the 16th, warm-up "
              "included. Dropout may draw differently in another precision, which moves a loss a "
              "little. The difference is a measurement, not a test: visits repeat the same losses.",
              kLossApart),
        "Train longer in both before you choose the faster one. A recommendation of this "
        "configuration repeats this warning.",
        Prose("low above {%}, medium above {%}, high above {%} apart or not finite", kLossApart,
              findings::kMediumExcess, findings::kHighExcess),
        metrics(&kLossDifference));

constexpr auto kCheckpointing =
    Row("train.checkpointing", "What checkpointing saves and costs",
        "Activation memory per sample is the slope of peak memory against batch size, fitted with "
        "and without checkpointing. The time ratio (with to without) pairs visits within blocks, "
        "as a geometric mean over the batch sizes. Both are measurements.",
        "Use checkpointing where your batch does not fit otherwise.", "info",
        metrics(&kActivationMemoryRatio, &kTimeRatio));

constexpr auto kOptimizer =
    Row("train.optimizer-share", "The optimizer takes a large share of a step",
        Prose("The phase `optimizer` (in fp16 with unscaling and checking the gradients) takes "
              "over {%} of an iteration. Its time does not depend on the batch size: gradient "
              "accumulation over k batches runs it once in k, and saves at most its share x (1 - "
              "1/k). This is an upper bound: accumulating gradients has a cost too.",
              kMuchOptimizer),
        "Accumulate gradients over several batches per step if your training allows a larger "
        "effective batch, or use a larger batch.",
        "info", metrics(&kOptimizerShare));

Finding measured(const findings::KindRow<>& kind, const schema::RunConfig& where) {
  Finding finding;
  finding.id = kind.id;
  finding.status = findings::Status::measured;
  finding.where = where;
  finding.doc = doc_link(kind.id);
  return finding;
}

schema::RunConfig other_config(const Comparison& comparison) {
  if (comparison.other_config) return *comparison.other_config;
  schema::RunConfig config = comparison.config;
  if (comparison.axis_id == AxisId::checkpointing) config.checkpointing = !config.checkpointing;
  if (comparison.axis_id == AxisId::precision) {
    config.precision = schema::parse_precision(comparison.other).value_or(config.precision);
  }
  return config;
}

// The one in question: of fp32 and something else the latter, whichever came first in the file.
schema::RunConfig doubted(const Comparison& comparison) {
  const schema::RunConfig other = other_config(comparison);
  if (comparison.other_config) return other;
  return other.precision == schema::Precision::fp32 ? comparison.config : other;
}

Finding loss_finding(const Comparison& comparison, const std::string& table) {
  const findings::LossPair& losses = *comparison.losses;
  Finding finding = measured(kLossDeparts, doubted(comparison));
  finding.table = table;
  finding.batch_sizes = {comparison.config.shape.batch_size};
  const double distance = apart(losses);
  finding.severity =
      std::isfinite(distance) ? severity_of_excess(distance) : findings::Severity::high;
  finding.what =
      fmt::format("At {}, {} {} does not train like {}. {}.", batches(finding.batch_sizes),
                  comparison.axis, comparison.other, comparison.base, loss_words(losses));
  if (std::isfinite(distance)) {
    finding.evidence.push_back(evidence_of(kLossDifference, distance));
  }
  finding.fix = comparison.axis_id == AxisId::accumulation
                    ? "Batch normalisation and dropout act on each batch separately; without these "
                      "the losses agree in fp32."
                    : "Train longer in both before you choose the faster one: these are the first "
                      "steps on random inputs.";
  return finding;
}

const Group* group_of(const findings::Summary& summary, const schema::RunConfig& config) {
  const schema::RunConfig key = schema::without_batch_size(config);
  for (const Group& group : summary.groups) {
    if (group.key == key) return &group;
  }
  return nullptr;
}

// Geometric mean over the batch sizes of the time with checkpointing over that without.
struct TimeRatio {
  double value = 1;
  std::vector<int64_t> sizes;
};

TimeRatio time_ratio(const findings::Summary& summary, const Group& off, const Group& on) {
  TimeRatio ratio;
  double sum = 0;
  for (const Comparison& comparison : summary.comparisons) {
    if (comparison.axis_id != AxisId::checkpointing) continue;
    const auto key = schema::without_batch_size(comparison.config);
    if (key != off.key && key != on.key) continue;
    const double log_ratio = std::log(comparison.ratio.value);
    sum += key == off.key ? log_ratio : -log_ratio;
    ratio.sizes.push_back(comparison.config.shape.batch_size);
  }
  if (!ratio.sizes.empty()) ratio.value = std::exp(sum / static_cast<double>(ratio.sizes.size()));
  return ratio;
}

std::string less_or_more(double ratio, const char* of_what) {
  return fmt::format("{} {} {}", percent(std::abs(ratio - 1)), ratio < 1 ? "less" : "more",
                     of_what);
}

Finding checkpointing_finding(const findings::Summary& summary, const Group& off, const Group& on) {
  const double without = off.memory_laws.front().per_sample_bytes;
  const double with = on.memory_laws.front().per_sample_bytes;
  Finding finding = measured(kCheckpointing, on.key);
  finding.table = on.table;
  const auto bytes = [](double value) { return base::format_bytes(std::llround(value)); };
  finding.what =
      fmt::format("Checkpointing: {} per sample ({} against {})",
                  less_or_more(with / without, "activation memory"), bytes(with), bytes(without));
  finding.evidence.push_back(evidence_of(kActivationMemoryRatio, with / without));
  const TimeRatio time = time_ratio(summary, off, on);
  if (!time.sizes.empty()) {
    finding.what +=
        fmt::format(", {} (mean of {})", less_or_more(time.value, "time"), batches(time.sizes));
    finding.evidence.push_back(evidence_of(kTimeRatio, time.value));
  }
  finding.what += ".";
  finding.fix = "Use checkpointing where your batch does not fit otherwise.";
  return finding;
}

void add_checkpointing(const findings::Summary& summary, std::vector<Finding>& findings) {
  for (const Group& on : summary.groups) {
    if (!on.key.checkpointing) continue;
    schema::RunConfig key = on.key;
    key.checkpointing = false;
    const Group* off = group_of(summary, key);
    const auto grows = [](const Group& group) {
      return !group.memory_laws.empty() && group.memory_laws.front().per_sample_bytes > 0;
    };
    if (off != nullptr && grows(*off) && grows(on)) {
      findings.push_back(checkpointing_finding(summary, *off, on));
    }
  }
}

// Of a step: by the device's clock where it has one, for the host only issues the work there.
double optimizer_share(const findings::ConfigRow& row) {
  double device_ms = 0, device_optimizer_ms = 0, share = 0;
  for (const findings::PhaseShare& phase : row.phases) {
    device_ms += phase.device_ms.value_or(0);
    if (phase.name != schema::phases::kOptimizer) continue;
    share = phase.share;
    device_optimizer_ms = phase.device_ms.value_or(0);
  }
  return device_optimizer_ms > 0 ? device_optimizer_ms / device_ms : share;
}

void add_optimizer(const Group& group, std::vector<Finding>& findings) {
  std::string where;
  std::vector<int64_t> sizes;
  double most = 0;
  const findings::ConfigRow* worst = nullptr;
  for (const findings::ConfigRow& row : group.rows) {
    const double share = optimizer_share(row);
    if (share <= kMuchOptimizer) continue;
    sizes.push_back(row.config.shape.batch_size);
    const bool first = where.empty();
    where += fmt::format("{}{}{} at batch {}", first ? "" : ", ", percent(share),
                         first ? " of a step" : "", sizes.back());
    if (share > most) worst = &row;
    most = std::max(most, share);
  }
  if (worst == nullptr) return;
  Finding finding = measured(kOptimizer, worst->config);
  finding.table = group.table;
  finding.batch_sizes = sizes;
  finding.what = fmt::format(
      "The optimizer takes {}. Gradient accumulation over k steps saves up to {} x (1 - 1/k) of "
      "the time at batch {}: {} with k = {}, less the cost of accumulating.",
      where, percent(most), worst->config.shape.batch_size,
      percent(most * (1 - 1.0 / kExampleSteps)), kExampleSteps);
  finding.evidence.push_back(evidence_of(kOptimizerShare, most));
  finding.fix =
      "Accumulate gradients over several batches per step if your training allows a larger "
      "effective batch, or use a larger batch.";
  findings.push_back(std::move(finding));
}

}  // namespace

std::vector<Finding> training_findings(const findings::Summary& summary) {
  std::vector<Finding> findings;
  for (const Comparison& comparison : summary.comparisons) {
    if (!comparison.losses || apart(*comparison.losses) <= kLossApart) continue;
    const Group* group = group_of(summary, doubted(comparison));
    findings.push_back(loss_finding(comparison, group == nullptr ? "" : group->table));
  }
  add_checkpointing(summary, findings);
  for (const Group& group : summary.groups) {
    if (group.key.mode == schema::Mode::train) add_optimizer(group, findings);
  }
  for (Finding& each : accumulation_findings(summary)) findings.push_back(std::move(each));
  return findings;
}

void add_loss_doubts(const std::vector<Finding>& findings,
                     std::vector<findings::Recommendation>& recommendations) {
  for (findings::Recommendation& pick : recommendations) {
    const auto departs = std::find_if(findings.begin(), findings.end(), [&](const Finding& each) {
      return each.id == kLossDeparts.id && schema::without_batch_size(*config_of(each.where)) ==
                                               schema::without_batch_size(pick.config);
    });
    if (departs == findings.end() || pick.withdrawn) continue;
    pick.message += " But its loss differs. " + departs->what;
  }
}

findings::Catalogue training_kinds() {
  return {kLossDeparts.kind(), kCheckpointing.kind(), kOptimizer.kind()};
}

}  // namespace batchscope::analyze

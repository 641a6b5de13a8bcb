#include "open_comparison.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "batchscope/stats/multiplicity.hpp"
#include "loss_facts.hpp"
#include "output_facts.hpp"
#include "slow_visits.hpp"
#include "wording.hpp"

namespace batchscope::analyze {
namespace {

// "2 instances at batch 4 do 12 % more samples a second than 1 instance at batch 8 (interval ...)".
std::string rate_words(const Open& open) {
  const schema::Estimate& ratio = open.comparison.ratio;
  const double more = 1 / ratio.value - 1;
  const double sign = more < 0 ? -1 : 1;
  std::optional<schema::Interval> interval;
  if (ratio.ci) {
    const double low = 1 / ratio.ci->high - 1, high = 1 / ratio.ci->low - 1;
    interval = sign > 0 ? schema::Interval{low, high} : schema::Interval{-high, -low};
  }
  return fmt::format("{} do {} {} samples a second than {}{}{}; a batch takes {} instead of {}",
                     open.other, percent(sign * more), sign > 0 ? "more" : "fewer", open.base,
                     open.where, in_interval(interval), milliseconds(open.other_ms),
                     milliseconds(open.base_ms));
}

std::string speed_words(const Open& open) {
  if (open.rates) return rate_words(open);
  const schema::Comparison& comparison = open.comparison;
  const double less = 1 - comparison.ratio.value;
  const bool counted = open.other.find_first_of("0123456789") == 0 &&
                       (open.other.ends_with('s') || comparison.axis == "accumulation");
  std::string words =
      fmt::format("{} {} {} {} time than {} at {}", open.other, counted ? "take" : "takes",
                  percent(std::abs(less)), less > 0 ? "less" : "more", open.base, open.where);
  if (!comparison.ratio.ci) return words;
  const schema::Interval& ci = *comparison.ratio.ci;
  return words + in_interval(less > 0 ? schema::Interval{1 - ci.high, 1 - ci.low}
                                      : schema::Interval{ci.low - 1, ci.high - 1});
}

// What the values are that were compared, where they are not visits of the same blocks.
std::string kind_words(const schema::Comparison& comparison) {
  if (comparison.test == "welch") {
    return "; independent runs: two single runs cannot tell a change of the program from a change "
           "between runs";
  }
  if (comparison.test == "welch-runs") return fmt::format("; {} runs a side", comparison.n);
  if (comparison.test == "paired-runs") return fmt::format("; {} pairs of runs", comparison.n);
  return "";
}

bool is_over_runs(const schema::Comparison& comparison) {
  return comparison.test == "welch-runs" || comparison.test == "paired-runs";
}

std::string sentence_of(const Open& open) {
  const schema::Comparison& comparison = open.comparison;
  const std::string kind = kind_words(comparison);
  if (comparison.significant) return speed_words(open) + kind + ".";
  if (!open.estimate) {
    return fmt::format("{}: too few {} to test.", speed_words(open),
                       is_over_runs(comparison) ? "runs" : "visits");
  }
  const std::string suspect = open.may_prove ? "no difference is proven" : "a suspicion at most";
  return fmt::format("{}: {}{}.", speed_words(open), suspect, kind);
}

std::string message_of(const Open& open) {
  std::string sentence = sentence_of(open);
  if (const auto& slow = open.comparison.slow_visits) {
    std::string words = slow_words(*slow, open.base, open.other);
    if (words.front() == 'a') words.front() = 'A';
    sentence += " " + words + ".";
  }
  if (const auto& outputs = open.comparison.outputs) {
    std::string words = output_words(*outputs);
    words.front() = 'O';
    sentence += " " + words + ".";
  }
  const auto& losses = open.comparison.losses;
  return losses ? fmt::format("{} {}.", sentence, loss_words(*losses)) : sentence;
}

void put_ratio(Open& open, double level) {
  const stats::Interval interval = stats::two_sided_interval(*open.estimate, level);
  open.comparison.ratio = {std::exp(open.estimate->value),
                           schema::Interval{std::exp(interval.low), std::exp(interval.high)}};
}

using ByBlock = std::map<int, double>;

ByBlock logs_by_block(const ConfigData& config) {
  ByBlock logs;
  for (const UsableVisit& visit : config.visits) {
    logs[visit.visit->block] = std::log(timing::typical_ns(visit));
  }
  return logs;
}

}  // namespace

std::string where_words(const schema::RunConfig& config, const RunView& view,
                        const std::string& axis) {
  std::vector<schema::RunConfig> keys;
  for (const GroupData& group : view.groups) keys.push_back(group.key);
  const std::string words = axis_words(config, keys, axis);
  return fmt::format("batch {}{}{}", config.shape.batch_size, words.empty() ? "" : ", ", words);
}

std::vector<double> logs_of(const ConfigData& config) {
  std::vector<double> logs;
  for (const UsableVisit& visit : config.visits)
    logs.push_back(std::log(timing::typical_ns(visit)));
  return logs;
}

Open paired(const ConfigData& base, const ConfigData& other, const AxisDifference& axis,
            const RunView& view, const Options& options) {
  const ByBlock base_logs = logs_by_block(base);
  std::vector<double> contrasts;
  for (const auto& [block, log_time] : logs_by_block(other)) {
    const auto found = base_logs.find(block);
    if (found != base_logs.end()) contrasts.push_back(log_time - found->second);
  }
  Open open;
  open.comparison.axis = axis.axis;
  open.comparison.base = axis.a;
  open.comparison.other = axis.b;
  open.comparison.config = base.config;
  open.base = axis.a_words;
  open.other = axis.b_words;
  open.where = where_words(base.config, view, axis.axis);
  open.comparison.test = "paired";
  open.comparison.n = static_cast<int>(contrasts.size());
  if (!contrasts.empty()) open.comparison.ratio.value = std::exp(contrasts.front());
  open.estimate = stats::estimate_mean(contrasts, options.method);
  open.plain = stats::estimate_mean(contrasts, stats::Method::student_t);
  open.trimmed = stats::estimate_mean(contrasts, stats::Method::yuen_trimmed);
  open.comparison.slow_visits =
      slow_visits({logs_of(base)}, {logs_of(other)}, open.plain, open.trimmed);
  open.may_prove = view.repeated && contrasts.size() >= kPairsForClaims;
  if (axis.axis == "engine" || axis.axis == "precision") {
    const auto* const outputs = outputs_between(*view.run, base.config, other.config);
    if (outputs != nullptr) open.comparison.outputs = *outputs;
  }
  // Whatever else differs, the two train something else, or elsewhere.
  if (axis.axis == "precision" || axis.axis == "checkpointing" || axis.axis == "accumulation") {
    open.comparison.losses = common_losses(base, other);
  }
  return open;
}

void shift_ratio(Open& open, double shift) {
  open.comparison.ratio.value *= std::exp(shift);
  for (auto* estimate : {&open.estimate, &open.plain, &open.trimmed}) {
    if (*estimate) (*estimate)->value += shift;
  }
  if (auto& slow = open.comparison.slow_visits) slow->mean_ratio *= std::exp(shift);
}

std::vector<schema::Comparison> judge(std::vector<Open> all, const Options& options) {
  std::vector<double> p_values;
  for (const Open& open : all) {
    p_values.push_back(open.estimate ? stats::p_differs(*open.estimate) : 1.0);
  }
  const auto verdicts = stats::holm(p_values, 1 - options.level);
  std::vector<schema::Comparison> comparisons;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Open& open = all[i];
    open.comparison.p_value = verdicts[i].adjusted_p;
    if (open.estimate) {
      put_ratio(open, 1 - verdicts[i].alpha);
      open.comparison.significant = open.may_prove && verdicts[i].rejected;
    }
    open.comparison.message = message_of(open);
    comparisons.push_back(std::move(open.comparison));
  }
  return comparisons;
}

}  // namespace batchscope::analyze

#include "open_comparison.hpp"

#include <fmt/format.h>

#include <cmath>

#include "batchscope/base/counted.hpp"
#include "batchscope/compare/loss_facts.hpp"
#include "batchscope/compare/output_facts.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/multiplicity.hpp"
#include "batchscope/tables/estimates.hpp"
#include "batchscope/timing/contrasted.hpp"
#include "batchscope/timing/evidence.hpp"
#include "batchscope/timing/paired.hpp"
#include "reach.hpp"
#include "slow_visits.hpp"

namespace batchscope::compare {
namespace {

using findings::in_interval;
using findings::milliseconds;
using findings::percent;
using schema::AxisId;
using tables::axis_words;
using tables::AxisDifference;
using tables::ConfigData;
using tables::GroupData;
using tables::RunView;
using tables::TestOptions;

// "2 instances at batch 4 do 12 % more samples per second than 1 instance at batch 8 (interval
// ...)".
std::string rate_words(const Open& open) {
  const findings::Estimate& ratio = open.comparison.ratio;
  const double more = 1 / ratio.value - 1;
  const double sign = more < 0 ? -1 : 1;
  std::optional<stats::Interval> interval;
  if (ratio.ci) {
    const double low = 1 / ratio.ci->high - 1, high = 1 / ratio.ci->low - 1;
    interval = sign > 0 ? stats::Interval{low, high} : stats::Interval{-high, -low};
  }
  return fmt::format(
      "{} process {} {} samples per second than {}{}{}; a batch takes {} instead of {}", open.other,
      percent(sign * more), sign > 0 ? "more" : "fewer", open.base, open.where,
      in_interval(interval), milliseconds(open.other_ms), milliseconds(open.base_ms));
}

std::string speed_words(const Open& open) {
  if (open.rates) return rate_words(open);
  const findings::Comparison& comparison = open.comparison;
  const double less = 1 - comparison.ratio.value;
  const bool counted = open.other.find_first_of("0123456789") == 0 &&
                       (open.other.ends_with('s') || comparison.axis_id == AxisId::accumulation);
  std::string words =
      fmt::format("{} {} {} {} time than {} at {}", open.other, counted ? "take" : "takes",
                  percent(std::abs(less)), less > 0 ? "less" : "more", open.base, open.where);
  if (!comparison.ratio.ci) return words;
  const stats::Interval& ci = *comparison.ratio.ci;
  return words + in_interval(less > 0 ? stats::Interval{1 - ci.high, 1 - ci.low}
                                      : stats::Interval{ci.low - 1, ci.high - 1});
}

// What the values are that were compared, where they are not visits of the same blocks.
std::string kind_words(const findings::Comparison& comparison) {
  if (comparison.test == findings::ComparisonTest::welch) {
    return "; two single runs: this may be variation between runs";
  }
  if (comparison.test == findings::ComparisonTest::welch_runs)
    return fmt::format("; {} a side", base::counted(comparison.n, "run"));
  if (comparison.test == findings::ComparisonTest::paired_runs)
    return fmt::format("; {} of runs", base::counted(comparison.n, "pair"));
  return "";
}

bool is_over_runs(const findings::Comparison& comparison) {
  return comparison.test == findings::ComparisonTest::welch_runs ||
         comparison.test == findings::ComparisonTest::paired_runs;
}

std::string sentence_of(const Open& open) {
  const findings::Comparison& comparison = open.comparison;
  const std::string kind = kind_words(comparison);
  if (comparison.significant) return speed_words(open) + kind + ".";
  if (!open.typical.estimate) {
    return fmt::format("{}: too few {} to test.", speed_words(open),
                       is_over_runs(comparison) ? "runs" : "visits");
  }
  const char* const suspect = open.may_prove ? "no significant difference"
                              : open.settled
                                  ? "suspected only"
                                  : "suspected only, as visits may still include warm-up";
  return fmt::format("{}: {}{}.", speed_words(open), suspect, kind);
}

// "On average it takes 900 % more time (...): some iterations are far from the typical one."
std::string mean_words(const findings::MeanRatio& mean) {
  const double more = mean.ratio.value - 1;
  const stats::Interval& ci = *mean.ratio.ci;
  constexpr double kManyTimes = 2, kTellsNothing = 10;
  if (ci.high >= kTellsNothing && ci.low <= 1 / kTellsNothing) {
    return "The means of all iterations show no significant difference: some iterations are far "
           "from typical.";
  }
  if (ci.high >= kManyTimes) {
    return fmt::format(
        "On average over all iterations it takes {:.3g} times as long (CI {:.3g} to {:.3g} "
        "times{}): some iterations are far from typical.",
        mean.ratio.value, ci.low, ci.high, mean.significant ? "" : ", not significant");
  }
  return fmt::format(
      "On average over all iterations the difference is {} {} time{}{}: some iterations are far "
      "from typical.",
      percent(std::abs(more)), more < 0 ? "less" : "more",
      in_interval(more < 0 ? stats::Interval{1 - ci.high, 1 - ci.low}
                           : stats::Interval{ci.low - 1, ci.high - 1}),
      mean.significant ? "" : ", not significant");
}

std::string message_of(const Open& open) {
  std::string sentence = sentence_of(open);
  if (const auto& mean = open.comparison.by_mean) sentence += " " + mean_words(*mean);
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

std::vector<double> contrasts_of(const timing::ContrastedVisits& sides, TimeOfVisit time) {
  return timing::paired(timing::logs_by_block(sides.b, time), timing::logs_by_block(sides.a, time));
}

LogRatio log_ratio_of(const std::vector<double>& contrasts, const TestOptions& options) {
  return {stats::estimate_mean(contrasts, options.method),
          stats::estimate_mean(contrasts, stats::Method::student_t),
          stats::estimate_mean(contrasts, stats::Method::yuen_trimmed),
          stats::estimate_but_accidents(contrasts)};
}

findings::Estimate ratio_at(const stats::MeanEstimate& estimate, double level) {
  const stats::Interval interval = stats::two_sided_interval(estimate, level);
  return {std::exp(estimate.value),
          stats::Interval{std::exp(interval.low), std::exp(interval.high)}};
}

// Only where it tells another ratio, so that it is one more question: hence half the share of
// error.
std::optional<findings::MeanRatio> mean_ratio(const Open& open, double level) {
  if (!open.typical.estimate || !open.mean.estimate) return std::nullopt;
  const stats::MeanEstimate& mean = *open.mean.estimate;
  const double apart = std::abs(std::exp(mean.value) - std::exp(open.typical.estimate->value));
  const double unseen = std::max(open.mean.unseen.longer, open.mean.unseen.shorter);
  if (std::max(apart, unseen) <= findings::kMeanWorthShowing) return std::nullopt;
  const double half = 1 - (1 - level) / 2;
  const findings::Estimate ratio = tables::allowing_for(open.mean.unseen, ratio_at(mean, half));
  return findings::MeanRatio{ratio, open.may_prove && !ratio.ci->contains(1), open.mean_base_ms,
                             open.mean_other_ms};
}

}  // namespace

std::string where_words(const schema::RunConfig& config, const RunView& view,
                        const std::string& axis) {
  std::vector<schema::RunConfig> keys;
  for (const GroupData& group : view.groups) keys.push_back(group.key);
  const std::string words = axis_words(config, keys, axis);
  return fmt::format("batch {}{}{}", config.shape.batch_size, words.empty() ? "" : ", ", words);
}

double centre_of(const std::vector<double>& logs, stats::Method method) {
  if (logs.empty()) return 0;
  const auto estimate = stats::estimate_mean(logs, method);
  return estimate ? estimate->value : stats::mean(logs);
}

double to_ms(double log_ns) {
  return std::exp(log_ns) / 1e6;
}

Open paired(const ConfigData& base, const ConfigData& other, const AxisDifference& axis,
            const RunView& view, const TestOptions& options) {
  const auto sides = timing::contrasted_visits(*view.run, base.config, other.config,
                                               timing::Use::measured, view.warmups);
  const std::vector<double> contrasts = contrasts_of(sides, timing::typical_ns);
  Open open;
  open.comparison.axis = axis.axis;
  open.comparison.axis_id = axis.id;
  open.comparison.base = axis.a;
  open.comparison.other = axis.b;
  open.comparison.config = base.config;
  open.base = axis.a_words;
  open.other = axis.b_words;
  open.where = where_words(base.config, view, axis.axis);
  open.comparison.test = findings::ComparisonTest::paired;
  open.comparison.n = static_cast<int>(contrasts.size());
  if (!contrasts.empty()) open.comparison.ratio.value = std::exp(contrasts.front());
  open.typical = log_ratio_of(contrasts, options);
  open.mean = log_ratio_of(contrasts_of(sides, timing::mean_ns), options);
  const std::vector<double> of_base = timing::logs_of(sides.a.visits, timing::typical_ns);
  const std::vector<double> of_other = timing::logs_of(sides.b.visits, timing::typical_ns);
  open.base_ms = to_ms(centre_of(of_base, options.method));
  open.other_ms = to_ms(centre_of(of_other, options.method));
  open.mean_base_ms =
      to_ms(centre_of(timing::logs_of(sides.a.visits, timing::mean_ns), options.method));
  open.mean_other_ms =
      to_ms(centre_of(timing::logs_of(sides.b.visits, timing::mean_ns), options.method));
  if (view.repeated) open.comparison.reach = reach_of({&sides.a, 1}, {&sides.b, 1});
  open.comparison.slow_visits =
      slow_visits({of_base}, {of_other}, open.typical.plain, open.typical.trimmed);
  open.mean.unseen = timing::unseen_of_ratio(view.slow.unseen_by(other.config, sides.b.visits),
                                             view.slow.unseen_by(base.config, sides.a.visits));
  open.settled = sides.settled;
  open.may_prove = view.repeated && open.settled && contrasts.size() >= timing::kPairsToProve;
  if (axis.id == AxisId::engine || axis.id == AxisId::precision || axis.id == AxisId::device ||
      axis.id == AxisId::compile) {
    const auto* const outputs = outputs_between(*view.run, base.config, other.config);
    if (outputs != nullptr) open.comparison.outputs = *outputs;
  }
  // Whatever else differs, the two train something else, or elsewhere.
  if (axis.id == AxisId::precision || axis.id == AxisId::checkpointing ||
      axis.id == AxisId::accumulation) {
    open.comparison.losses = common_losses(base, other);
  }
  return open;
}

void shift_ratio(Open& open, double shift) {
  open.comparison.ratio.value *= std::exp(shift);
  for (LogRatio* ratio : {&open.typical, &open.mean}) {
    for (auto* estimate :
         {&ratio->estimate, &ratio->plain, &ratio->trimmed, &ratio->but_accidents}) {
      if (*estimate) (*estimate)->value += shift;
    }
  }
  if (auto& slow = open.comparison.slow_visits) slow->mean_ratio *= std::exp(shift);
}

std::vector<findings::Comparison> judge(std::vector<Open> all, const TestOptions& options) {
  std::vector<double> p_values;
  for (const Open& open : all) {
    p_values.push_back(open.typical.estimate ? stats::p_differs(*open.typical.estimate) : 1.0);
  }
  const auto verdicts = stats::holm(p_values, 1 - options.level);
  std::vector<findings::Comparison> comparisons;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Open& open = all[i];
    open.comparison.base_ms = open.base_ms;
    open.comparison.other_ms = open.other_ms;
    open.comparison.p_value = verdicts[i].adjusted_p;
    if (open.typical.estimate) {
      open.comparison.ratio = ratio_at(*open.typical.estimate, 1 - verdicts[i].alpha);
      open.comparison.significant = open.may_prove && verdicts[i].rejected;
      const double each = 1 - (1 - options.level) / static_cast<double>(all.size());
      open.comparison.by_mean = mean_ratio(open, each);
    }
    open.comparison.message = message_of(open);
    comparisons.push_back(std::move(open.comparison));
  }
  return comparisons;
}

}  // namespace batchscope::compare

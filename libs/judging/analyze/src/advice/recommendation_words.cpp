#include "recommendation_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/floors.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "batchscope/tables/axes.hpp"

namespace batchscope::analyze {
namespace {

using base::capitalised;
using findings::batches;
using findings::in_interval;
using findings::list;
using findings::milliseconds;
using findings::percent;
using findings::percent_range;
using findings::three_digits;
using schema::AxisKind;
using tables::axis_words;
using tables::is_same_work;

std::vector<schema::RunConfig> keys_of(const std::vector<findings::Group>& groups) {
  std::vector<schema::RunConfig> keys;
  for (const findings::Group& group : groups) keys.push_back(group.key);
  return keys;
}

std::vector<schema::RunConfig> same_work(const schema::RunConfig& config,
                                         const std::vector<findings::Group>& groups) {
  std::vector<schema::RunConfig> keys = keys_of(groups);
  std::erase_if(keys, [&](const schema::RunConfig& key) { return !is_same_work(key, config); });
  return keys;
}

std::string batch_with(const schema::RunConfig& config,
                       const std::vector<schema::RunConfig>& others) {
  const std::string settings = axis_words(config, others, AxisKind::setting);
  return fmt::format("{}{}", batches(std::vector{config.shape.batch_size}),
                     settings.empty() ? "" : " with " + settings);
}

// "For mlp, use batch 4 with bf16": names what the run's tables differ in, so that it can be
// followed without reading them.
std::string advice(const schema::RunConfig& pick, const std::vector<findings::Group>& groups) {
  const std::string lead = for_work(pick, groups);
  return fmt::format("{}{} {}", lead, lead.empty() ? "Use" : "use",
                     batch_with(pick, same_work(pick, groups)));
}

std::string left_out_words(const findings::Recommendation& pick,
                           const std::vector<findings::Group>& groups) {
  std::string text;
  const auto add = [&](findings::LeftOutReason reason, const char* because) {
    const std::string which = which_left_out(pick, reason, groups);
    if (!which.empty()) text += fmt::format(" Excluded: {} ({}).", which, because);
  };
  add(findings::LeftOutReason::latency, "upper end of the time's CI above the budget");
  add(findings::LeftOutReason::latency_unknown, "too few iterations for that percentile");
  add(findings::LeftOutReason::memory, "peak memory above the limit");
  add(findings::LeftOutReason::memory_unknown, "memory unknown");
  add(findings::LeftOutReason::loss, "loss differs from fp32");
  add(findings::LeftOutReason::outputs, "outputs differ from fp32");
  add(findings::LeftOutReason::out_of_memory, "repeatedly out of memory");
  add(findings::LeftOutReason::failed, "repeatedly failed");
  add(findings::LeftOutReason::few_visits, "less than half the visits of the others");
  add(findings::LeftOutReason::warming, "may still be warming up");
  return text;
}

// Where batches are accumulated, steps of other samples are other trainings, which no speed tells
// apart.
std::string step_words(const schema::RunConfig& pick, const std::vector<findings::Group>& groups) {
  int64_t least = schema::effective_batch(pick), most = least;
  bool accumulated = false;
  for (const findings::Group& group : groups) {
    if (pick.mode != schema::Mode::train || !is_same_work(group.key, pick)) continue;
    for (const findings::ConfigRow& row : group.rows) {
      accumulated |= row.config.accumulation > 1;
      least = std::min(least, schema::effective_batch(row.config));
      most = std::max(most, schema::effective_batch(row.config));
    }
  }
  if (!accumulated || least == most) return "";
  return fmt::format(
      " Ranked by samples per second alone: steps have {} to {} samples. --effective-batch "
      "compares steps of the same size.",
      least, most);
}

// How far the throughput of the ties is from the pick's, as measured; what is less than the last
// digit that is shown counts as that.
double tie_distance(const findings::Recommendation& pick,
                    const std::vector<findings::Group>& groups) {
  double farthest = 0.001;
  for (const findings::Group& group : groups) {
    if (group.key != schema::without_batch_size(pick.config)) continue;
    for (const findings::ConfigRow& row : group.rows) {
      const int64_t size = row.config.shape.batch_size;
      if (std::find(pick.ties.begin(), pick.ties.end(), size) == pick.ties.end()) continue;
      const double ratio = row.throughput_per_s.value / pick.throughput_per_s;
      farthest = std::max(farthest, std::abs(ratio - 1));
    }
  }
  return farthest;
}

std::string tie_words(const findings::Recommendation& pick,
                      const std::vector<findings::Group>& groups) {
  if (pick.ties.empty()) return "";
  const bool one = pick.ties.size() == 1;
  return fmt::format(" {} {} {} equally fast within {}. Use the smaller batch.",
                     one ? "Batch" : "Batches", list(pick.ties), one ? "was" : "were",
                     percent(tie_distance(pick, groups)));
}

// " (95 % CI 15 to 19 %)", or why there is none: a number alone reads as if it were sure.
std::string gain_interval(const findings::Estimate& gain, double level) {
  constexpr double kOfTables = 0.95;
  if (!gain.ci) return " (no CI: one number each)";
  return fmt::format(" ({:.4g} % CI {}{})", 100 * level, percent_range(*gain.ci),
                     level > kOfTables ? ", corrected for picking the best" : "");
}

// "The upper end of the p95's CI".
std::string upper_end_of(const Bounds& bounds) {
  return fmt::format("The upper end of the {}'s CI",
                     bounds.of_typical() ? "time" : to_string(bounds.latency_of));
}

std::string milliseconds_at_most(const findings::ConfigRow& row, const Bounds& bounds) {
  return fmt::format(" {}, {}, is within the budget ({}).",
                     bounds.of_typical() && !row.time_ms.ci && row.n < 2
                         ? "Its time (one measurement, no CI)"
                         : upper_end_of(bounds),
                     milliseconds(latest_ms(row, bounds)), milliseconds(*bounds.latency_ms));
}

// What would tell the two apart.
std::string settling_words(const findings::Recommendation& pick) {
  if (const auto most = alike_within(pick)) {
    return fmt::format(" It is at most {}: use either.", percent(*most));
  }
  if (pick.visit_s_needed) {
    return fmt::format(" The visits are too short: measure longer ones (--min-visit-time {}s).",
                       *pick.visit_s_needed);
  }
  if (!pick.blocks_needed) {
    return " The times scatter too much for any practical number of blocks: use a quieter machine, "
           "or pin the cores.";
  }
  if (!schema::states_engine(pick.config)) {
    return fmt::format(" About {} repeats of each should settle it.", *pick.blocks_needed);
  }
  return fmt::format(
      " About {} should settle it (--blocks {}), or fewer on a quieter machine or with pinned "
      "cores.",
      base::counted(*pick.blocks_needed, "block"), *pick.blocks_needed);
}

}  // namespace

std::string baseline_words(const findings::Recommendation& pick) {
  return batch_with(*pick.baseline, {pick.config});
}

std::string gain_against(const findings::Recommendation& pick) {
  const std::string settings =
      axis_words(*pick.baseline, std::vector{pick.config}, AxisKind::setting);
  return fmt::format("batch_size {}{}", pick.baseline->shape.batch_size,
                     settings.empty() ? "" : " with " + settings);
}

std::string message_of(const findings::Recommendation& pick, const ShownGain& gain,
                       const std::vector<findings::Group>& groups, const Bounds& bounds,
                       const findings::ConfigRow& row) {
  std::string text = fmt::format("{}: {} samples/s at {} per {}", advice(pick.config, groups),
                                 three_digits(pick.throughput_per_s), milliseconds(pick.latency_ms),
                                 pick.config.accumulation > 1 ? "step" : "batch");
  if (gain.value) {
    text += fmt::format(", {} {} throughput than {}{}", percent(std::abs(gain.value->value)),
                        gain.value->value >= 0 ? "more" : "less", baseline_words(pick),
                        gain_interval(*gain.value, gain.level));
  }
  text += ".";
  text += tie_words(pick, groups);
  if (bounds.latency_ms) text += milliseconds_at_most(row, bounds);
  text += step_words(pick.config, groups) + left_out_words(pick, groups);
  if (pick.good_sizes.size() > 1) {
    text += fmt::format(" Good sizes to round to: {}.", list(pick.good_sizes));
  }
  return text;
}

std::string which_left_out(const findings::Recommendation& pick, findings::LeftOutReason reason,
                           const std::vector<findings::Group>& groups) {
  std::vector<int64_t> sizes;
  for (const findings::Exclusion& each : pick.left_out) {
    if (each.reason == reason) sizes.push_back(each.config.shape.batch_size);
  }
  if (sizes.empty()) return "";
  if (same_work(pick.config, groups).size() == 1) return batches(sizes);
  return fmt::format("{} of {}", sizes.size(),
                     base::counted(pick.points_measured, "configuration"));
}

std::string unlike_words(const findings::Recommendation& pick,
                         const std::vector<findings::Group>& groups) {
  const std::string outputs = which_left_out(pick, findings::LeftOutReason::outputs, groups);
  if (!outputs.empty()) {
    return fmt::format("Excluded from the choice: {} (outputs differ from fp32).", outputs);
  }
  const std::string loss = which_left_out(pick, findings::LeftOutReason::loss, groups);
  return loss.empty() ? ""
                      : fmt::format("Excluded from the choice: {} (loss differs from fp32).", loss);
}

std::string too_small_words(const schema::RunConfig& best, const schema::RunConfig& baseline,
                            const Gain& gain, double practical) {
  const std::string other = batch_with(best, {baseline});
  if (gain.estimate.value <= 0) return "";
  return fmt::format(" Nothing gains {} or more: {} measures best, with {} more throughput{}.",
                     percent(practical), other, percent(gain.estimate.value),
                     gain_interval(gain.estimate, gain.level));
}

std::string unconfirmed_words(const schema::RunConfig& best, const schema::RunConfig& baseline,
                              const findings::Recommendation& pick, const Gain& gain) {
  return fmt::format(" {} may be better still, but scatters too much: compared with {}, {} {}{}.",
                     capitalised(batch_with(best, {pick.config})), batch_with(baseline, {best}),
                     percent(std::abs(gain.estimate.value)),
                     gain.estimate.value >= 0 ? "more" : "less",
                     gain_interval(gain.estimate, gain.level));
}

std::string for_work(const schema::RunConfig& config, const std::vector<findings::Group>& groups) {
  const std::string work = axis_words(config, keys_of(groups), AxisKind::work);
  return work.empty() ? "" : fmt::format("For {}, ", work);
}

std::string choice_words(const schema::RunConfig& pick,
                         const std::vector<findings::Group>& groups) {
  return same_work(pick, groups).size() > 1 ? "setting" : "batch size";
}

std::string setting_words(const schema::RunConfig& pick,
                          const std::vector<findings::Group>& groups) {
  const std::string settings = axis_words(pick, same_work(pick, groups), AxisKind::setting);
  return fmt::format("batch {}{}{}", pick.shape.batch_size, settings.empty() ? "" : ", ", settings);
}

std::string undecided_words(const findings::Recommendation& pick, const std::string& fresh,
                            const std::vector<findings::Group>& groups, const Bounds& bounds) {
  const std::string lead = for_work(pick.config, groups);
  std::string text = fmt::format("{}{}t is unclear which {} is best: no significant difference.",
                                 lead, lead.empty() ? "I" : "i", choice_words(pick.config, groups));
  if (pick.open_gain) {
    text += fmt::format(" The largest difference is {} of throughput{}.",
                        percent(pick.open_gain->value),
                        gain_interval(*pick.open_gain, pick.gain_level));
  }
  if (pick.fresh_visits > 0) {
    text += fmt::format(" {} separate visits do not settle it.", pick.fresh_visits);
  } else if (!fresh.empty()) {
    text +=
        " The separate visits may still include warm-up; measure longer ones (--min-visit-time).";
  }
  text += settling_words(pick);
  if (bounds.any()) text += fmt::format(" Bounds: {}.", describe(bounds));
  return text + left_out_words(pick, groups);
}

std::optional<double> alike_within(const findings::Recommendation& pick) {
  constexpr double kAlike = 0.05;
  if (!pick.open_gain || !pick.open_gain->ci) return std::nullopt;
  const auto& [value, interval] = *pick.open_gain;
  const double most = std::max(std::abs(interval->low), std::abs(interval->high));
  return std::abs(value) < findings::kPractical && most <= kAlike ? std::optional(most)
                                                                  : std::nullopt;
}

std::string what_is_unknown(const findings::Recommendation& pick) {
  const auto all_for = [&](findings::LeftOutReason reason) {
    return !pick.feasible && !pick.left_out.empty() &&
           std::all_of(pick.left_out.begin(), pick.left_out.end(),
                       [&](const findings::Exclusion& each) { return each.reason == reason; });
  };
  if (all_for(findings::LeftOutReason::memory_unknown)) return "the run has no memory figures";
  if (all_for(findings::LeftOutReason::latency_unknown)) return "the run has too few iterations";
  return "";
}

std::string infeasible_words(const findings::Recommendation& pick,
                             const std::vector<findings::Group>& groups, const Bounds& bounds,
                             const findings::ConfigRow& row) {
  const std::string lead = for_work(pick.config, groups);
  const std::string unknown = what_is_unknown(pick);
  std::string text =
      fmt::format("{}{}othing measured meets {}{}{}.", lead, lead.empty() ? "N" : "n",
                  describe(bounds), unknown.empty() ? "" : " as far as known: ", unknown);
  text += fmt::format(" Nearest: {} at {} per batch",
                      batch_with(pick.config, same_work(pick.config, groups)),
                      milliseconds(row.time_ms.value));
  const double latest = latest_ms(row, bounds);
  if ((row.time_ms.ci || row.n > 1) && std::isfinite(latest)) {
    text += fmt::format(" ({}up to {})", statistic_words(bounds), milliseconds(latest));
  }
  const auto memory = memory_of(row);
  if (bounds.memory_bytes) {
    text += memory ? fmt::format(" and {}", base::format_bytes(*memory))
                   : std::string(", memory unknown");
  }
  return text + ".";
}

}  // namespace batchscope::analyze

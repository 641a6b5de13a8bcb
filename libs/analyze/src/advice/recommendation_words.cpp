#include "recommendation_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/device_name.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "batchscope/tables/axes.hpp"

namespace batchscope::analyze {
namespace {

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

std::string capitalised(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(text.front()));
  return text;
}

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

std::string for_work(const schema::RunConfig& config, const std::vector<findings::Group>& groups) {
  const std::string work = axis_words(config, keys_of(groups), AxisKind::work);
  return work.empty() ? "" : fmt::format("For {}, ", work);
}

// "For mlp, use batch 4 with bf16": names what the run's tables differ in, so that it can be
// followed without reading them.
std::string advice(const schema::RunConfig& pick, const std::vector<findings::Group>& groups) {
  const std::string lead = for_work(pick, groups);
  return fmt::format("{}{} {}", lead, lead.empty() ? "Use" : "use",
                     batch_with(pick, same_work(pick, groups)));
}

// Of one reason: "batches 16 and 32", or with several tables "5 of 12 configurations".
std::string counted(const findings::Recommendation& pick, findings::LeftOutReason reason,
                    bool one_table) {
  std::vector<int64_t> sizes;
  for (const findings::LeftOut& each : pick.left_out) {
    if (each.reason == reason) sizes.push_back(each.config.shape.batch_size);
  }
  if (sizes.empty()) return "";
  if (one_table) return batches(sizes);
  return fmt::format("{} of {} configurations", sizes.size(), pick.points_measured);
}

std::string left_out_words(const findings::Recommendation& pick,
                           const std::vector<findings::Group>& groups) {
  const bool one_table = same_work(pick.config, groups).size() == 1;
  std::string text;
  const auto add = [&](findings::LeftOutReason reason, const char* because) {
    const std::string which = counted(pick, reason, one_table);
    if (!which.empty()) text += fmt::format(" Left out: {}, {}.", which, because);
  };
  add(findings::LeftOutReason::latency,
      "where the upper end of the interval of the time is above the budget");
  add(findings::LeftOutReason::memory, "where peak memory is above the limit");
  add(findings::LeftOutReason::memory_unknown, "whose memory is not known");
  add(findings::LeftOutReason::loss, "whose loss departs from that in fp32");
  add(findings::LeftOutReason::outputs, "whose outputs are not those in fp32");
  add(findings::LeftOutReason::out_of_memory, "which ran out of memory again and again");
  add(findings::LeftOutReason::failed, "which failed again and again");
  add(findings::LeftOutReason::few_visits, "with less than half the visits of the others");
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
      " Ranked by samples a second alone: a step takes {} to {} samples; {} compares ways to make "
      "one step.",
      least, most, mention(base::Subject::effective_batch));
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
  return fmt::format(" {} {} {} measured as fast within {}; the smaller batch is taken.",
                     one ? "Batch" : "Batches", list(pick.ties), one ? "was" : "were",
                     percent(tie_distance(pick, groups)));
}

// " (interval 15 to 19 %)", with its level where that is not the one of the tables, or why there is
// none: a number that stands alone reads as if it were sure.
std::string gain_interval(const findings::Estimate& gain, double level,
                          const schema::RunConfig& config) {
  constexpr double kOfTables = 0.95;
  if (!gain.ci) {
    return fmt::format(" (no interval: one {})",
                       schema::states_engine(config) ? "visit" : "number each");
  }
  if (level <= kOfTables) return in_interval(gain.ci);
  return fmt::format(" (interval {}, at {:.4g} % as the best of several)", percent_range(*gain.ci),
                     100 * level);
}

std::string milliseconds_at_most(const findings::ConfigRow& row, const Bounds& bounds) {
  return fmt::format(" {}, {}, is within the budget of {}.",
                     row.time_ms.ci || row.n > 1
                         ? "The upper end of the interval of its time"
                         : "Its time, of one measurement without an interval",
                     milliseconds(latest_ms(row, bounds)), milliseconds(*bounds.latency_ms));
}

// What would tell the two apart.
std::string settling_words(const findings::Recommendation& pick, const Gain& gain) {
  if (!gain.blocks_needed) {
    return " At this scatter no practical number of blocks would settle it: it takes a quieter "
           "machine, or "
           "pinned cores.";
  }
  if (!schema::states_engine(pick.config)) {
    return fmt::format(" About {} repeats of both would settle it at this scatter.",
                       *gain.blocks_needed);
  }
  return fmt::format(
      " About {} blocks would settle it at this scatter ({} {}); a quieter machine and pinned "
      "cores need fewer.",
      *gain.blocks_needed, mention(base::Subject::blocks), *gain.blocks_needed);
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
  std::string text = fmt::format("{}: {} samples/s at {} a {}", advice(pick.config, groups),
                                 three_digits(pick.throughput_per_s), milliseconds(pick.latency_ms),
                                 pick.config.accumulation > 1 ? "step" : "batch");
  if (gain.value) {
    text += fmt::format(", {} {} throughput than {}{}", percent(std::abs(gain.value->value)),
                        gain.value->value >= 0 ? "more" : "less", baseline_words(pick),
                        gain_interval(*gain.value, gain.level, pick.config));
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

std::string too_small_words(const schema::RunConfig& best, const schema::RunConfig& baseline,
                            const Gain& gain, double practical) {
  const std::string other = batch_with(best, {baseline});
  if (gain.estimate.value <= 0) return "";
  return fmt::format(" Nothing gives more by {} or more: {} looks best, with {} more throughput{}.",
                     percent(practical), other, percent(gain.estimate.value),
                     gain_interval(gain.estimate, gain.level, best));
}

std::string looks_better_words(const schema::RunConfig& best, const schema::RunConfig& baseline,
                               const findings::Recommendation& pick, const Gain& gain) {
  return fmt::format(
      " {} looks better still, but scatters so much that it is not shown to be better than {}: {} "
      "{}{}.",
      capitalised(batch_with(best, {pick.config})), batch_with(baseline, {best}),
      percent(std::abs(gain.estimate.value)), gain.estimate.value >= 0 ? "more" : "less",
      gain_interval(gain.estimate, gain.level, best));
}

std::string undecided_words(const findings::Recommendation& pick, const Gain& gain,
                            const findings::Recommendation& tried, const std::string& fresh,
                            const std::vector<findings::Group>& groups, const Bounds& bounds) {
  const std::string lead = for_work(pick.config, groups);
  std::string text = fmt::format(
      "{}{}othing is shown to be better than {}, which stays: {} samples/s at {} a {}. {} looks "
      "best, by {}{}, but cannot be told from it.",
      lead, lead.empty() ? "N" : "n", batch_with(pick.config, same_work(pick.config, groups)),
      three_digits(pick.throughput_per_s), milliseconds(pick.latency_ms),
      pick.config.accumulation > 1 ? "step" : "batch",
      capitalised(batch_with(tried.config, {pick.config})), percent(gain.estimate.value),
      gain_interval(gain.estimate, gain.level, tried.config));
  if (tried.fresh_visits > 0) {
    text += fmt::format(" {} fresh visits do not settle it: {} more{}.", tried.fresh_visits,
                        percent(tried.gain->value), in_interval(tried.gain->ci));
  } else {
    text += fresh;
  }
  text += settling_words(pick, gain);
  if (bounds.any()) text += fmt::format(" Bounds: {}.", describe(bounds));
  return text + left_out_words(pick, groups);
}

std::string infeasible_words(const findings::Recommendation& pick,
                             const std::vector<findings::Group>& groups, const Bounds& bounds,
                             const findings::ConfigRow& row) {
  const std::string lead = for_work(pick.config, groups);
  const bool unknown = std::all_of(
      pick.left_out.begin(), pick.left_out.end(),
      [](const auto& each) { return each.reason == findings::LeftOutReason::memory_unknown; });
  std::string text =
      fmt::format("{}{}othing that was measured keeps {}{}.", lead, lead.empty() ? "N" : "n",
                  describe(bounds), unknown ? ", as far as is known: no memory was recorded" : "");
  text += fmt::format(" Nearest: {} at {} a batch",
                      batch_with(pick.config, same_work(pick.config, groups)),
                      milliseconds(row.time_ms.value));
  if (row.time_ms.ci || row.n > 1)
    text += fmt::format(" (up to {})", milliseconds(latest_ms(row, bounds)));
  const auto& memory = schema::is_cpu(pick.config.device) ? row.memory.peak_rss_bytes
                                                          : row.memory.peak_reserved_bytes;
  if (bounds.memory_bytes) {
    text += memory ? fmt::format(" and {}", base::format_bytes(*memory))
                   : std::string(", its memory is not known");
  }
  return text + ".";
}

}  // namespace batchscope::analyze

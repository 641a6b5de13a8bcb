#include "comparisons.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "axes.hpp"
#include "batchscope/stats/multiplicity.hpp"
#include "loss_facts.hpp"
#include "wording.hpp"

namespace batchscope::analyze {
namespace {

// A contrast before its family is known.
struct Open {
  schema::Comparison comparison;
  std::optional<stats::MeanEstimate> estimate;  // ln(other / base)
  bool may_prove = true;
  // What the sentence names: "2 threads", "1 thread", "batch 4, bf16".
  std::string other;
  std::string base;
  std::string where;
};

// Batch size, and whatever else tells `config` from the rest of the run.
std::string where_words(const schema::RunConfig& config, const RunView& view,
                        const std::string& axis) {
  std::vector<schema::RunConfig> keys;
  for (const GroupData& group : view.groups) keys.push_back(group.key);
  const std::string words = axis_words(config, keys, axis);
  return fmt::format("batch {}{}{}", config.shape.batch_size, words.empty() ? "" : ", ", words);
}

std::string speed_words(const Open& open) {
  const schema::Comparison& comparison = open.comparison;
  const double less = 1 - comparison.ratio.value;
  const bool counted = open.other.find_first_of("0123456789") == 0 && open.other.ends_with('s');
  std::string words =
      fmt::format("{} {} {} {} than {} at {}", open.other, counted ? "are" : "is",
                  percent(std::abs(less)), less > 0 ? "faster" : "slower", open.base, open.where);
  if (!comparison.ratio.ci) return words;
  const schema::Interval& ci = *comparison.ratio.ci;
  return words + in_interval(less > 0 ? schema::Interval{1 - ci.high, 1 - ci.low}
                                      : schema::Interval{ci.low - 1, ci.high - 1});
}

std::string time_sentence(const Open& open) {
  const schema::Comparison& comparison = open.comparison;
  const std::string kind =
      comparison.test == "welch" ? "; independent runs, so drift between them counts too" : "";
  if (comparison.significant) return speed_words(open) + kind + ".";
  if (!open.estimate) return speed_words(open) + ": too few visits to test.";
  const std::string suspect = open.may_prove ? "no difference is proven" : "a suspicion at most";
  return fmt::format("{}: {}{}.", speed_words(open), suspect, kind);
}

std::string message_of(const Open& open) {
  const std::string sentence = time_sentence(open);
  const auto& losses = open.comparison.losses;
  return losses ? fmt::format("{} {}.", sentence, loss_words(*losses)) : sentence;
}

void put_ratio(Open& open, double level) {
  const stats::Interval interval = stats::two_sided_interval(*open.estimate, level);
  open.comparison.ratio = {std::exp(open.estimate->value),
                           schema::Interval{std::exp(interval.low), std::exp(interval.high)}};
}

// One Holm family; each interval at the level its own test had in it.
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

using ByBlock = std::map<int, double>;

ByBlock logs_by_block(const ConfigData& config) {
  ByBlock logs;
  for (const UsableVisit& visit : config.visits) {
    logs[visit.visit->block] = std::log(visit_median_ns(visit));
  }
  return logs;
}

std::vector<double> logs_of(const ConfigData& config) {
  std::vector<double> logs;
  for (const UsableVisit& visit : config.visits) logs.push_back(std::log(visit_median_ns(visit)));
  return logs;
}

const ConfigData* find_size(const GroupData& group, int64_t size) {
  for (const ConfigData& config : group.configs) {
    if (config.batch_size() == size) return &config;
  }
  return nullptr;
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
  open.may_prove = view.repeated && contrasts.size() >= 6;
  // Whatever else differs, the two train something else, or elsewhere.
  if (axis.axis == "precision" || axis.axis == "checkpointing") {
    open.comparison.losses = common_losses(base, other);
  }
  return open;
}

Open welch(const ConfigData& base, const ConfigData& other, bool may_prove,
           const Options& options) {
  const std::vector<double> a = logs_of(other);
  const std::vector<double> b = logs_of(base);
  Open open;
  open.comparison.axis = "run";
  open.comparison.config = base.config;
  open.comparison.test = "welch";
  open.comparison.n = static_cast<int>(std::min(a.size(), b.size()));
  open.comparison.ratio.value = std::exp(a.front() - b.front());
  open.estimate = stats::estimate_difference(a, b, options.method);
  open.may_prove = may_prove && open.comparison.n >= 6;
  return open;
}

const ConfigData* find_config(const RunView& view, const schema::RunConfig& config) {
  for (const GroupData& group : view.groups) {
    for (const ConfigData& candidate : group.configs) {
      if (candidate.config == config) return &candidate;
    }
  }
  return nullptr;
}

// Longer sequences are more work, and so is training: their times answer no question together.
bool is_other_work(const std::string& axis) {
  return axis == "seq_len" || axis == "mode";
}

// Of three values of an axis the first is compared with the second and the third, not these with
// each other: fewer tests, and what a reader asks.
bool is_first_on_axis(const RunView& view, std::size_t group, const std::string& axis) {
  for (std::size_t earlier = 0; earlier < group; ++earlier) {
    const auto difference = single_difference(view.groups[earlier].key, view.groups[group].key);
    if (difference && difference->axis == axis) return false;
  }
  return true;
}

}  // namespace

std::vector<schema::Comparison> compare_within(const RunView& view, const Options& options) {
  std::vector<Open> all;
  for (std::size_t i = 0; i < view.groups.size(); ++i) {
    for (std::size_t j = i + 1; j < view.groups.size(); ++j) {
      const auto axis = single_difference(view.groups[i].key, view.groups[j].key);
      if (!axis || is_other_work(axis->axis) || !is_first_on_axis(view, i, axis->axis)) continue;
      for (const ConfigData& base : view.groups[i].configs) {
        const ConfigData* other = find_size(view.groups[j], base.batch_size());
        if (other != nullptr) all.push_back(paired(base, *other, *axis, view, options));
      }
    }
  }
  return judge(std::move(all), options);
}

bool has_other_lengths(const std::vector<RunView>& views) {
  const auto alike = [](const schema::RunConfig& a, const schema::RunConfig& b) {
    return a.shape.batch_size == b.shape.batch_size && a.shape.lengths != b.shape.lengths &&
           schema::without_batch_size(a) == schema::without_batch_size(b);
  };
  for (const GroupData& group : views.front().groups) {
    for (const ConfigData& base : group.configs) {
      for (std::size_t later = 1; later < views.size(); ++later) {
        for (const GroupData& other_group : views[later].groups) {
          for (const ConfigData& other : other_group.configs) {
            if (alike(base.config, other.config)) return true;
          }
        }
      }
    }
  }
  return false;
}

std::vector<schema::Comparison> compare_runs(const std::vector<RunView>& views,
                                             const std::vector<std::string>& names,
                                             const Options& options) {
  std::vector<Open> all;
  for (std::size_t later = 1; later < views.size(); ++later) {
    for (const GroupData& group : views.front().groups) {
      for (const ConfigData& base : group.configs) {
        const ConfigData* other = find_config(views[later], base.config);
        if (other == nullptr) continue;
        const bool may_prove = views.front().repeated && views[later].repeated;
        all.push_back(welch(base, *other, may_prove, options));
        all.back().where = where_words(base.config, views.front(), "run");
        all.back().base = all.back().comparison.base = names.front();
        all.back().other = all.back().comparison.other = names[later];
      }
    }
  }
  return judge(std::move(all), options);
}

}  // namespace batchscope::analyze

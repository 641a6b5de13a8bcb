#include "recommend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axes.hpp"
#include "estimates.hpp"
#include "scaling_table.hpp"
#include "smooth_facts.hpp"
#include "verification.hpp"
#include "wording.hpp"

namespace batchscope::analyze {
namespace {

// Ties give away at most this much of the throughput.
constexpr double kTieMargin = 0.005;

struct Pick {
  std::size_t group = 0;
  std::size_t column = 0;
};

// Among the tables of the same work as table `first`.
std::optional<Pick> fastest(const RunView& view, const std::vector<schema::Group>& groups,
                            std::size_t first) {
  std::optional<Pick> pick;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].rows.empty() || !is_same_work(groups[g].key, groups[first].key)) continue;
    const std::size_t column = best_column(view.groups[g]);
    const double rate = groups[g].rows[column].throughput_per_s.value;
    if (!pick || rate > groups[pick->group].rows[pick->column].throughput_per_s.value) {
      pick = Pick{g, column};
    }
  }
  return pick;
}

bool is_tied(const GroupData& data, std::size_t best, std::size_t other, const Options& options) {
  const auto worse = stats::estimate_mean(per_sample_contrast(data.calm, best, other), kCalmMethod);
  if (!worse) return false;
  const stats::Interval interval = stats::two_sided_interval(*worse, options.level);
  return interval.contains(0) && worse->value <= std::log1p(kTieMargin);
}

std::vector<std::size_t> tied_columns(const GroupData& data, std::size_t best,
                                      const Options& options) {
  std::vector<std::size_t> columns;
  for (std::size_t s = 0; s < data.configs.size(); ++s) {
    if (s == best || is_tied(data, best, s, options)) columns.push_back(s);
  }
  return columns;
}

// Throughput of the pick over that of the base size, less 1: the table's own slowdown, inverted, so
// that the page does not state two figures for one thing.
std::optional<schema::Estimate> gain(const schema::Group& group, std::size_t column) {
  const auto& slowdown = group.rows[column].relative_slowdown;
  if (column == kBaseColumn || !slowdown) return std::nullopt;
  return less_one(inverted(*slowdown, 1));
}

// Settings of the same work whose best size is not told apart from the pick, in words.
std::vector<std::string> settings_alike(const RunView& view,
                                        const std::vector<schema::Group>& groups, const Pick& best,
                                        double level) {
  std::vector<std::string> alike;
  const GroupData& data = view.groups[best.group];
  const std::vector<schema::RunConfig> own{groups[best.group].key};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g == best.group || !is_same_work(groups[g].key, groups[best.group].key)) continue;
    const std::size_t other = best_column(view.groups[g]);
    const auto worse = stats::estimate_mean(
        per_sample_contrast(data, best.column, view.groups[g], other), kCalmMethod);
    if (worse && stats::p_greater(*worse) < 1 - level) continue;
    const std::string setting = axis_words(groups[g].key, own, AxisKind::setting);
    alike.push_back(fmt::format("batch {} with {}", view.groups[g].table.sizes[other], setting));
  }
  return alike;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : "; ";
    text += parts[i];
  }
  return text;
}

// What is as good for all that the run can tell: sizes whose intervals reach the best, beyond ties.
std::string doubts(const schema::Recommendation& pick, const schema::Group& group,
                   std::vector<std::string> alike) {
  std::vector<int64_t> others;
  for (const int64_t size : group.best_sizes) {
    const bool tie = std::find(pick.ties.begin(), pick.ties.end(), size) != pick.ties.end();
    if (!tie && size != pick.config.shape.batch_size) others.push_back(size);
  }
  if (!others.empty()) alike.insert(alike.begin(), batches(others));
  return alike.empty() ? "" : fmt::format(" It is not proven better than {}.", joined(alike));
}

// "For mlp, use batch 4 with bf16": names what the run's tables differ in, so that it can be
// followed without reading them.
std::string advice(const schema::RunConfig& pick, const std::vector<schema::Group>& groups) {
  std::vector<schema::RunConfig> keys;
  std::vector<schema::RunConfig> same_work;
  for (const schema::Group& group : groups) {
    keys.push_back(group.key);
    if (is_same_work(group.key, pick)) same_work.push_back(group.key);
  }
  const std::string work = axis_words(pick, keys, AxisKind::work);
  const std::string settings = axis_words(pick, same_work, AxisKind::setting);
  return fmt::format("{} {}{}", work.empty() ? "Use" : fmt::format("For {}, use", work),
                     batches(std::vector{pick.shape.batch_size}),
                     settings.empty() ? "" : " with " + settings);
}

std::string message_of(const schema::Recommendation& pick, int64_t base_batch_size,
                       const std::vector<schema::Group>& groups) {
  std::string text =
      fmt::format("{}: {} samples/s at {} a batch", advice(pick.config, groups),
                  three_digits(pick.throughput_per_s), milliseconds(pick.latency_ms));
  if (pick.gain) {
    text += fmt::format(", {} {} throughput than batch {}{}", percent(std::abs(pick.gain->value)),
                        pick.gain->value >= 0 ? "more" : "less", base_batch_size,
                        in_interval(pick.gain->ci));
    if (pick.verified) text += fmt::format(", verified in {} fresh visits", pick.fresh_visits);
  }
  text += ".";
  if (!pick.ties.empty()) {
    text += fmt::format(" {} cannot be told apart from it; the smaller batch is taken.",
                        pick.ties.size() == 1 ? fmt::format("Batch {}", pick.ties.front())
                                              : "Batches " + list(pick.ties));
  }
  return text;
}

std::optional<schema::Recommendation> recommend_for(const RunView& view,
                                                    const std::vector<schema::Group>& groups,
                                                    std::size_t first, const Options& options) {
  const auto best = fastest(view, groups, first);
  if (!best) return std::nullopt;
  const GroupData& data = view.groups[best->group];
  const schema::Group& group = groups[best->group];
  const auto tied = tied_columns(data, best->column, options);
  const std::size_t column = tied.front();
  schema::Recommendation pick;
  pick.config = group.rows[column].config;
  pick.throughput_per_s = group.rows[column].throughput_per_s.value;
  pick.latency_ms = group.rows[column].time_ms.value;
  pick.gain = gain(group, column);
  if (pick.gain) {
    pick.gain_against = fmt::format("batch_size {}", group.base_batch_size);
    pick.baseline = group.rows[kBaseColumn].config;
  }
  for (std::size_t i = 1; i < tied.size(); ++i) pick.ties.push_back(data.table.sizes[tied[i]]);
  for (const schema::Group& each : groups) {
    if (is_same_work(each.key, pick.config)) {
      pick.points_measured += static_cast<int>(each.rows.size());
    }
  }
  for (const schema::RunConfig& config : view.run->configs) {
    // An intervention is no setting to choose from.
    const bool choice = config.environment == pick.config.environment;
    if (choice && is_same_work(config, pick.config)) ++pick.points_total;
  }
  verify(pick, view, options);
  if (!pick.withdrawn) {
    pick.message = message_of(pick, group.base_batch_size, groups) +
                   doubts(pick, group, settings_alike(view, groups, *best, options.level));
  }
  return pick;
}

}  // namespace

std::vector<schema::Recommendation> recommend(const RunView& view,
                                              const std::vector<schema::Group>& groups,
                                              const Options& options) {
  std::vector<schema::Recommendation> picks;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    bool seen = false;
    for (std::size_t e = 0; e < g; ++e) seen |= is_same_work(groups[e].key, groups[g].key);
    if (seen) continue;
    if (auto pick = recommend_for(view, groups, g, options)) picks.push_back(*std::move(pick));
  }
  return picks;
}

}  // namespace batchscope::analyze

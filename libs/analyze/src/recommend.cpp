#include "recommend.hpp"

#include <fmt/format.h>

#include <cmath>

#include "estimates.hpp"
#include "scaling_table.hpp"
#include "smooth_facts.hpp"
#include "wording.hpp"

namespace batchscope::analyze {
namespace {

// Ties give away at most this much of the throughput.
constexpr double kTieMargin = 0.005;

bool competes(const schema::RunConfig& key, const schema::RunConfig& first) {
  return key.model == first.model && key.shape.seq_len == first.shape.seq_len &&
         key.mode == first.mode;
}

struct Pick {
  std::size_t group = 0;
  std::size_t column = 0;
};

std::optional<Pick> fastest(const RunView& view, const std::vector<schema::Group>& groups,
                            const Options& options) {
  std::optional<Pick> pick;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].rows.empty() || !competes(groups[g].key, groups.front().key)) continue;
    const std::size_t column = best_column(view.groups[g], options);
    const double rate = groups[g].rows[column].throughput_per_s.value;
    if (!pick || rate > groups[pick->group].rows[pick->column].throughput_per_s.value) {
      pick = Pick{g, column};
    }
  }
  return pick;
}

bool is_tied(const GroupData& data, std::size_t best, std::size_t other, const Options& options) {
  const auto worse =
      stats::estimate_mean(per_sample_contrast(data.calm, best, other), options.method);
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

// Throughput of the pick over that of the base size, less 1.
std::optional<schema::Estimate> gain(const GroupData& data, std::size_t column,
                                     const Options& options) {
  if (column == kBaseColumn) return std::nullopt;
  std::vector<double> logs = per_sample_contrast(data.calm, column, kBaseColumn);
  if (logs.empty()) return std::nullopt;
  return less_one(exp_estimate(logs, options.level, options.method));
}

std::string message_of(const schema::Recommendation& pick) {
  std::string text = fmt::format(
      "Use {}: {} samples/s at {} a batch", batches(std::vector{pick.config.shape.batch_size}),
      three_digits(pick.throughput_per_s), milliseconds(pick.latency_ms));
  if (pick.gain) {
    text += fmt::format(", {} {} throughput than {}{}", percent(std::abs(pick.gain->value)),
                        pick.gain->value >= 0 ? "more" : "less", pick.gain_against,
                        in_interval(pick.gain->ci));
  }
  text += ".";
  if (!pick.ties.empty()) {
    text += fmt::format(" {} cannot be told apart from it; the smaller batch is taken.",
                        pick.ties.size() == 1 ? fmt::format("Batch {}", pick.ties.front())
                                              : "Batches " + list(pick.ties));
  }
  return text;
}

}  // namespace

std::optional<schema::Recommendation> recommend(const RunView& view,
                                                const std::vector<schema::Group>& groups,
                                                const Options& options) {
  const auto best = fastest(view, groups, options);
  if (!best) return std::nullopt;
  const GroupData& data = view.groups[best->group];
  const schema::Group& group = groups[best->group];
  const auto tied = tied_columns(data, best->column, options);
  const std::size_t column = tied.front();
  schema::Recommendation pick;
  pick.config = group.rows[column].config;
  pick.throughput_per_s = group.rows[column].throughput_per_s.value;
  pick.latency_ms = group.rows[column].time_ms.value;
  pick.gain = gain(data, column, options);
  if (pick.gain) pick.gain_against = fmt::format("batch_size {}", group.base_batch_size);
  for (std::size_t i = 1; i < tied.size(); ++i) pick.ties.push_back(data.table.sizes[tied[i]]);
  for (const schema::Group& each : groups)
    pick.points_measured += static_cast<int>(each.rows.size());
  pick.points_total = static_cast<int>(view.run->configs.size());
  pick.message = message_of(pick);
  return pick;
}

}  // namespace batchscope::analyze

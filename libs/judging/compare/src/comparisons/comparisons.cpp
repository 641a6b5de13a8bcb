#include "comparisons.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <utility>

#include "accumulation.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/compare/output_facts.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/timing/contrasted.hpp"
#include "batchscope/timing/evidence.hpp"
#include "slow_visits.hpp"

namespace batchscope::compare {
namespace {

using schema::AxisId;
using tables::axis_words;
using tables::ConfigData;
using tables::find_config;
using tables::GroupData;
using tables::RunView;
using tables::single_difference;
using tables::TestOptions;

bool differ_in_instances_only(const schema::RunConfig& a, const schema::RunConfig& b) {
  schema::RunConfig like_b = a;
  like_b.instances = b.instances;
  like_b.threads = b.threads;
  return like_b == b;
}

// The table that one with more instances is held against: of those with the fewest, the one that
// uses as many cores in all, else as many for each.
std::optional<std::size_t> fewer_instances(const RunView& view, std::size_t group) {
  const schema::RunConfig& many = view.groups[group].key;
  std::optional<std::size_t> best;
  const auto rank = [&](std::size_t g) {
    const schema::RunConfig& key = view.groups[g].key;
    const bool same_cores = key.instances * key.threads == many.instances * many.threads;
    return std::pair(key.instances, same_cores ? 0 : 1);
  };
  for (std::size_t g = 0; g < view.groups.size(); ++g) {
    const schema::RunConfig& key = view.groups[g].key;
    if (key.instances >= many.instances || !differ_in_instances_only(key, many)) continue;
    if (rank(g).second == 1 && key.threads != many.threads) continue;
    if (!best || rank(g) < rank(*best)) best = g;
  }
  return best;
}

std::string instance_words(const schema::RunConfig& config, bool with_threads) {
  std::string text = base::counted(config.instances, "instance");
  if (with_threads) {
    text += fmt::format(" of {}", base::counted(config.threads, "thread"));
  }
  return text + fmt::format(" at batch {}", config.shape.batch_size);
}

Open instances_compared(const ConfigData& base, const ConfigData& other, const RunView& view,
                        const TestOptions& options) {
  const auto number = [](int n) { return fmt::format("{}", n); };
  Open open = paired(base, other,
                     {schema::AxisId::instances, "instances", number(base.config.instances),
                      number(other.config.instances), "", ""},
                     view, options);
  const double log_samples = std::log(static_cast<double>(samples_at_once(other.config)) /
                                      static_cast<double>(samples_at_once(base.config)));
  shift_ratio(open, -log_samples);
  open.comparison.other_config = other.config;
  open.rates = true;
  const bool with_threads = base.config.threads != other.config.threads;
  open.base = instance_words(base.config, with_threads);
  open.other = instance_words(other.config, with_threads);
  // Only what tells this from other such pairs of the run.
  std::vector<schema::RunConfig> keys;
  for (const GroupData& group : view.groups) {
    schema::RunConfig key = group.key;
    key.instances = base.config.instances;
    key.threads = base.config.threads;
    keys.push_back(key);
  }
  const std::string words = axis_words(base.config, keys);
  open.where = words.empty() ? "" : ", " + words;
  return open;
}

// Instances at once against fewer of them, by the throughput of all: as many samples at once on
// both sides; where no sizes were measured that allow it, the same batch size.
void compare_instances(const RunView& view, const TestOptions& options, std::vector<Open>& all) {
  for (std::size_t g = 0; g < view.groups.size(); ++g) {
    const auto fewer = fewer_instances(view, g);
    if (!fewer) continue;
    const std::size_t before = all.size();
    for (const bool same_size : {false, true}) {
      if (all.size() > before) break;
      for (const ConfigData& base : view.groups[*fewer].configs) {
        for (const ConfigData& other : view.groups[g].configs) {
          const bool match = same_size
                                 ? base.batch_size() == other.batch_size()
                                 : samples_at_once(base.config) == samples_at_once(other.config);
          if (match) all.push_back(instances_compared(base, other, view, options));
        }
      }
    }
  }
}

const ConfigData* find_size(const GroupData& group, int64_t size) {
  for (const ConfigData& config : group.configs) {
    if (config.batch_size() == size) return &config;
  }
  return nullptr;
}

timing::ConfigInRun place_of(const RunView& view, const ConfigData& config) {
  return {view.run, &config.config, &view.warmups};
}

// A configuration of the first run and the same one of a later run.
Open welch(const timing::ConfigInRun& base, const timing::ConfigInRun& other, bool repeated,
           const TestOptions& options) {
  const auto sides = timing::contrasted_runs(std::span(&base, 1), std::span(&other, 1));
  const auto logs = [](const std::vector<timing::WarmVisits>& side, TimeOfVisit time) {
    return timing::logs_of(side.front().visits, time);
  };
  const std::vector<double> a = logs(sides.b, timing::typical_ns);
  const std::vector<double> b = logs(sides.a, timing::typical_ns);
  Open open;
  open.comparison.axis = "run";
  open.comparison.config = *base.config;
  open.comparison.test = findings::ComparisonTest::welch;
  open.comparison.n = static_cast<int>(std::min(a.size(), b.size()));
  open.comparison.ratio.value = std::exp(a.front() - b.front());
  open.base_ms = to_ms(centre_of(b, options.method));
  open.other_ms = to_ms(centre_of(a, options.method));
  open.typical.estimate = stats::estimate_difference(a, b, options.method);
  open.mean.estimate = stats::estimate_difference(logs(sides.b, timing::mean_ns),
                                                  logs(sides.a, timing::mean_ns), options.method);
  open.comparison.slow_visits =
      slow_visits({b}, {a}, stats::estimate_difference(a, b, stats::Method::student_t),
                  stats::estimate_difference(a, b, stats::Method::yuen_trimmed));
  open.settled = sides.settled;
  open.may_prove =
      repeated && open.settled && std::min(a.size(), b.size()) >= timing::kPairsToProve;
  return open;
}

// Longer sequences are more work, and so is training: their times answer no question together.
bool is_other_work(AxisId axis) {
  return axis == AxisId::seq_len || axis == AxisId::mode;
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

std::string content_of_texts(const RunView& view) {
  const auto found = view.run->header.versions.find("texts");
  return found == view.run->header.versions.end() ? std::string() : found->second;
}

}  // namespace

bool has_other_texts(const RunView& a, const RunView& b, const schema::RunConfig& config) {
  if (!config.pipeline || config.pipeline->texts.empty()) return false;
  return a.run->header.seed != b.run->header.seed || content_of_texts(a) != content_of_texts(b);
}

std::vector<Open> compare_within(const RunView& view, const TestOptions& options) {
  std::vector<Open> all;
  for (std::size_t i = 0; i < view.groups.size(); ++i) {
    for (std::size_t j = i + 1; j < view.groups.size(); ++j) {
      const auto axis = single_difference(view.groups[i].key, view.groups[j].key);
      if (!axis || axis->id == AxisId::instances || axis->id == AxisId::accumulation ||
          is_other_work(axis->id) || !is_first_on_axis(view, i, axis->axis)) {
        continue;
      }
      const bool may = may_compare_engines(*view.run, view.groups[i].key, view.groups[j].key);
      if (!may) continue;  // said by engines_not_compared
      for (const ConfigData& base : view.groups[i].configs) {
        const ConfigData* other = find_size(view.groups[j], base.batch_size());
        if (other != nullptr) all.push_back(paired(base, *other, *axis, view, options));
      }
    }
  }
  compare_instances(view, options, all);
  compare_accumulations(view, options, all);
  // A search visits settings in blocks of their own: without one in common there is no ratio.
  std::erase_if(all, [](const Open& each) { return each.comparison.n == 0; });
  return all;
}

bool has_other_lengths(const std::vector<RunView>& views) {
  const auto same_but_for_lengths = [](const schema::RunConfig& a, const schema::RunConfig& b) {
    return a.shape.batch_size == b.shape.batch_size && a.shape.lengths != b.shape.lengths &&
           schema::without_batch_size(a) == schema::without_batch_size(b);
  };
  for (const GroupData& group : views.front().groups) {
    for (const ConfigData& base : group.configs) {
      for (std::size_t later = 1; later < views.size(); ++later) {
        if (has_other_texts(views.front(), views[later], base.config)) return true;
        for (const GroupData& other_group : views[later].groups) {
          for (const ConfigData& other : other_group.configs) {
            if (same_but_for_lengths(base.config, other.config)) return true;
          }
        }
      }
    }
  }
  return false;
}

std::vector<Open> compare_runs(const std::vector<RunView>& views,
                               const std::vector<std::string>& names, const TestOptions& options) {
  std::vector<Open> all;
  for (std::size_t later = 1; later < views.size(); ++later) {
    for (const GroupData& group : views.front().groups) {
      for (const ConfigData& base : group.configs) {
        const ConfigData* other = find_config(views[later], base.config);
        if (other == nullptr || has_other_texts(views.front(), views[later], base.config)) continue;
        all.push_back(welch(place_of(views.front(), base), place_of(views[later], *other),
                            views.front().repeated && views[later].repeated, options));
        all.back().where = where_words(base.config, views.front(), "run");
        all.back().base = all.back().comparison.base = names.front();
        all.back().other = all.back().comparison.other = names[later];
      }
    }
  }
  return all;
}

}  // namespace batchscope::compare

#include "instances.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace batchscope::compare {
namespace {

using tables::axis_words;
using tables::ConfigData;
using tables::GroupData;
using tables::RunView;
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
  std::string text =
      fmt::format("{} instance{}", config.instances, config.instances == 1 ? "" : "s");
  if (with_threads) {
    text += fmt::format(" of {} thread{}", config.threads, config.threads == 1 ? "" : "s");
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

}  // namespace

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

}  // namespace batchscope::compare

#include "batchscope/planning/measured_costs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/schema/axes.hpp"

namespace batchscope::planning {
namespace {
using findings::Group;
using schema::RunConfig;

using schema::Axis;
using schema::AxisId;

// What planning knows of an axis beside what it is, for most of them nothing: what picks one of
// several values (none: such settings belong in separate run files), which value is wanted, and the
// values where they are not those of the axis.
struct Selector {
  AxisId id;
  std::string_view pick = {};
  std::optional<std::string> (*wanted)(const CostSelection&) = nullptr;
  std::string (*value)(const RunConfig&) = nullptr;
};

// Fixed lengths are an axis of the table of costs.
std::string lengths_of(const RunConfig& key) {
  return key.shape.length_mix.empty() ? "fixed" : key.shape.length_mix;
}

std::optional<std::string> wanted_lengths(const CostSelection& selection) {
  if (selection.seq_len) return "fixed";
  return selection.length_mix;
}

// How the optimizer is told apart, which is part of the axis mode, is no matter of picking one.
std::string mode_of(const RunConfig& key) {
  return std::string(to_string(key.mode));
}

std::string optimizer_of(const RunConfig& key) {
  return key.optimizer.empty() ? "none" : key.optimizer;
}

std::string value_of(const Selector& selector, const RunConfig& key) {
  if (selector.value != nullptr) return selector.value(key);
  const Axis& axis = schema::axis(selector.id);
  std::string text = axis.parts.size() == 1 ? axis.parts.front().value(key) : axis.described(key);
  return text.empty() ? "none" : text;
}

template <class T>
std::optional<std::string> text_of(const std::optional<T>& value) {
  if (!value) return std::nullopt;
  return fmt::format("{}", *value);
}

template <class T>
std::optional<std::string> name_of(const std::optional<T>& value) {
  if (!value) return std::nullopt;
  return std::string(to_string(*value));
}

std::optional<std::string> wanted_environment(const CostSelection& selection) {
  if (!selection.environment) return std::nullopt;
  RunConfig config;
  config.environment = *selection.environment;
  return schema::axis(AxisId::environment).parts.front().value(config);
}

constexpr auto kSpecial = std::to_array<Selector>({
    {AxisId::engine, "--engine", [](const CostSelection& s) { return s.engine; }},
    {AxisId::model, "--model", [](const CostSelection& s) { return s.model; }},
    // Of which a table of costs has several.
    {.id = AxisId::batch_size, .value = [](const RunConfig&) { return std::string(); }},
    {AxisId::seq_len, "--seq-lens", wanted_lengths, lengths_of},
    {AxisId::precision, "--precision", [](const CostSelection& s) { return name_of(s.precision); }},
    {AxisId::device, "--device", [](const CostSelection& s) { return s.device; }},
    {AxisId::threads, "--threads", [](const CostSelection& s) { return text_of(s.threads); }},
    {AxisId::instances, "--measured-instances",
     [](const CostSelection& s) { return text_of(s.instances); }},
    {AxisId::mode, "--mode", [](const CostSelection& s) { return name_of(s.mode); }, mode_of},
    {.id = AxisId::optimizer, .value = optimizer_of},
    {AxisId::environment, "--env", wanted_environment},
});

// Of all axes, in their order.
std::vector<Selector> selectors() {
  return base::mapped(schema::axes(), [](const Axis& axis) {
    const Selector* const special = schema::special(kSpecial, axis.id);
    return special == nullptr ? Selector{.id = axis.id} : *special;
  });
}

base::Error refuse(std::string_view where, std::string what, std::string fix) {
  return {base::ErrorKind::input, std::move(what), std::string(where), std::move(fix)};
}

using Groups = std::vector<const Group*>;

std::set<std::string> values_of(const Selector& selector, const Groups& groups) {
  std::set<std::string> values;
  for (const Group* group : groups) values.insert(value_of(selector, group->key));
  return values;
}

// Each variable is picked by itself; an environment without any has nothing to name.
std::string environment_hint(const Groups& groups) {
  for (const Group* group : groups) {
    std::vector<std::string> words;
    for (const schema::Argument& each : schema::axis(AxisId::environment).arguments(group->key)) {
      words.push_back(fmt::format("--env {}", each.value));
    }
    if (!words.empty()) return fmt::format("pick with {}", fmt::join(words, " "));
  }
  return "";
}

std::string pick_hint(const Selector& selector, const Groups& groups) {
  if (selector.pick.empty()) return "measure them in separate run files";
  if (selector.pick == "--env") return environment_hint(groups);
  return fmt::format("pick with {} {}", selector.pick, *values_of(selector, groups).begin());
}

// Those that the selection allows; an axis without such a value is an error.
base::Result<Groups> selected(const findings::Summary& summary, const CostSelection& selection,
                              std::string_view where) {
  Groups groups;
  for (const Group& group : summary.groups) {
    if (!group.rows.empty()) groups.push_back(&group);
  }
  for (const Selector& selector : selectors()) {
    const auto wanted = selector.wanted == nullptr ? std::nullopt : selector.wanted(selection);
    if (!wanted) continue;
    const std::set<std::string> values = values_of(selector, groups);
    std::erase_if(groups,
                  [&](const Group* group) { return value_of(selector, group->key) != *wanted; });
    if (!groups.empty() || values.empty()) continue;
    return refuse(where,
                  fmt::format("no measurement with {} {}", schema::axis(selector.id).name, *wanted),
                  fmt::format("available: {}", fmt::join(values, ", ")));
  }
  if (selection.seq_len) {
    std::erase_if(
        groups, [&](const Group* group) { return group->key.shape.seq_len != selection.seq_len; });
    if (groups.empty()) {
      return refuse(where, fmt::format("no measurement with seq_len {}", *selection.seq_len),
                    "omit --seq-lens to use all measured lengths");
    }
  }
  if (groups.empty())
    return refuse(where, "the run has no measured configuration", "measure it again");
  return groups;
}

base::Result<void> check_one_setting(const Groups& groups, std::string_view where) {
  std::vector<std::string> open, hints;
  for (const Selector& selector : selectors()) {
    const std::set<std::string> values = values_of(selector, groups);
    if (values.size() < 2) continue;
    open.push_back(fmt::format("{} {}", schema::axis(selector.id).name, fmt::join(values, " or ")));
    hints.push_back(pick_hint(selector, groups));
  }
  if (open.empty()) return {};
  return refuse(where, fmt::format("contains several settings: {}", fmt::join(open, "; ")),
                fmt::format("{}", fmt::join(hints, ", ")));
}

// Means of series say nothing of single batches, whose times are what a plan draws. Cycles of a mix
// of lengths are means as well: those are warned of.
base::Result<void> check_single_batches(const Groups& groups, std::string_view where) {
  for (const Group* group : groups) {
    if (!group->key.shape.length_mix.empty()) continue;
    for (const findings::ConfigRow& row : group->rows) {
      if (!row.distribution.of_series) continue;
      return refuse(
          where,
          fmt::format("batch {} has means over series (--sync end), not times of single batches",
                      row.config.shape.batch_size),
          "measure with the default, --sync each");
    }
  }
  return {};
}

std::vector<serving::CostPoint> points_of(const Groups& groups) {
  std::vector<serving::CostPoint> points;
  for (const Group* group : groups) {
    for (const findings::ConfigRow& row : group->rows) {
      serving::CostPoint& point = points.emplace_back();
      point.batch_size = row.config.shape.batch_size;
      point.seq_len = row.config.shape.seq_len;
      for (const double ms : row.distribution.samples_ms) point.times_s.push_back(ms / 1e3);
      if (point.times_s.empty()) point.times_s.push_back(row.time_ms.value / 1e3);
    }
  }
  return points;
}

std::vector<int64_t> good_at_every_length(const Groups& groups, const serving::CostTable& table) {
  std::vector<int64_t> good = table.batch_sizes();
  std::erase_if(good, [&](int64_t size) {
    return std::any_of(groups.begin(), groups.end(), [&](const Group* group) {
      const bool measured = std::any_of(
          group->rows.begin(), group->rows.end(),
          [&](const findings::ConfigRow& row) { return row.config.shape.batch_size == size; });
      const auto holds = [&](const std::vector<int64_t>& sizes) {
        return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
      };
      const bool known = !group->good_sizes.empty() || !group->untested_sizes.empty();
      return measured && known && !holds(group->good_sizes) && !holds(group->untested_sizes);
    });
  });
  return good;
}

std::vector<std::string> warnings_of(const Groups& groups) {
  std::vector<std::string> warnings;
  const Group& first = *groups.front();
  if (!first.key.shape.length_mix.empty()) {
    warnings.push_back(
        "The times of a length mix are means over a cycle of batches. They hide the differences "
        "between single batches, so latency quantiles are too low. Measure fixed lengths instead "
        "(--seq-lens 16,32,64,128).");
  }
  const auto thin = std::any_of(groups.begin(), groups.end(), [](const Group* group) {
    return std::any_of(group->rows.begin(), group->rows.end(), [](const findings::ConfigRow& row) {
      return row.distribution.samples_ms.size() < 36;  // the fewest that show a p90
    });
  });
  if (thin) {
    warnings.push_back(
        "Some batch sizes have fewer than 36 measured times: too few samples for reliable latency "
        "quantiles.");
  }
  return warnings;
}

}  // namespace

base::Result<MeasuredCosts> measured_costs(const findings::Summary& summary,
                                           const CostSelection& selection, std::string_view where) {
  const auto groups = selected(summary, selection, where);
  if (!groups) return groups.error();
  if (auto one = check_one_setting(*groups, where); !one) return one.error();
  if (auto single = check_single_batches(*groups, where); !single) return single.error();
  std::vector<serving::CostPoint> points = points_of(*groups);
  auto table = serving::CostTable::from_points(std::move(points), where);
  if (!table) return table.error();
  RunConfig config = groups->front()->key;
  if (groups->size() > 1) config.shape.seq_len.reset();
  auto good = good_at_every_length(*groups, *table);
  return MeasuredCosts{*std::move(table), std::move(config), std::move(good), warnings_of(*groups)};
}

std::vector<int64_t> allowed_sizes(const MeasuredCosts& costs, int64_t largest) {
  const std::vector<int64_t>& measured = costs.table.batch_sizes();
  const auto good = [&](int64_t size) {
    return std::find(costs.good_sizes.begin(), costs.good_sizes.end(), size) !=
           costs.good_sizes.end();
  };
  std::vector<int64_t> allowed;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (i > 0 && good(measured[i - 1]) && good(measured[i])) {
      const int64_t end = std::min(measured[i], largest + 1);
      for (int64_t size = measured[i - 1] + 1; size < end; ++size) allowed.push_back(size);
    }
    if (good(measured[i])) allowed.push_back(measured[i]);
  }
  std::erase_if(allowed, [&](int64_t size) { return size > largest; });
  return allowed;
}

}  // namespace batchscope::planning

#include "batchscope/planning/measured_costs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

namespace batchscope::planning {
namespace {

using findings::Group;
using schema::RunConfig;

// One axis that tells settings apart: its value in a group, what is wanted of it, and how to pick.
struct Axis {
  const char* name;
  const char* pick;
  std::string (*value)(const RunConfig&);
  std::optional<std::string> (*wanted)(const CostSelection&);
};

std::string lengths_of(const RunConfig& key) {
  return key.shape.length_mix.empty() ? "fixed" : key.shape.length_mix;
}

std::optional<std::string> wanted_lengths(const CostSelection& selection) {
  if (selection.seq_len) return "fixed";
  return selection.length_mix;
}

std::string environment_of(const RunConfig& key) {
  std::string text;
  for (const auto& [name, value] : key.environment) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return text.empty() ? "as it is" : text;
}

std::optional<std::string> nothing_wanted(const CostSelection&) {
  return std::nullopt;
}

template <class T>
std::optional<std::string> text_of(const std::optional<T>& value) {
  if (!value) return std::nullopt;
  return fmt::format("{}", *value);
}

constexpr const char* kApart = "measure them in separate run files";

const std::array kAxes{
    Axis{"engine", "--engine", [](const RunConfig& c) { return c.engine; },
         [](const CostSelection& s) { return s.engine; }},
    Axis{"model", "--model", [](const RunConfig& c) { return c.model; },
         [](const CostSelection& s) { return s.model; }},
    Axis{"device", "--device", [](const RunConfig& c) { return c.device; },
         [](const CostSelection& s) { return s.device; }},
    Axis{"precision", "--precision",
         [](const RunConfig& c) { return std::string(to_string(c.precision)); },
         [](const CostSelection& s) -> std::optional<std::string> {
           if (!s.precision) return std::nullopt;
           return std::string(to_string(*s.precision));
         }},
    Axis{"threads", "--threads", [](const RunConfig& c) { return std::to_string(c.threads); },
         [](const CostSelection& s) { return text_of(s.threads); }},
    Axis{"instances", "--measured-instances",
         [](const RunConfig& c) { return std::to_string(c.instances); },
         [](const CostSelection& s) { return text_of(s.instances); }},
    Axis{"mode", "--mode", [](const RunConfig& c) { return std::string(to_string(c.mode)); },
         [](const CostSelection& s) -> std::optional<std::string> {
           if (!s.mode) return std::nullopt;
           return std::string(to_string(*s.mode));
         }},
    Axis{"lengths", "--seq-lens", lengths_of, wanted_lengths},
    Axis{"optimizer", kApart, [](const RunConfig& c) { return c.optimizer; }, nothing_wanted},
    Axis{"checkpointing", kApart,
         [](const RunConfig& c) { return std::string(c.checkpointing ? "on" : "off"); },
         nothing_wanted},
    Axis{"accumulation", kApart, [](const RunConfig& c) { return std::to_string(c.accumulation); },
         nothing_wanted},
    Axis{"loader", kApart,
         [](const RunConfig& c) { return c.loader ? schema::describe(*c.loader) : "none"; },
         nothing_wanted},
    Axis{"pipeline", kApart,
         [](const RunConfig& c) { return c.pipeline ? schema::describe(*c.pipeline) : "none"; },
         nothing_wanted},
    Axis{"environment", kApart, environment_of, nothing_wanted},
};

std::string pick_hint(const Axis& axis, const std::set<std::string>& values) {
  if (std::string_view(axis.pick).substr(0, 2) != "--") return axis.pick;
  return fmt::format("pick with {} {}", axis.pick, *values.begin());
}

base::Error refuse(std::string_view where, std::string what, std::string fix) {
  return {base::ErrorKind::input, std::move(what), std::string(where), std::move(fix)};
}

using Groups = std::vector<const Group*>;

std::set<std::string> values_of(const Axis& axis, const Groups& groups) {
  std::set<std::string> values;
  for (const Group* group : groups) values.insert(axis.value(group->key));
  return values;
}

// Those that the selection allows; an axis without such a value is an error.
base::Result<Groups> selected(const findings::Summary& summary, const CostSelection& selection,
                              std::string_view where) {
  Groups groups;
  for (const Group& group : summary.groups) {
    if (!group.rows.empty()) groups.push_back(&group);
  }
  for (const Axis& axis : kAxes) {
    const auto wanted = axis.wanted(selection);
    if (!wanted) continue;
    const std::set<std::string> values = values_of(axis, groups);
    std::erase_if(groups, [&](const Group* group) { return axis.value(group->key) != *wanted; });
    if (!groups.empty() || values.empty()) continue;
    return refuse(where, fmt::format("nothing was measured with {} {}", axis.name, *wanted),
                  fmt::format("there is {}", fmt::join(values, ", ")));
  }
  if (selection.seq_len) {
    std::erase_if(
        groups, [&](const Group* group) { return group->key.shape.seq_len != selection.seq_len; });
    if (groups.empty()) {
      return refuse(where, fmt::format("nothing was measured with seq_len {}", *selection.seq_len),
                    "leave --seq-lens out to use all lengths that were measured");
    }
  }
  if (groups.empty()) return refuse(where, "no configuration was measured", "measure it again");
  return groups;
}

base::Result<void> check_alike(const Groups& groups, std::string_view where) {
  std::vector<std::string> open, hints;
  for (const Axis& axis : kAxes) {
    const std::set<std::string> values = values_of(axis, groups);
    if (values.size() < 2) continue;
    open.push_back(fmt::format("{} {}", axis.name, fmt::join(values, " or ")));
    hints.push_back(pick_hint(axis, values));
  }
  if (open.empty()) return {};
  return refuse(where, fmt::format("holds several settings: {}", fmt::join(open, "; ")),
                fmt::format("{}", fmt::join(hints, ", ")));
}

// Means of series say nothing of single batches, whose times are what a plan draws. Cycles of a mix
// of lengths are means as well: those are warned of.
base::Result<void> check_single_batches(const Groups& groups, std::string_view where) {
  for (const Group* group : groups) {
    if (!group->key.shape.length_mix.empty()) continue;
    for (const findings::ConfigRow& row : group->rows) {
      if (!row.distribution.of_series) continue;
      return refuse(where,
                    fmt::format("batch {} was measured with --sync end, by means of series: what "
                                "single batches take is not known",
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
        "The times of a mix of lengths are means over a cycle of batches: how much single batches "
        "differ by their lengths is not in them, so quantiles of the latency come out too low. "
        "Measure fixed lengths (--seq-lens 16,32,64,128) to have it in.");
  }
  const auto thin = std::any_of(groups.begin(), groups.end(), [](const Group* group) {
    return std::any_of(group->rows.begin(), group->rows.end(), [](const findings::ConfigRow& row) {
      return row.distribution.samples_ms.size() < 36;  // the fewest that show a p90
    });
  });
  if (thin) {
    warnings.push_back(
        "Some batch sizes have fewer than 36 measured times: how much single batches scatter is "
        "hardly known.");
  }
  return warnings;
}

}  // namespace

base::Result<MeasuredCosts> measured_costs(const findings::Summary& summary,
                                           const CostSelection& selection, std::string_view where) {
  const auto groups = selected(summary, selection, where);
  if (!groups) return groups.error();
  if (auto alike = check_alike(*groups, where); !alike) return alike.error();
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

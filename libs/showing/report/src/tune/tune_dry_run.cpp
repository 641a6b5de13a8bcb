#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/report/tune.hpp"
#include "batchscope/schema/json.hpp"
#include "batchscope/tune/search.hpp"

namespace batchscope::report {
namespace {

using nlohmann::ordered_json;

// Different points that are measured, at most; more where the budget leaves time.
int points_of(const measure::Job& job, const tune::TunePlan& plan) {
  const auto all = static_cast<int>(job.configs.size());
  return std::min(plan.goal.points.value_or(tune::default_points(job.configs.size())), all);
}

// Settings in the order of the grid, each with its batch sizes.
struct Setting {
  schema::RunConfig key;
  std::vector<int64_t> sizes;
};
std::vector<Setting> settings_of(const measure::Job& job) {
  std::vector<Setting> settings;
  for (const schema::RunConfig& config : job.configs) {
    const schema::RunConfig key = schema::without_batch_size(config);
    auto found = std::find_if(settings.begin(), settings.end(),
                              [&](const Setting& each) { return each.key == key; });
    if (found == settings.end()) found = settings.insert(settings.end(), {key, {}});
    found->sizes.push_back(config.shape.batch_size);
  }
  return settings;
}

std::string verify_text(const tune::TunePlan& plan) {
  if (plan.goal.fresh_blocks() == 0) return "";
  return fmt::format("then tune compares the pick with the default and the runner-up: {} each\n",
                     base::counted(plan.goal.fresh_blocks(), "separate visit"));
}

}  // namespace

std::string tune_grid_text(const measure::Job& job, const tune::TunePlan& plan) {
  const auto settings = settings_of(job);
  std::string text = fmt::format("{}: {} of\n", base::counted(job.configs.size(), "point"),
                                 base::counted(settings.size(), "setting"));
  for (const Setting& setting : settings) {
    text += fmt::format("  {}, batch {}\n", schema::describe(setting.key),
                        fmt::join(setting.sizes, ","));
  }
  const int points = points_of(job, plan);
  text += plan.goal.points
              ? fmt::format("measured: at most {} (--points)\n", base::counted(points, "point"))
              : fmt::format("measured: {}, more if time is left (--points)\n",
                            base::counted(points, "point"));
  text += verify_text(plan);
  for (const std::string& note : job.header.notes) text += note + "\n";
  return text + fmt::format("time: at most {} (--budget)\n",
                            base::format_seconds(job.header.plan.budget_s));
}

std::string tune_grid_json(const measure::Job& job, const tune::TunePlan& plan) {
  ordered_json json{{"schema_version", schema::kSchemaVersion},
                    {"points_total", job.configs.size()},
                    {"points", points_of(job, plan)},
                    {"points_fixed", plan.goal.points.has_value()},
                    {"verify_blocks", plan.goal.fresh_blocks()},
                    {"budget_s", job.header.plan.budget_s},
                    {"configs", ordered_json::array()},
                    {"notes", job.header.notes}};
  for (const schema::RunConfig& config : job.configs) {
    json["configs"].push_back(schema::describe(config));
  }
  return schema::dump(json) + "\n";
}

}  // namespace batchscope::report

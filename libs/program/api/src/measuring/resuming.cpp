#include "resuming.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/file.hpp"
#include "batchscope/base/units.hpp"
#include "executors.hpp"

namespace batchscope::api {
namespace {

// "10 min", "90 s": round durations, as they are typed, have no zeros behind the point.
std::string seconds(double value) {
  constexpr double kMinute = 60, kHour = 3600;
  const auto is_complete = [&](double unit) {
    return value >= unit && std::fmod(value, unit) == 0;
  };
  if (is_complete(kHour)) return fmt::format("{:.0f} h", value / kHour);
  if (is_complete(kMinute)) return fmt::format("{:.0f} min", value / kMinute);
  if (is_complete(1) && value < 2 * kMinute) return fmt::format("{:.0f} s", value);
  return base::format_seconds(value);
}
// With its unit, or "none".
std::string shown(const schema::Field& field, const void* of) {
  const void* const value = field.value(of);
  if (value == nullptr) return "none";
  switch (field.rules.setting.unit) {
    case schema::Unit::seconds:
      return seconds(*static_cast<const double*>(value));
    case schema::Unit::share:
      return base::format_level(*static_cast<const double*>(value));
    case schema::Unit::bytes:
      return base::format_bytes(*static_cast<const int64_t*>(value));
    case schema::Unit::none:
      break;
  }
  return *schema::text_of(field, of);
}

base::Error differs(std::string_view flag, const std::string& recorded, const std::string& asked) {
  return {base::ErrorKind::usage, fmt::format("the run began with {}, not {}", recorded, asked),
          std::string(flag), "leave it out, or measure into a new file"};
}

// A pilot of 12 blocks, to be extended by need, is not a run of exactly 12.
std::string blocks_of(const schema::MeasurementPlan& plan) {
  return plan.blocks_fixed ? base::counted(plan.blocks, "block") : "as many blocks as needed";
}

std::vector<std::string> engines_of(const Program& program, const MeasureOptions& options,
                                    const std::optional<schema::RunFile>& recorded) {
  if (!recorded || recorded->configs.empty()) {
    return options.engines.empty() ? engines_for(options.request.models, program.places)
                                   : options.engines;
  }
  std::vector<std::string> engines;
  for (const schema::RunConfig& config : recorded->configs) {
    const bool known = std::find(engines.begin(), engines.end(), config.engine) != engines.end();
    if (!known) engines.push_back(config.engine);
  }
  return engines;
}

// False for what a run that was killed before its first write was whole leaves behind.
base::Result<bool> has_header(const std::filesystem::path& path) {
  auto text = base::read_file(path);
  if (!text) return std::move(text).error();
  const std::string start = schema::header_line({}).substr(0, 12);
  const bool torn = text->find('\n') == std::string::npos &&
                    (text->starts_with(start) || start.starts_with(*text));
  return !torn;
}

}  // namespace

base::Result<void> check_agrees(const MeasureOptions& options, const schema::Table& table,
                                const void* recorded, const void* asked) {
  for (const schema::Field& field : table.fields) {
    const schema::Setting& setting = field.rules.setting;
    const bool is_held = !setting.may_differ && options.states(setting.flag);
    if (!is_held || !field.is_wanted(recorded)) continue;
    if (schema::text_of(field, recorded) == schema::text_of(field, asked)) continue;
    return differs(setting.flag, shown(field, recorded), shown(field, asked));
  }
  return {};
}

base::Result<void> check_agrees(const MeasureOptions& options, const schema::Header& recorded) {
  const schema::MeasurementPlan& asked = options.request.plan;
  if (options.states("--blocks") && blocks_of(recorded.plan) != blocks_of(asked)) {
    return differs("--blocks", blocks_of(recorded.plan), blocks_of(asked));
  }
  if (options.states("--seed") && recorded.seed != options.request.seed) {
    return differs("--seed", fmt::to_string(recorded.seed), fmt::to_string(options.request.seed));
  }
  return check_agrees(options, recorded.plan, asked);
}

base::Result<std::optional<schema::RunFile>> read_recorded(const MeasureOptions& options) {
  const auto& path = options.file.path;
  std::error_code ignored;
  bool begun = options.file.resume && std::filesystem::exists(path, ignored);
  if (begun) {
    const auto has = has_header(path);
    if (!has) return has.error();
    begun = *has;
  }
  if (!begun) {
    if (!options.request.models.empty()) return std::optional<schema::RunFile>{};
    if (!options.file.resume) {
      return base::Error{base::ErrorKind::usage, "no model given", "-m",
                         "name one, such as distilbert"};
    }
    return base::Error{base::ErrorKind::usage, "there is no run to resume", path.string(),
                       "check the name, or name the model: -m distilbert"};
  }
  auto run = schema::read_run_file(path);
  if (!run) return std::move(run).error();
  return std::optional(*std::move(run));
}

base::Result<std::vector<std::unique_ptr<engine::Engine>>> load_engines(
    const Program& program, const MeasureOptions& options,
    const std::optional<schema::RunFile>& recorded) {
  // A run that is gone on with keeps to its own limits.
  const schema::MeasurementPlan& plan = recorded ? recorded->header.plan : options.request.plan;
  std::vector<std::unique_ptr<engine::Engine>> engines;
  for (const std::string& name : engines_of(program, options, recorded)) {
    auto engine = load_to_inspect(program, plan, name);
    if (!engine) return std::move(engine).error();
    engines.push_back(*std::move(engine));
  }
  return engines;
}

}  // namespace batchscope::api

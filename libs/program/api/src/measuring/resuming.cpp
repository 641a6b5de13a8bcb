#include "resuming.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/file.hpp"
#include "batchscope/base/units.hpp"
#include "executors.hpp"

namespace batchscope::api {
namespace {

std::string plain(const std::string& value) {
  return value;
}
template <class T>
requires std::is_integral_v<T> std::string plain(T value) {
  return fmt::format("{}", value);
}
// "10 min", "90 s": round durations, as they are typed, have no zeros behind the point.
std::string seconds(double value) {
  constexpr double kMinute = 60, kHour = 3600;
  const auto is_whole = [&](double unit) { return value >= unit && std::fmod(value, unit) == 0; };
  if (is_whole(kHour)) return fmt::format("{:.0f} h", value / kHour);
  if (is_whole(kMinute)) return fmt::format("{:.0f} min", value / kMinute);
  if (is_whole(1) && value < 2 * kMinute) return fmt::format("{:.0f} s", value);
  return base::format_seconds(value);
}
std::string ratio(double value) {
  return base::format_level(value);
}
std::string bytes(int64_t value) {
  return base::format_bytes(value);
}

template <class T>
std::string plain(const schema::OpenEnum<T>& value) {
  return std::string(value.text());
}

// With its unit, or "none".
template <class T, class Show>
std::string shown(const T& value, const Show& show) {
  return show(value);
}
template <class T, class Show>
std::string shown(const std::optional<T>& value, const Show& show) {
  return value ? show(*value) : "none";
}

// Remembers the first contradiction.
class Agreement {
 public:
  template <class T, class Show>
  void check(bool stated, const char* flag, const T& recorded, const T& asked, const Show& show) {
    if (!stated || recorded == asked || !result_) return;
    result_ = base::Error{base::ErrorKind::usage,
                          fmt::format("the run was started with {}, not {}", shown(recorded, show),
                                      shown(asked, show)),
                          flag, "leave it out, or measure into a new file"};
  }
  template <class T>
  void check(bool stated, const char* flag, const T& recorded, const T& asked) {
    check(stated, flag, recorded, asked, [](const auto& value) { return plain(value); });
  }
  const base::Result<void>& result() const { return result_; }

 private:
  base::Result<void> result_;
};

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

base::Result<void> check_agrees(const MeasureOptions& options, const schema::Header& recorded) {
  const schema::MeasurementPlan& plan = recorded.plan;
  const schema::MeasurementPlan& asked = options.request.plan;
  Agreement agreement;
  const auto check = [&](const char* flag, const auto& begun, const auto& now,
                         const auto&... show) {
    agreement.check(options.states(flag), flag, begun, now, show...);
  };
  check("--blocks", blocks_of(plan), blocks_of(asked));
  check("--seed", recorded.seed, options.request.seed);
  check("--iterations", plan.iterations, asked.iterations);
  check("--warmup", plan.warmup, asked.warmup);
  check("--isolation", plan.isolation, asked.isolation);
  check("--sync", plan.sync, asked.sync);
  check("--controls", plan.controls, asked.controls);
  check("--target", plan.target, asked.target, ratio);
  check("--min-visit-time", plan.min_visit_s, asked.min_visit_s, seconds);
  check("--memory-limit", plan.memory_limit_bytes, asked.memory_limit_bytes, bytes);
  check("--latency-budget", plan.latency_budget_s, asked.latency_budget_s, seconds);
  check("--current-batch-size", plan.current_batch_size, asked.current_batch_size);
  check("--budget", plan.budget_s, asked.budget_s, seconds);
  if (plan.diagnose) {
    check("--verify-causes", plan.verify_causes, asked.verify_causes);
    check("--verify", plan.verify, asked.verify);
    check("--diagnose-budget", plan.diagnose_budget_s, asked.diagnose_budget_s, seconds);
  }
  check("--timeout", plan.timeout_s, asked.timeout_s, seconds);
  return agreement.result();
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
      return base::Error{base::ErrorKind::usage, "no model was named", "-m",
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

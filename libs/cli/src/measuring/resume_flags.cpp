#include "resume_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "batchscope/base/file.hpp"
#include "batchscope/base/units.hpp"
#include "places.hpp"

namespace batchscope::cli {
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
  void check(bool typed, const char* flag, const T& recorded, const T& asked, const Show& show) {
    if (!typed || recorded == asked || !result_) return;
    result_ = base::Error{
        base::ErrorKind::usage,
        fmt::format("the run was begun with {}, not {}", shown(recorded, show), shown(asked, show)),
        flag, "leave the flag out, or measure into a new file"};
  }
  template <class T>
  void check(bool typed, const char* flag, const T& recorded, const T& asked) {
    check(typed, flag, recorded, asked, [](const auto& value) { return plain(value); });
  }
  const base::Result<void>& result() const { return result_; }

 private:
  base::Result<void> result_;
};

// A pilot of 12 blocks, to be extended by need, is not a run of exactly 12.
std::string blocks_of(const schema::MeasurementPlan& plan) {
  return plan.blocks_fixed ? fmt::format("{} blocks", plan.blocks) : "as many blocks as needed";
}

std::vector<std::string> recorded_engines(const ProfileFlags& flags,
                                          const std::optional<schema::RunFile>& recorded) {
  if (!recorded || recorded->configs.empty()) return engines_of(flags);
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

base::Result<void> check_agrees(const ProfileFlags& flags, const study::ProfileRequest& request,
                                const schema::Header& recorded) {
  const schema::MeasurementPlan& plan = recorded.plan;
  const schema::MeasurementPlan& asked = request.plan;
  Agreement agreement;
  agreement.check(flags.blocks > 0, "--blocks", blocks_of(plan), blocks_of(asked));
  agreement.check(flags.seed.has_value(), "--seed", recorded.seed, request.seed);
  agreement.check(flags.iterations > 0, "--iterations", plan.iterations, asked.iterations);
  agreement.check(flags.warmup >= 0, "--warmup", plan.warmup, asked.warmup);
  agreement.check(!flags.isolation.empty(), "--isolation", plan.isolation, asked.isolation);
  agreement.check(!flags.sync.empty(), "--sync", plan.sync, asked.sync);
  agreement.check(!flags.controls.empty(), "--controls", plan.controls, asked.controls);
  agreement.check(!flags.target.empty(), "--target", plan.target, asked.target, ratio);
  agreement.check(!flags.min_visit_time.empty(), "--min-visit-time", plan.min_visit_s,
                  asked.min_visit_s, seconds);
  agreement.check(!flags.memory_limit.empty(), "--memory-limit", plan.memory_limit_bytes,
                  asked.memory_limit_bytes, bytes);
  agreement.check(!flags.latency_budget.empty(), "--latency-budget", plan.latency_budget_s,
                  asked.latency_budget_s, seconds);
  agreement.check(flags.current_batch_size > 0, "--current-batch-size", plan.current_batch_size,
                  asked.current_batch_size);
  agreement.check(!flags.budget.empty(), "--budget", plan.budget_s, asked.budget_s, seconds);
  agreement.check(plan.diagnose && !flags.verify_causes.empty(), "--verify-causes",
                  plan.verify_causes, asked.verify_causes);
  agreement.check(plan.diagnose && !flags.verify.empty(), "--verify", plan.verify, asked.verify);
  agreement.check(plan.diagnose && !flags.diagnose_budget.empty(), "--diagnose-budget",
                  plan.diagnose_budget_s, asked.diagnose_budget_s, seconds);
  agreement.check(!flags.timeout.empty(), "--timeout", plan.timeout_s, asked.timeout_s, seconds);
  return agreement.result();
}

base::Result<std::optional<schema::RunFile>> read_recorded(const ProfileFlags& flags) {
  const auto& path = flags.output.path;
  std::error_code ignored;
  bool begun = flags.resume && std::filesystem::exists(path, ignored);
  if (begun) {
    const auto has = has_header(path);
    if (!has) return has.error();
    begun = *has;
  }
  if (!begun) {
    if (!flags.models.empty()) return std::optional<schema::RunFile>{};
    return base::Error{base::ErrorKind::usage, "there is no run to resume", path.string(),
                       "check the name, or name the model: -m distilbert"};
  }
  auto run = schema::read_run_file(path);
  if (!run) return std::move(run).error();
  return std::optional(*std::move(run));
}

base::Result<std::vector<std::unique_ptr<engine::Engine>>> load_engines(
    const ProfileFlags& flags, const std::optional<schema::RunFile>& recorded) {
  std::vector<std::unique_ptr<engine::Engine>> engines;
  for (const std::string& name : recorded_engines(flags, recorded)) {
    auto engine = load_engine(name);
    if (!engine) return std::move(engine).error();
    engines.push_back(*std::move(engine));
  }
  return engines;
}

}  // namespace batchscope::cli

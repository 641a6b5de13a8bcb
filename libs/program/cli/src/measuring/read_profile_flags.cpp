#include <set>
#include <utility>

#include "axis_flags.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/measure/process_executor.hpp"
#include "profile_flags.hpp"
#include "shared_flags/named_flag.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using schema::AxisId;

// The first failure of several steps, or nothing.
template <class... Steps>
Result<void> all_of(Steps&&... steps) {
  Result<void> result;
  static_cast<void>(((result = steps(), result.has_value()) && ...));
  return result;
}

Result<void> read_seconds(const std::string& typed, std::string_view flag, double& seconds) {
  if (typed.empty()) return {};
  auto duration = named(base::parse_duration(typed), flag);
  if (!duration) return std::move(duration).error();
  if (duration->count() <= 0)
    return Error{ErrorKind::usage, "must be above 0", std::string(flag),
                 "write for example 200ms, 1.5s, 10m or 2h"};
  const double typed_s = std::chrono::duration<double>(*duration).count();
  if (typed_s > schema::kMostSeconds) {
    return Error{ErrorKind::usage, "is too long for a run", std::string(flag),
                 "write for example 200ms, 1.5s, 10m or 2h"};
  }
  seconds = typed_s;
  return {};
}

Result<void> read_target(const ProfileFlags& flags, schema::MeasurementPlan& plan) {
  if (flags.target.empty()) return {};
  auto target = named(base::parse_ratio(flags.target), "--target");
  if (!target) return std::move(target).error();
  if (*target <= 0)
    return Error{ErrorKind::usage, "must be above 0", "--target", "use --target 2%"};
  plan.target = *target;
  return {};
}

Result<void> read_memory_limit(const ProfileFlags& flags, schema::MeasurementPlan& plan) {
  if (flags.memory_limit.empty()) return {};
  auto bytes = named(base::parse_bytes(flags.memory_limit), "--memory-limit");
  if (!bytes) return std::move(bytes).error();
  if (*bytes <= 0) {
    return Error{ErrorKind::usage, "must be above 0", "--memory-limit", "use --memory-limit 8GiB"};
  }
  if (flags.isolation == to_string(schema::Isolation::none)) {
    return Error{ErrorKind::usage, "a memory limit can only be enforced on a process of its own",
                 "--memory-limit", "use --isolation config or block"};
  }
  plan.memory_limit_bytes = *bytes;
  plan.memory_limit_kind = measure::choose_memory_limit(base::SystemRoot(), *bytes).kind;
  return {};
}

Result<void> read_latency_budget(const ProfileFlags& flags, schema::MeasurementPlan& plan) {
  if (flags.latency_budget.empty()) return {};
  double seconds = 0;
  if (auto read = read_seconds(flags.latency_budget, "--latency-budget", seconds); !read) {
    return read;
  }
  plan.latency_budget_s = seconds;
  return {};
}

Result<void> read_diagnosis(const ProfileFlags& flags, schema::MeasurementPlan& plan) {
  plan.diagnose = flags.diagnose;
  plan.only = flags.only;
  if (!flags.verify_causes.empty())
    plan.verify_causes = schema::OpenEnum<schema::Automatic>(flags.verify_causes);
  if (!flags.verify.empty()) plan.verify = schema::OpenEnum<schema::Automatic>(flags.verify);
  if (flags.diagnose_budget.empty()) return {};
  double seconds = 0;
  if (auto read = read_seconds(flags.diagnose_budget, "--diagnose-budget", seconds); !read) {
    return read;
  }
  plan.diagnose_budget_s = seconds;
  return {};
}

Result<void> read_plan(const ProfileFlags& flags, schema::MeasurementPlan& plan) {
  if (flags.current_batch_size > 0) plan.current_batch_size = flags.current_batch_size;
  if (!flags.isolation.empty())
    plan.isolation = schema::OpenEnum<schema::Isolation>(flags.isolation);
  if (!flags.sync.empty()) plan.sync = schema::OpenEnum<schema::Sync>(flags.sync);
  if (flags.blocks > 0) {
    plan.blocks = flags.blocks;
    plan.blocks_fixed = true;
  }
  if (flags.iterations > 0) plan.iterations = flags.iterations;
  if (flags.warmup >= 0) plan.warmup = flags.warmup;
  // A stated length is taken as it is, not stretched to outweigh the start-up.
  if (!flags.min_visit_time.empty() || flags.iterations > 0) plan.timed_over_startup = 0;
  plan.budget_fixed = !flags.budget.empty();
  return all_of(
      [&] { return read_seconds(flags.min_visit_time, "--min-visit-time", plan.min_visit_s); },
      [&] { return read_seconds(flags.budget, "--budget", plan.budget_s); },
      [&] { return read_seconds(flags.timeout, "--timeout", plan.timeout_s); },
      [&] { return read_latency_budget(flags, plan); }, [&] { return read_target(flags, plan); },
      [&] { return read_diagnosis(flags, plan); }, [&] { return read_memory_limit(flags, plan); });
}

bool trains(const ProfileFlags& flags) {
  return base::join(flags.axes[AxisId::mode], ",").find("train") != std::string::npos;
}

// What only training does.
Result<void> check_mode(const ProfileFlags& flags) {
  if (trains(flags)) return {};
  const auto refused = [](const char* what, const char* flag) {
    return Error{ErrorKind::usage, what, flag, "add --mode train"};
  };
  if (!flags.optimizer.empty()) return refused("only training has an optimizer", "--optimizer");
  if (!flags.axes[AxisId::accumulation].empty() || flags.effective_batch > 0) {
    return refused("only training accumulates batches", "--accumulation, --effective-batch");
  }
  if (!flags.loader.source.empty()) return refused("only training loads files", "--loader");
  return {};
}

// Of what was typed, that a resumed run is held to.
std::set<std::string, std::less<>> stated(const ProfileFlags& flags) {
  std::set<std::string, std::less<>> typed;
  const auto add = [&](bool is_typed, const char* flag) {
    if (is_typed) typed.insert(flag);
  };
  add(flags.blocks > 0, "--blocks");
  add(flags.seed.has_value(), "--seed");
  add(flags.iterations > 0, "--iterations");
  add(flags.warmup >= 0, "--warmup");
  add(!flags.isolation.empty(), "--isolation");
  add(!flags.sync.empty(), "--sync");
  add(!flags.controls.empty(), "--controls");
  add(!flags.target.empty(), "--target");
  add(!flags.min_visit_time.empty(), "--min-visit-time");
  add(!flags.memory_limit.empty(), "--memory-limit");
  add(!flags.latency_budget.empty(), "--latency-budget");
  add(flags.current_batch_size > 0, "--current-batch-size");
  add(!flags.budget.empty(), "--budget");
  add(!flags.verify_causes.empty(), "--verify-causes");
  add(!flags.verify.empty(), "--verify");
  add(!flags.diagnose_budget.empty(), "--diagnose-budget");
  add(!flags.timeout.empty(), "--timeout");
  add(!flags.axes[AxisId::batch_size].empty(), "--batch-sizes");
  add(!flags.axes[AxisId::instances].empty(), "--instances");
  return typed;
}

}  // namespace

std::vector<std::string> command_line_of(std::string_view verb,
                                         const std::vector<std::string>& arguments) {
  std::vector<std::string> line{"batchscope", std::string(verb)};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return line;
}

Result<api::MeasureOptions> read_flags(const ProfileFlags& flags,
                                       std::vector<std::string> command_line) {
  api::MeasureOptions options;
  study::ProfileRequest& request = options.request;
  auto read = all_of([&] { return check_mode(flags); }, [&] { return read_axes(flags, request); },
                     [&] { return read_plan(flags, request.plan); });
  if (!read) return read.error();
  if (request.models.empty() && !flags.resume) {
    return Error{
        ErrorKind::usage, "no model was named", "--model",
        "add -m distilbert, or another of --list-models, or a .pt, .pt2, .onnx or .xml file"};
  }
  request.inputs = flags.inputs;
  request.seed = flags.seed.value_or(request.seed);
  request.command_line = std::move(command_line);
  request.axes_as_typed = typed_axes(flags);
  if (!flags.controls.empty())
    request.plan.controls = schema::OpenEnum<schema::Automatic>(flags.controls);
  options.engines = engines_of(flags);
  auto wait = read_seconds(flags.wait_for_quiet, "--wait-for-quiet", options.wait_for_quiet_s);
  if (!wait) return wait.error();
  options.file = {flags.output.path, flags.output.overwrite, flags.resume, flags.force};
  options.stated = stated(flags);
  return options;
}

}  // namespace batchscope::cli

#include <set>
#include <utility>

#include "axis_flags.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/measure/process_executor.hpp"
#include "batchscope/schema/tables.hpp"
#include "profile_flags.hpp"

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

// A limit that is typed is one of a process.
Result<void> limit_memory(schema::MeasurementPlan& plan) {
  if (!plan.memory_limit_bytes) return {};
  if (plan.isolation == schema::Isolation::none) {
    return Error{ErrorKind::usage, "a memory limit needs a process of its own", "--memory-limit",
                 "use --isolation config or block"};
  }
  plan.memory_limit_kind =
      measure::choose_memory_limit(base::SystemRoot(), *plan.memory_limit_bytes).kind;
  return {};
}

Result<void> read_plan(const ProfileFlags& flags, schema::MeasurementPlan& plan) {
  const TypedSettings& typed = flags.settings;
  if (auto read = read_settings(typed, plan); !read) return read;
  if (plan.latency_of) {
    const auto statistic = schema::parse_latency_statistic(plan.latency_of->text());
    if (!statistic) return statistic.error();
  }
  plan.only = flags.only;
  plan.blocks_fixed = typed.has("--blocks");
  plan.budget_fixed = typed.has("--budget");
  // A stated length is taken as it is, not stretched to outweigh the start-up.
  if (typed.has("--min-visit-time") || plan.iterations) plan.timed_over_startup = 0;
  return limit_memory(plan);
}

bool trains(const ProfileFlags& flags) {
  return is_in_python(flags.loader) ||
         base::join(flags.axes[AxisId::mode], ",").find("train") != std::string::npos;
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
  std::set<std::string, std::less<>> typed = flags.settings.flags();
  if (flags.seed) typed.insert("--seed");
  if (!flags.axes[AxisId::batch_size].empty()) typed.insert("--batch-sizes");
  if (!flags.axes[AxisId::instances].empty()) typed.insert("--instances");
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
        ErrorKind::usage, "no model given", "--model",
        "add -m distilbert, or another of --list-models, or a .pt, .pt2, .onnx or .xml file"};
  }
  request.inputs = flags.inputs;
  request.seed = flags.seed.value_or(request.seed);
  request.command_line = std::move(command_line);
  request.axes_as_typed = typed_axes(flags);
  options.engines = engines_of(flags);
  if (!flags.wait_for_quiet.empty()) {
    const auto wait = read_seconds(flags.wait_for_quiet, "--wait-for-quiet");
    if (!wait) return wait.error();
    options.wait_for_quiet_s = *wait;
  }
  options.file = {flags.output.path, flags.output.overwrite, flags.resume, flags.force};
  options.stated = stated(flags);
  return options;
}

}  // namespace batchscope::cli

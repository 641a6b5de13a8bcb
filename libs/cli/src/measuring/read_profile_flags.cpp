#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <set>

#include "batchscope/base/ranges.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/device/threads.hpp"
#include "batchscope/measure/process_executor.hpp"
#include "places.hpp"
#include "precision_axis.hpp"
#include "profile_flags.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// Puts the flag's name where the parser of its value knows only the text.
template <class T>
Result<T> named(Result<T> result, std::string_view flag) {
  if (result) return result;
  Error error = std::move(result).error();
  error.kind = ErrorKind::usage;
  error.where = flag;
  return error;
}

// Parses what was typed for an axis; nothing typed leaves the default.
template <class T, class Parse>
Result<void> read_axis(const std::vector<std::string>& typed, std::string_view flag,
                       std::vector<T>& axis, Parse parse) {
  if (typed.empty()) return {};
  auto values = named(parse(base::join(typed, ",")), flag);
  if (!values) return std::move(values).error();
  axis = *std::move(values);
  return {};
}

template <class T, class ParseOne>
auto list_of(ParseOne parse_one) {
  return [parse_one](std::string_view text) -> Result<std::vector<T>> {
    auto names = base::parse_names(text);
    if (!names) return std::move(names).error();
    std::vector<T> values;
    for (const std::string& name : *names) {
      auto value = parse_one(name);
      if (!value) return std::move(value).error();
      values.push_back(*value);
    }
    return values;
  };
}

Result<bool> parse_switch(std::string_view text) {
  if (text == "on" || text == "off") return text == "on";
  return Error{ErrorKind::usage, fmt::format("'{}' is neither off nor on", text), "",
               "choose off, on or off,on"};
}

// The first failure of several steps, or nothing.
template <class... Steps>
Result<void> all_of(Steps&&... steps) {
  Result<void> result;
  static_cast<void>(((result = steps(), result.has_value()) && ...));
  return result;
}

// Commas inside parentheses belong to a distribution of lengths.
std::vector<std::string> split_lengths(const std::string& text) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  return items;
}

Result<void> read_seq_lens(const std::vector<std::string>& typed, study::Axes& axes) {
  std::vector<std::string> fixed;
  std::set<std::string> known;
  for (const std::string& each : split_lengths(base::join(typed, ","))) {
    const std::string item(base::trim(each));
    if (!study::is_length_mix(item)) {
      fixed.push_back(item);
      continue;
    }
    auto mix = study::parse_length_mix(item);
    if (!mix && mix.error().kind == ErrorKind::input) return std::move(mix).error();
    mix = named(std::move(mix), "--seq-lens");
    if (!mix) return std::move(mix).error();
    if (known.insert(item).second) axes.length_mixes.push_back(*std::move(mix));
  }
  return read_axis(fixed, "--seq-lens", axes.seq_lens, base::parse_range);
}

Result<void> check_instances(const ProfileFlags& flags, const study::Axes& axes) {
  const bool several =
      std::any_of(axes.instances.begin(), axes.instances.end(), [](int64_t n) { return n > 1; });
  if (!several || flags.isolation != "none") return {};
  return Error{ErrorKind::usage, "several instances at once need processes of their own",
               "--instances", "use --isolation config or block"};
}

Result<void> read_precisions(const std::vector<std::string>& typed,
                             study::ProfileRequest& request) {
  constexpr const char* kFlag = "--precision";
  const auto names = base::parse_names(base::join(typed, ","));
  if (!names || std::find(names->begin(), names->end(), "auto") == names->end()) {
    return read_axis(typed, kFlag, request.axes.precisions,
                     list_of<schema::Precision>(schema::parse_precision));
  }
  if (names->size() > 1) {
    return Error{ErrorKind::usage, "auto says which precisions there are", kFlag,
                 "write auto alone, or name each"};
  }
  choose_precisions(request);
  return {};
}

Result<void> read_axes(const ProfileFlags& flags, study::ProfileRequest& request) {
  study::Axes& axes = request.axes;
  axes.cores = device::default_threads(base::SystemRoot()).threads;
  axes.threads.clear();
  if (!flags.optimizer.empty()) axes.optimizer = flags.optimizer;
  if (flags.effective_batch > 0) axes.effective_batch = flags.effective_batch;
  return all_of(
      [&] {
        return read_axis(flags.batch_sizes, "--batch-sizes", axes.batch_sizes, base::parse_range);
      },
      [&] { return flags.seq_lens.empty() ? Result<void>() : read_seq_lens(flags.seq_lens, axes); },
      [&] { return read_pipeline(flags.text, axes); },
      [&] { return read_axis(flags.threads, "--threads", axes.threads, base::parse_range); },
      [&] { return read_axis(flags.instances, "--instances", axes.instances, base::parse_range); },
      [&] { return check_instances(flags, axes); },
      [&] { return read_axis(flags.devices, "--device", axes.devices, base::parse_names); },
      [&] { return read_precisions(flags.precisions, request); },
      [&] {
        return read_axis(flags.modes, "--mode", axes.modes,
                         list_of<schema::Mode>(schema::parse_mode));
      },
      [&] {
        return read_axis(flags.checkpointing, "--checkpointing", axes.checkpointing,
                         list_of<bool>(parse_switch));
      },
      [&] {
        return read_axis(flags.accumulations, "--accumulation", axes.accumulations,
                         base::parse_range);
      },
      [&] { return read_loader(flags.loader, axes); });
}

Result<void> read_seconds(const std::string& typed, std::string_view flag, double& seconds) {
  if (typed.empty()) return {};
  auto duration = named(base::parse_duration(typed), flag);
  if (!duration) return std::move(duration).error();
  if (duration->count() <= 0)
    return Error{ErrorKind::usage, "must be longer than nothing", std::string(flag),
                 "write for example 200ms, 1.5s, 10m or 2h"};
  const double typed_s = std::chrono::duration<double>(*duration).count();
  if (typed_s > schema::kMostSeconds) {
    return Error{ErrorKind::usage, "is longer than any run lasts", std::string(flag),
                 "write for example 200ms, 1.5s, 10m or 2h"};
  }
  seconds = typed_s;
  return {};
}

Result<void> read_target(const ProfileFlags& flags, schema::Plan& plan) {
  if (flags.target.empty()) return {};
  auto target = named(base::parse_ratio(flags.target), "--target");
  if (!target) return std::move(target).error();
  if (*target <= 0)
    return Error{ErrorKind::usage, "must be above 0", "--target", "use --target 2%"};
  plan.target = *target;
  return {};
}

Result<void> read_memory_limit(const ProfileFlags& flags, schema::Plan& plan) {
  if (flags.memory_limit.empty()) return {};
  auto bytes = named(base::parse_bytes(flags.memory_limit), "--memory-limit");
  if (!bytes) return std::move(bytes).error();
  if (*bytes <= 0) {
    return Error{ErrorKind::usage, "must be above 0", "--memory-limit", "use --memory-limit 8GiB"};
  }
  if (flags.isolation == "none") {
    return Error{ErrorKind::usage, "a memory limit needs a process of its own to hold",
                 "--memory-limit", "use --isolation config or block"};
  }
  plan.memory_limit_bytes = *bytes;
  plan.memory_limit_kind = measure::choose_memory_limit(base::SystemRoot(), *bytes).kind;
  return {};
}

Result<void> read_latency_budget(const ProfileFlags& flags, schema::Plan& plan) {
  if (flags.latency_budget.empty()) return {};
  double seconds = 0;
  if (auto read = read_seconds(flags.latency_budget, "--latency-budget", seconds); !read) {
    return read;
  }
  plan.latency_budget_s = seconds;
  return {};
}

Result<void> read_diagnosis(const ProfileFlags& flags, schema::Plan& plan) {
  plan.diagnose = flags.diagnose;
  plan.only = flags.only;
  if (!flags.verify_causes.empty()) plan.verify_causes = flags.verify_causes;
  if (!flags.verify.empty()) plan.verify = flags.verify;
  if (flags.diagnose_budget.empty()) return {};
  double seconds = 0;
  if (auto read = read_seconds(flags.diagnose_budget, "--diagnose-budget", seconds); !read) {
    return read;
  }
  plan.diagnose_budget_s = seconds;
  return {};
}

Result<void> read_plan(const ProfileFlags& flags, schema::Plan& plan) {
  if (flags.current_batch_size > 0) plan.current_batch_size = flags.current_batch_size;
  if (!flags.isolation.empty()) plan.isolation = flags.isolation;
  if (!flags.sync.empty()) plan.sync = flags.sync;
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

// Flags that cannot both be meant.
Result<void> check_contradictions(const ProfileFlags& flags) {
  const auto refuse = [](std::string what, std::string where, std::string fix) {
    return Error{ErrorKind::usage, std::move(what), std::move(where), std::move(fix)};
  };
  if (flags.resume && flags.output.overwrite) {
    return refuse("one goes on with the file, the other throws it away", "--resume, --overwrite",
                  "leave one out");
  }
  if (flags.iterations > 0 && !flags.min_visit_time.empty()) {
    return refuse("both say how long a visit lasts", "--iterations, --min-visit-time",
                  "leave one out");
  }
  if (flags.blocks > 0 && !flags.target.empty()) {
    return refuse("a fixed number of blocks has no target to stop at", "--blocks, --target",
                  "leave one out");
  }
  if (flags.force && !flags.resume) {
    return refuse("only resuming can be forced", "--force", "add --resume, or leave it out");
  }
  if (!flags.diagnose_budget.empty() && !flags.diagnose) {
    return refuse("nothing is diagnosed that could take time", "--diagnose-budget",
                  "add --diagnose, or leave it out");
  }
  const bool trains = base::join(flags.modes, ",").find("train") != std::string::npos;
  if (!flags.optimizer.empty() && !trains) {
    return refuse("only training has an optimizer", "--optimizer", "add --mode train");
  }
  const bool steps = !flags.accumulations.empty() || flags.effective_batch > 0;
  if (steps && !trains) {
    return refuse("only training has steps that batches could be accumulated for",
                  "--accumulation, --effective-batch", "add --mode train");
  }
  if (!flags.accumulations.empty() && flags.effective_batch > 0) {
    return refuse("both say how many batches a step takes", "--accumulation, --effective-batch",
                  "leave one out");
  }
  if (!flags.loader.source.empty() && !trains) {
    return refuse("files are loaded for training only", "--loader", "add --mode train");
  }
  return {};
}

std::map<std::string, std::string> axes_as_typed(const ProfileFlags& flags) {
  std::map<std::string, std::string> axes = typed_axes(flags.text);
  axes.merge(typed_axes(flags.loader));
  const auto add = [&](const char* name, const std::vector<std::string>& typed) {
    if (!typed.empty()) axes[name] = base::join(typed, ",");
  };
  add("model", flags.models);
  add("batch_size", flags.batch_sizes);
  add("seq_len", flags.seq_lens);
  add("precision", flags.precisions);
  add("threads", flags.threads);
  add("instances", flags.instances);
  add("device", flags.devices);
  add("mode", flags.modes);
  add("checkpointing", flags.checkpointing);
  add("accumulation", flags.accumulations);
  if (flags.effective_batch > 0) axes["effective_batch"] = std::to_string(flags.effective_batch);
  if (engines_of(flags).size() > 1) axes["engine"] = base::join(engines_of(flags), ",");
  return axes;
}

}  // namespace

Result<study::ProfileRequest> read_flags(const ProfileFlags& flags) {
  study::ProfileRequest request;
  auto names = [&]() -> Result<void> {
    // A law of the synthetic engine has commas of its own.
    const std::vector<std::string> engines = engines_of(flags);
    const bool synthetic = std::find(engines.begin(), engines.end(), "synthetic") != engines.end();
    if (synthetic && engines.size() > 1) {
      return Error{ErrorKind::usage, "laws in virtual time are not comparable with real models",
                   "--engine", "leave synthetic out"};
    }
    if (std::set<std::string>(engines.begin(), engines.end()).size() < engines.size()) {
      return Error{ErrorKind::usage, "an engine is named twice", "--engine", "name each once"};
    }
    if (synthetic) {
      request.models = flags.models;
      return {};
    }
    return read_axis(flags.models, "--model", request.models, base::parse_names);
  };
  auto read = all_of([&] { return check_contradictions(flags); }, names,
                     [&] { return read_axes(flags, request); },
                     [&] { return read_plan(flags, request.plan); });
  if (!read) return read.error();
  if (request.models.empty() && !flags.resume) {
    return Error{
        ErrorKind::usage, "no model was named", "--model",
        "add -m distilbert, or another of --list-models, or a .pt, .pt2, .onnx or .xml file"};
  }
  request.inputs = flags.inputs;
  request.places = own_places();
  request.seed = flags.seed ? *flags.seed : std::random_device{}();
  request.tool_version = BATCHSCOPE_VERSION;
  request.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  request.axes_as_typed = axes_as_typed(flags);
  if (!flags.controls.empty()) request.plan.controls = flags.controls;
  return request;
}

}  // namespace batchscope::cli

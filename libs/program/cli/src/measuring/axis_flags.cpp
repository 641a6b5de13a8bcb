#include "axis_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "batchscope/api/measure_options.hpp"
#include "batchscope/base/lists.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/engine/description.hpp"
#include "batchscope/study/environments.hpp"
#include "install_paths.hpp"
#include "profile_flags.hpp"
#include "shared_flags/length_axis.hpp"
#include "shared_flags/named_flag.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using schema::AxisId;
using study::ProfileRequest;

// The flag of an axis that is more than a word for each value.
struct AxisFlag {
  AxisId id;
  // As CLI11 takes them, the long one last, and its help; null where it has flags of its own.
  const char* names = nullptr;
  const char* help = nullptr;
  Result<void> (*read)(const ProfileFlags&, ProfileRequest&) = nullptr;  // null: `settle` alone
  void (*add)(CLI::App&, ProfileFlags&) = nullptr;
  // Reads what depends on other axes, after all have been read; null: nothing does.
  Result<void> (*settle)(const ProfileFlags&, ProfileRequest&) = nullptr;
};

constexpr const char* kGroup = "What to measure";

std::string_view name_of_flag(AxisId id);

// Parses what was typed for an axis into its values; nothing typed leaves the default.
template <AxisId kId, auto kValues, auto kParse>
Result<void> read_list(const ProfileFlags& flags, ProfileRequest& request) {
  return read_values(flags.axes[kId], name_of_flag(kId), request.axes.*kValues, kParse);
}

template <class T, class ParseOne>
Result<std::vector<T>> parse_list(std::string_view text, ParseOne parse_one) {
  auto names = base::parse_names(text);
  if (!names) return std::move(names).error();
  std::vector<T> values;
  for (const std::string& name : *names) {
    auto value = parse_one(name);
    if (!value) return std::move(value).error();
    values.push_back(*value);
  }
  return values;
}

Result<bool> parse_switch(std::string_view text) {
  if (text == "on" || text == "off") return text == "on";
  return Error{ErrorKind::usage, fmt::format("'{}' is neither off nor on", text), "",
               "choose off, on or off,on"};
}

Result<std::vector<bool>> parse_switches(std::string_view text) {
  return parse_list<bool>(text, parse_switch);
}

Result<std::vector<schema::Mode>> parse_modes(std::string_view text) {
  return parse_list<schema::Mode>(text, schema::parse_mode);
}

Result<std::vector<schema::Precision>> parse_precisions(std::string_view text) {
  return parse_list<schema::Precision>(text, schema::parse_precision);
}

Result<void> read_instances(const ProfileFlags& flags, ProfileRequest& request) {
  auto read =
      read_list<AxisId::instances, &study::Axes::instances, base::parse_integers>(flags, request);
  const std::vector<int64_t>& counts = request.axes.instances;
  const bool several = std::any_of(counts.begin(), counts.end(), [](int64_t n) { return n > 1; });
  if (!read || !several || flags.settings["--isolation"] != to_string(schema::Isolation::none))
    return read;
  return Error{ErrorKind::usage, "several instances need own processes", "--instances",
               "use --isolation config or block"};
}

// Those of the devices where it says auto: they have to be known.
Result<void> read_precisions(const ProfileFlags& flags, ProfileRequest& request) {
  constexpr const char* kFlag = "--precision";
  const std::vector<std::string>& typed = flags.axes[AxisId::precision];
  const auto names = base::parse_names(base::join(typed, ","));
  if (!names || std::find(names->begin(), names->end(), "auto") == names->end()) {
    return read_values(typed, kFlag, request.axes.precisions, parse_precisions);
  }
  if (names->size() > 1) {
    return Error{ErrorKind::usage, "auto already includes every precision of the device", kFlag,
                 "write auto alone, or list the precisions"};
  }
  api::choose_precisions(request);
  return {};
}

Result<void> read_environments(const ProfileFlags& flags, ProfileRequest& request) {
  const std::vector<std::string>& typed = flags.axes[AxisId::environment];
  if (!typed.empty() && flags.settings["--isolation"] == to_string(schema::Isolation::none)) {
    return Error{ErrorKind::usage, "different environments need different processes", "--env",
                 "use --isolation config or block"};
  }
  auto environments = study::parse_environments(typed);
  if (!environments) return std::move(environments).error();
  request.axes.environments = *std::move(environments);
  return {};
}

Result<void> read_params(const ProfileFlags& flags, ProfileRequest& request) {
  auto params = study::parse_params(flags.axes[AxisId::param]);
  if (!params) return std::move(params).error();
  request.axes.params = *std::move(params);
  return {};
}

void add_models(CLI::App& app, ProfileFlags& flags) {
  app.add_option(
         "-m,--model", flags.models,
         "a built-in model, a file (.pt, .pt2, .onnx, .xml), or net.py:factory; also a name of the "
         "models folder (./dev models), package.module:factory, " BATCHSCOPE_MODEL_LIBRARIES
         "; batchscope interleaves several; torch=a.pt,openvino=a.xml is one model with a file for "
         "each "
         "engine")
      ->group(kGroup);
}

bool runs_laws(const std::string& engine) {
  const auto described = engine::find_description(engine, own_places());
  return described && described->virtual_time;
}

Result<void> read_models(const ProfileFlags& flags, ProfileRequest& request) {
  // A law in virtual time has commas of its own.
  const std::vector<std::string> engines = engines_of(flags);
  const auto law = std::find_if(engines.begin(), engines.end(), runs_laws);
  if (law != engines.end() && engines.size() > 1) {
    return Error{ErrorKind::usage, "laws in virtual time are not comparable with real models",
                 "--engine", fmt::format("remove {}", *law)};
  }
  if (std::set<std::string>(engines.begin(), engines.end()).size() < engines.size()) {
    return Error{ErrorKind::usage, "an engine appears twice", "--engine", "name each once"};
  }
  if (law != engines.end()) {
    request.models = flags.models;
    return {};
  }
  return read_values(models_of(flags), "--model", request.models, base::parse_names);
}

void add_optimizer(CLI::App& app, ProfileFlags& flags) {
  app.add_option("--optimizer", flags.optimizer, "for --mode train: sgd, adamw")
      ->check(CLI::IsMember({"sgd", "adamw"}))
      ->group(kGroup);
}

Result<void> read_optimizer(const ProfileFlags& flags, ProfileRequest& request) {
  if (!flags.optimizer.empty()) request.axes.optimizer = flags.optimizer;
  return {};
}

void add_accumulation(CLI::App& app, ProfileFlags& flags) {
  app.add_option("--accumulation", flags.axes[AxisId::accumulation],
                 "for --mode train: batches whose gradients make one optimizer step, as "
                 "--batch-sizes (default 1)")
      ->group(kGroup);
  app.add_option("--effective-batch", flags.effective_batch,
                 "for --mode train: samples per step; each batch size that divides this number "
                 "accumulates as many batches as needed")
      ->check(CLI::Range(int64_t{1}, schema::kMostAccumulation))
      ->group(kGroup);
}

Result<void> read_accumulation(const ProfileFlags& flags, ProfileRequest& request) {
  if (flags.effective_batch > 0) request.axes.effective_batch = flags.effective_batch;
  return read_values(flags.axes[AxisId::accumulation], "--accumulation", request.axes.accumulations,
                     base::parse_integers);
}

// Beside what a file of a model takes, which the engine reads.
void add_engine(CLI::App& app, ProfileFlags& flags) {
  app.add_option("--python", flags.python,
                 "for models in Python: the interpreter that has the package batchscope (default: "
                 "python3, or BATCHSCOPE_PYTHON)")
      ->group(kGroup);
  app.add_option("--input", flags.inputs,
                 "an input of a model file, such as x:Bx1024; input_ids:BxS:int64, "
                 "mask:BxS:int64=1, ids:BxS:int64=0-30521")
      ->group(kGroup);
  app.add_option(
         "--engine", flags.engine,
         "torch, openvino, python, synthetic; torch,openvino compares them (default: what the "
         "model needs)")
      ->group(kGroup);
}

// In the order of the help.
constexpr auto kFlags = std::to_array<AxisFlag>(
    {{.id = AxisId::model, .read = read_models, .add = add_models},
     {.id = AxisId::batch_size,
      .names = "-b,--batch-sizes",
      .help = "1,2,4 or 1-8 or 1-64+8 or 1-128*2 (default 1,2,4,8)",
      .read = read_list<AxisId::batch_size, &study::Axes::batch_sizes, base::parse_integers>},
     {.id = AxisId::seq_len,
      .names = "--seq-lens",
      .help = "tokens, as --batch-sizes (default: the model's own); variable-length input: "
              "16-128:lognormal(48,0.6), 16-128:normal(48,20), 16-128:uniform, file:lengths.txt",
      .read =
          [](const ProfileFlags& flags, ProfileRequest& request) {
            return read_lengths(flags.axes[AxisId::seq_len], request.axes);
          }},
     {.id = AxisId::precision,
      .names = "--precision",
      .help = "several with commas (default fp32); auto: those that the device has",
      .settle = read_precisions},
     {.id = AxisId::threads,
      .names = "--threads",
      .help = "per instance (default: the physical cores allowed); as --batch-sizes",
      .read = read_list<AxisId::threads, &study::Axes::threads, base::parse_integers>},
     {.id = AxisId::instances,
      .names = "--instances",
      .help = "copies at once, each pinned to its own cores (default 1); as --batch-sizes",
      .read = read_instances},
     {.id = AxisId::device,
      .names = "--device",
      .help = "cpu (default), cuda:0, ...",
      .read = read_list<AxisId::device, &study::Axes::devices, base::parse_names>},
     {.id = AxisId::mode,
      .names = "--mode",
      .help = "infer, train",
      .read = read_list<AxisId::mode, &study::Axes::modes, parse_modes>},
     {.id = AxisId::optimizer, .read = read_optimizer, .add = add_optimizer},
     {.id = AxisId::checkpointing,
      .names = "--checkpointing",
      .help = "for --mode train: off, on; compute each transformer layer again in the backward "
              "pass instead of keeping its activations",
      .read = read_list<AxisId::checkpointing, &study::Axes::checkpointing, parse_switches>},
     {.id = AxisId::accumulation, .read = read_accumulation, .add = add_accumulation},
     {.id = AxisId::environment,
      .names = "--env",
      .help = "an environment variable of the visits: MALLOC_ARENA_MAX=1,2 compares two values; an "
              "empty value leaves it as it is (LD_PRELOAD=,libjemalloc.so); repeat the flag for "
              "another variable",
      .read = read_environments},
     {.id = AxisId::param,
      .names = "--param",
      .help = "for models in Python: a value of the factory's own, NAME=VALUE; width=256,512 "
              "compares two; repeat the flag for another name",
      .read = read_params},
     {.id = AxisId::loader,
      .add = [](CLI::App& app, ProfileFlags& flags) { add_loader(app, flags.loader); },
      .settle = [](const ProfileFlags& flags,
                   ProfileRequest& request) { return read_loader(flags.loader, request.axes); }},
     {.id = AxisId::engine, .add = add_engine},
     {.id = AxisId::pipeline, .settle = [](const ProfileFlags& flags, ProfileRequest& request) {
        return read_pipeline(flags.text, request.axes);
      }}});

// As it is typed in full: "--batch-sizes".
std::string_view name_of_flag(AxisId id) {
  const std::string_view names = schema::special(kFlags, id)->names;
  return names.substr(names.rfind(',') + 1);
}

Result<void> read_plain(const schema::Axis& axis, const ProfileFlags& flags,
                        ProfileRequest& request) {
  const std::vector<std::string>& typed = flags.axes[axis.id];
  if (!axis.plain || typed.empty()) return {};
  const std::string flag = schema::flag_named(axis.name);
  if (axis.of_process && flags.settings["--isolation"] == to_string(schema::Isolation::none)) {
    return Error{ErrorKind::usage, "visits in this process keep its setting", flag,
                 "use --isolation config or block"};
  }
  std::vector<std::string>& words = request.axes.plain[axis.id];
  if (auto read = read_values(typed, flag, words, base::parse_names); !read) return read;
  for (const std::string& word : words) {
    schema::RunConfig scratch;
    if (axis.plain.read(word, scratch)) continue;
    return Error{ErrorKind::usage, fmt::format("'{}' is not one of its values", word), flag,
                 std::string(axis.plain.help)};
  }
  return {};
}

}  // namespace

void add_axes(CLI::App& app, ProfileFlags& flags) {
  for (const AxisFlag& flag : kFlags) {
    if (flag.add != nullptr) {
      flag.add(app, flags);
    } else if (flag.names != nullptr) {
      app.add_option(flag.names, flags.axes[flag.id], flag.help)->group(kGroup);
    }
  }
  for (const schema::Axis& axis : schema::axes()) {
    if (!axis.plain) continue;
    app.add_option(schema::flag_named(axis.name), flags.axes[axis.id], std::string(axis.plain.help))
        ->group(kGroup);
  }
}

Result<void> read_axes(const ProfileFlags& flags, ProfileRequest& request) {
  for (const auto step : {&AxisFlag::read, &AxisFlag::settle}) {
    for (const AxisFlag& flag : kFlags) {
      if (flag.*step == nullptr) continue;
      if (auto read = (flag.*step)(flags, request); !read) return read;
    }
  }
  for (const schema::Axis& axis : schema::axes()) {
    if (auto read = read_plain(axis, flags, request); !read) return read;
  }
  return {};
}

std::map<std::string, std::string> typed_axes(const ProfileFlags& flags) {
  std::map<std::string, std::string> axes = typed_axes(flags.text);
  axes.merge(typed_axes(flags.loader));
  const auto add = [&](std::string_view name, const std::vector<std::string>& typed) {
    if (!typed.empty()) axes[std::string(name)] = base::join(typed, ",");
  };
  for (const schema::Axis& axis : schema::axes()) add(axis.name, flags.axes[axis.id]);
  add("model", flags.models);
  if (flags.effective_batch > 0) axes["effective_batch"] = std::to_string(flags.effective_batch);
  if (engines_of(flags).size() > 1) add("engine", engines_of(flags));
  return axes;
}

}  // namespace batchscope::cli

#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/api/measure_options.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/schema/axes.hpp"
#include "batchscope/study/job.hpp"
#include "cluster_flags.hpp"
#include "format.hpp"
#include "output.hpp"
#include "shared_flags/loader_flags.hpp"
#include "shared_flags/pipeline_flags.hpp"
#include "shared_flags/setting_flags.hpp"

namespace batchscope::cli {

// What was typed after the flags of the axes; empty: nothing was.
class TypedAxes {
 public:
  std::vector<std::string>& operator[](schema::AxisId id) {
    return typed_[static_cast<std::size_t>(id)];
  }
  const std::vector<std::string>& operator[](schema::AxisId id) const {
    return typed_[static_cast<std::size_t>(id)];
  }

 private:
  std::array<std::vector<std::string>, schema::kAxes> typed_;
};

// The flags of `profile`, as typed.
struct ProfileFlags {
  std::vector<std::string> models;
  TypedAxes axes;  // of the axes that have no member of their own here
  std::string optimizer;
  LoaderFlags loader;
  int64_t effective_batch = 0;  // 0: not typed
  std::string engine;
  std::string python;  // empty: not typed
  std::vector<std::string> inputs;
  PipelineFlags text;

  TypedSettings settings;
  std::string wait_for_quiet;     // empty: not typed
  std::vector<std::string> only;  // empty: all parts
  std::optional<uint64_t> seed;

  ClusterFlags cluster;

  Output output;
  bool resume = false, force = false;
  bool dry_run = false, list_models = false, quiet = false, strict = false;
  bool brief = false;
  Format format = Format::text;
};

void add_flags(CLI::App& app, ProfileFlags& flags);
// What to do where the run file exists: one flag, written out into two.
void add_on_existing(CLI::App& app, ProfileFlags& flags, const std::string& group);
// Of every verb that measures times.
CLI::Option* add_wait_for_quiet(CLI::App& app, ProfileFlags& flags);
// Those alone that say what to measure and how, for a verb that has an output of its own.
void add_measuring_flags(CLI::App& app, ProfileFlags& flags);

// Which of them cannot be typed together, of those that a verb has.
void tie_flags(CLI::App& app);

// As named; of a data set in Python without a step the usual synthetic one.
std::vector<std::string> models_of(const ProfileFlags& flags);

// Those of --engine, else what the models need.
std::vector<std::string> engines_of(const ProfileFlags& flags);

// Flags to options, with the defaults of this machine. `command_line`: of the run's header. Errors:
// usage, naming the flag.
base::Result<api::MeasureOptions> read_flags(const ProfileFlags& flags,
                                             std::vector<std::string> command_line);

// "batchscope", the verb, and what was typed after it.
std::vector<std::string> command_line_of(std::string_view verb,
                                         const std::vector<std::string>& arguments);

}  // namespace batchscope::cli

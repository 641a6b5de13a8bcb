#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/api/largest_batch.hpp"
#include "batchscope/api/tune.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/tune/export.hpp"
#include "batchscope/tune/tune.hpp"
#include "measuring/profile_flags.hpp"

namespace batchscope::cli {

// The flags of `tune`, as typed.
struct TuneFlags {
  ProfileFlags profile;  // the axes, and all settings
  bool explain = false;
  bool noise_scale = false;
  bool dry_run = false;

  bool max_batch_only = false;
  std::filesystem::path ceilings;  // empty: the default file
  bool forget_ceilings = false;

  std::filesystem::path replay;
  std::string noise;
  std::vector<std::string> exports;  // "triton=config.pbtxt", or "triton" for standard output
};

void add_tune_flags(CLI::App& app, TuneFlags& flags);

// For measuring. Errors: usage, naming the flag, and those of read_flags.
base::Result<api::TuneOptions> read_tune_options(const TuneFlags& flags,
                                                 std::vector<std::string> command_line);
// For --replay. Errors: usage, naming the flag.
base::Result<api::ReplayOptions> read_replay_options(const TuneFlags& flags);
// For --max-batch-only. Errors: usage, naming the flag (also one that has no meaning there), and
// those of read_flags.
base::Result<api::LargestBatchOptions> read_largest_batch_options(
    const TuneFlags& flags, std::vector<std::string> command_line);

// One --export, read.
struct ExportTarget {
  tune::ExportFormat format = tune::ExportFormat::yaml;
  std::filesystem::path path;  // empty: standard output
};
// Errors: usage (an unknown format, two for standard output, a file that exists without
// --overwrite).
base::Result<std::vector<ExportTarget>> read_exports(const TuneFlags& flags);

}  // namespace batchscope::cli

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "analyze/build_gates.hpp"
#include "batchscope/api/compare.hpp"
#include "batchscope/api/sides.hpp"
#include "batchscope/base/log.hpp"
#include "format.hpp"
#include "output.hpp"

namespace batchscope::cli {

inline constexpr char kDefaultMargin[] = "2%";  // api::kVersionMargin, as typed

// How versions are compared and told, for `compare` and `baseline compare`, as typed.
struct VersionFlags {
  std::string margin = kDefaultMargin;
  bool in_pairs = false;
  GateFlags gates;  // --allow-inconclusive, --junit, --annotations
  Format format = Format::text;
  Output output;
  std::filesystem::path baselines;  // --dir
  bool quiet = false;
  bool brief = false;
};

void add_flags(CLI::App& app, VersionFlags& flags);

// --dir, else the user's own folder.
std::filesystem::path baselines_folder(const std::filesystem::path& typed);
// "did you mean NAME? ", of the baselines that are kept there, or nothing.
std::string meant_baseline(const std::string& typed, const std::filesystem::path& folder);

// --margin as typed, a ratio. Errors: usage (no share, or none above 0).
base::Result<double> read_margin(const std::string& typed);

// Errors: usage (a margin that is none, outputs that exist or are one of `inputs`); failed (a page,
// by a build that makes none).
base::Result<api::CompareOptions> read_flags(const VersionFlags& flags,
                                             const std::vector<std::string>& inputs);

// Compares, prints, writes what the build server asked for, and returns the exit code: 5 for
// slower, 6 where it cannot be told.
int show_versions(const std::vector<schema::RunFile>& runs, const api::CompareOptions& options,
                  const VersionFlags& flags, const base::Log& log);

// The same of run files on two sides.
int show_sides(const api::Side& old_side, const api::Side& new_side, const VersionFlags& flags,
               const base::Log& log);

}  // namespace batchscope::cli

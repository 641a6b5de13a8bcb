#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "batchscope/base/result.hpp"
#include "batchscope/study/job.hpp"

namespace batchscope::cli {

struct ProfileFlags;

// The flags that say what is measured, each beside what reads it: one table, with a row for each
// axis of schema/axes.hpp.
void add_axes(CLI::App& app, ProfileFlags& flags);

// Puts what was typed into the axes of the request; what was not leaves the default. Errors: usage,
// naming the flag; input, of files that axes name.
base::Result<void> read_axes(const ProfileFlags& flags, study::ProfileRequest& request);

// What was typed, by the names of the axes, for the header of the run.
std::map<std::string, std::string> typed_axes(const ProfileFlags& flags);

}  // namespace batchscope::cli

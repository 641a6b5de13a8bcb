#pragma once

#include <map>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/study/axes.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace batchscope::cli {

// The flags of `profile` for training on files, as typed.
struct LoaderFlags {
  std::string source;
  std::vector<std::string> workers, prefetch, to_device, start_methods, pinned;
};

void add_loader(CLI::App& app, LoaderFlags& flags);

// Puts the loaders into the axes; does nothing without --loader. Errors: usage (flags of a loader
// that is not asked for, a value that is none, batches sent ahead to the CPU).
base::Result<void> read_loader(const LoaderFlags& flags, study::Axes& axes);

// Whether the samples come from a data set in Python.
bool is_in_python(const LoaderFlags& flags);

// What was typed for its axes, by name, for the header of the run.
std::map<std::string, std::string> typed_axes(const LoaderFlags& flags);

}  // namespace batchscope::cli

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batchscope/api/trend.hpp"
#include "batchscope/base/result.hpp"

namespace batchscope::api {

// One of two versions, as somebody named it: run files, or a model that is to be measured.
struct Side {
  std::string name{};
  std::vector<std::string> runs{};  // none: a model

  bool is_model() const { return runs.empty(); }
};

// A run file, a folder of them (those that end in .jsonl, by name), a baseline of that name in
// `baselines`, else a model. Errors: input (a folder without a run file, a baseline that is
// damaged).
base::Result<Side> read_side(const std::string& named, const std::filesystem::path& baselines);

// Whether some run is on both sides. Errors: usage.
base::Result<void> check_apart(const Side& old_side, const Side& new_side);

// Runs with what they are called in a trend: the commit of a baseline's, else the file's name. What
// of a folder is no run that was measured is left out, and told in `left_out`.
struct History {
  std::vector<LabelledRun> runs{};
  std::vector<std::string> left_out{};
};
// Errors: those of read_side; input (a file that was named, and is no such run).
base::Result<History> read_history(const std::string& named,
                                   const std::filesystem::path& baselines);

}  // namespace batchscope::api

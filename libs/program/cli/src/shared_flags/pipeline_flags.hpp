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

// The flags of `profile` for texts in and vectors out, as typed.
struct PipelineFlags {
  std::string pipeline, texts, tokenizer, pooling;
  std::vector<std::string> text_lengths, tokenizer_threads, paddings, orders, sort_windows,
      token_budgets;
  int64_t max_length = 0;  // 0: not typed
  bool no_normalize = false;
};

void add_pipeline(CLI::App& app, PipelineFlags& flags);

// Puts the pipelines, and the lengths of their texts, into the axes; does nothing without
// --pipeline. Errors: usage (flags of a pipeline that is not asked for, a value that is none),
// input (the texts' file).
base::Result<void> read_pipeline(const PipelineFlags& flags, study::Axes& axes);

// What was typed for its axes, by name, for the header of the run.
std::map<std::string, std::string> typed_axes(const PipelineFlags& flags);

}  // namespace batchscope::cli

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engine/install_paths.hpp"
#include "batchscope/schema/axes.hpp"
#include "batchscope/schema/run_config.hpp"
#include "batchscope/study/length_mix.hpp"

namespace batchscope::study {

// One model of a sweep: what the engine needs to load it, and what it can vary.
struct SweepModel {
  engine::ModelSpec spec;
  std::vector<std::string> inputs;  // of a file, as the user stated them; for the run file
  bool has_seq_len = false;
  std::optional<int64_t> default_seq_len;
  bool checkpointing = false;  // whether the engine can checkpoint its layers in training
  std::string tokenizer;       // that belongs to it; empty where it has none
  schema::OpenEnum<schema::Pooling> pooling =
      schema::Pooling::mean;  // what its makers do with the vectors of its tokens
  bool normalize = true;
  int64_t max_length = 0;     // tokens that they cut texts at; 0: not known
  int64_t max_positions = 0;  // tokens that it can take; 0: not known
  bool interpreted = false;   // in a language of its own: has the axes that only such models have
};

// Tells what a model file is to be fed, where nobody stated it. Errors: those of Engine::inputs_of.
using InputsOf = std::function<base::Result<std::vector<engine::InputSpec>>(
    engine::Engine&, const engine::ModelSpec&)>;

// What a name of a model means: a built-in model, one of the models folders (which knows its
// inputs), a file of the engine (with `inputs`, as the user stated them, or those that it tells),
// or a law of the synthetic engine. Inputs that nobody stated are asked of `inputs_of`, or without
// one of the engine itself, and kept as if they had been stated. Two files of one name are told
// apart by their paths. Errors: usage (unknown name, an input that cannot be read), input (no such
// file), and those of Engine::inputs_of.
base::Result<std::vector<SweepModel>> find_models(engine::Engine& engine,
                                                  std::span<const std::string> names,
                                                  std::span<const std::string> inputs,
                                                  uint64_t seed, const engine::InstallPaths& places,
                                                  const InputsOf& inputs_of = {});

// The axes of a sweep; an empty axis takes its one default.
struct Axes {
  std::vector<int64_t> batch_sizes{1, 2, 4, 8};
  std::vector<int64_t> seq_lens;
  std::vector<LengthMix> length_mixes;  // beside seq_lens, on the same axis
  std::vector<schema::Precision> precisions{schema::Precision::fp32};
  std::vector<std::string> devices{"cpu"};
  // Of each instance; empty: `cores` shared among the instances, at least 1.
  std::vector<int64_t> threads{1};
  std::vector<int64_t> instances{1};  // copies that run at once
  int cores = 1;                      // physical cores that may be used
  std::vector<schema::Mode> modes{schema::Mode::infer};
  std::string optimizer = "sgd";           // of the configurations that train
  std::vector<bool> checkpointing{false};  // of these too
  // And these: batches a step; or the samples of a step, which every batch size that divides them
  // makes with as many batches as it takes.
  std::vector<int64_t> accumulations{1};
  std::optional<int64_t> effective_batch;
  std::vector<schema::Loader> loaders;  // and these; empty: made-up inputs
  // What is done around the model; what is empty in one (tokenizer, pooling) is the model's own.
  std::vector<schema::TextPipeline> pipelines;
  // Variables of the visits alone; empty: as they are, as in an environment without any.
  std::vector<std::map<std::string, std::string>> environments;
  // Values of a factory's own, by name; empty: those that it declares.
  std::vector<std::map<std::string, std::string>> params;
  // Of the axes that take a word for each value (schema::Axis::plain): "on", "off".
  std::map<schema::AxisId, std::vector<std::string>> plain;
};

// The largest batch size that a mix of lengths can have: each of its samples stands in the run
// file.
inline constexpr int64_t kLargestMixedBatch = 65'536;

// The product of the axes, batch size varying fastest. With an effective batch, the batch sizes
// that do not divide it are left out of what trains. Errors: usage (a sequence length for models
// that have none; more than 10,000 configurations; a mix of lengths in batches that are too large;
// no batch size that divides the effective batch).
base::Result<std::vector<schema::RunConfig>> expand(const Axes& axes, std::string_view engine,
                                                    std::span<const SweepModel> models);

// Leaves out the configurations whose instances need more cores than there are, since their figures
// would be those of a queue. Returns a note for the header of the run on each combination that
// goes. Errors: usage, when nothing would be left.
base::Result<std::vector<std::string>> leave_out_overcommitted(
    std::vector<schema::RunConfig>& configs, int cores);

}  // namespace batchscope::study

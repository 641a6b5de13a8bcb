#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "batchscope/schema/execution.hpp"
#include "batchscope/schema/shape.hpp"
#include "batchscope/schema/text_pipeline.hpp"

namespace batchscope::schema {

// One point of a sweep: everything that is set, nothing left to a default that an engine picks by
// itself.
struct RunConfig {
  std::string engine;
  std::string model;
  Shape shape;
  Precision precision = Precision::fp32;
  std::string device = "cpu";
  int threads = 1;
  int instances = 1;
  Mode mode = Mode::infer;
  std::string optimizer;       // train only: "sgd" or "adamw"
  bool checkpointing = false;  // train only: layers are computed again in the backward pass
  // Train only: batches whose gradients are averaged for one step of the optimizer; an iteration is
  // all of it.
  int64_t accumulation = 1;
  std::optional<Loader> loader{};  // train only; absent: the same made-up inputs each iteration
  std::optional<TextPipeline> pipeline{};
  // Added to the environment of the workers: asked for, or an intervention (environments.hpp).
  std::map<std::string, std::string> environment;
  // Transparent huge pages of the workers: not kept from them, or kept; absent: as the machine has
  // them.
  std::optional<bool> huge_pages{};
  // Values of a factory's own, by the names that it declares, as typed: {"width", "256"}.
  std::map<std::string, std::string> param{};
  // Models in Python: compiled by torch.compile, or not; absent: as the model was made.
  std::optional<bool> compile{};
  // Models in Python: "on", "freeze" (what is alive when timing begins is not looked at again) or
  // "off"; absent: as the model leaves it.
  std::optional<std::string> gc{};
  auto operator<=>(const RunConfig&) const = default;
};

// The same configuration with batch size 0 and without the lengths, of which every batch size has
// its own: what a scaling table has in common.
RunConfig without_batch_size(const RunConfig& config);
// What the outputs for a sample follow from: the same without the number of samples, threads,
// instances, the environment and the pipeline, since outputs are compared as the model's own, on
// tokens, before anything that a pipeline does with them.
RunConfig computed_by(const RunConfig& config);
// What a process has one value of for all its life: the same without all else.
RunConfig process_of(const RunConfig& config);
// The samples of one iteration of one instance, which train the model in one step: batch size x
// accumulation.
int64_t effective_batch(const RunConfig& config);
// The samples of one iteration of all instances: instances x effective batch. Divided by its time
// they are the throughput.
int64_t samples_at_once(const RunConfig& config);
// As of the shape, but each iteration takes as many batches as are accumulated.
std::optional<Tokens> tokens_of(const RunConfig& config);
// "distilbert batch_size=4 seq_len=64 fp32 cpu threads=2"; leaves out what is at its default
// (instances 1, infer, no checkpointing, no accumulation).
std::string describe(const RunConfig& config);

}  // namespace batchscope::schema

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/text_pipeline.hpp"

namespace batchscope::schema {

// The largest batch size and sequence length: their product still is an int64.
inline constexpr int64_t kLargestSize = (int64_t{1} << 31) - 1;
// The most batches of one training step: with it, samples of an iteration are an int64 too.
inline constexpr int64_t kMostAccumulation = 65'536;

// The axes that change the size of the work; sizes from 1 to kLargestSize.
struct Shape {
  int64_t batch_size = 1;
  std::optional<int64_t> seq_len{};  // tokens; absent for models without a length, and for a mix
  // Variable-length input: how the lengths are distributed, as typed ("16-128:lognormal(48,0.6)"),
  // and the lengths in tokens of the samples that are run through in turn, from 1 to kLargestSize.
  // Each `batch_size` of them in a row form a batch, padded to its longest; there are as many
  // batches as it takes, and together they are one cycle. Both are empty without a mix.
  std::string length_mix{};
  std::vector<int64_t> lengths{};
  auto operator<=>(const Shape&) const = default;
};

// What the samples of one cycle hold: the tokens of the samples, and what is computed when each
// batch is padded to its longest sample; and how many iterations (batches) a cycle has.
struct Tokens {
  int64_t real = 0;
  int64_t padded = 0;
  int64_t iterations = 1;
  bool operator==(const Tokens&) const = default;
};
// Absent without lengths.
std::optional<Tokens> tokens_of(const Shape& shape);
// How many batches `lengths` make; 1 without lengths.
int64_t cycle_of(const Shape& shape);
// The longest sample of batch `index` of the cycle; seq_len without lengths.
std::optional<int64_t> longest_of(const Shape& shape, int64_t index);

enum class Precision { fp32, bf16, fp16 };
enum class Mode { infer, train };

std::string_view to_string(Precision precision);
std::string_view to_string(Mode mode);
// What RunConfig::optimizer names, as far as anything is known of it. Engines implement some.
enum class Optimizer { sgd, adam, adamw, rmsprop, other };
std::string_view to_string(Optimizer optimizer);
base::Result<Precision> parse_precision(std::string_view text);
base::Result<Mode> parse_mode(std::string_view text);

// Where training gets its samples from: files that are read and turned into inputs while it runs.
struct Loader {
  std::string source{};  // a folder, or files made up for the run: "synthetic:256,latency=5ms"
  int workers = 0;       // threads that load ahead; 0: the loop itself, between two batches
  int prefetch = 2;      // batches that each worker has ready or in the making
  // On an accelerator: the next batch is copied there while it computes with this one.
  bool prefetch_to_device = false;
  auto operator<=>(const Loader&) const = default;
};

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
std::string describe(const Loader& loader);
// "files of data/train read by 2 workers": the source, and who reads it.
std::string in_words(const Loader& loader);
std::string source_in_words(const Loader& loader);   // "files of data/train"
std::string workers_in_words(const Loader& loader);  // "2 loader workers"

}  // namespace batchscope::schema

#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"

// How work is run: what a configuration names beside its shape.
namespace batchscope::schema {

enum class Precision { fp32, bf16, fp16 };
enum class Mode { infer, train };

std::string_view to_string(Precision precision);
std::string_view to_string(Mode mode);
// What RunConfig::optimizer names, as far as anything is known of it. Engines implement some.
enum class Optimizer { sgd, adam, adamw, rmsprop, other };
std::string_view to_string(Optimizer optimizer);
base::Result<Precision> parse_precision(std::string_view text);
base::Result<Mode> parse_mode(std::string_view text);

// Where training gets its samples from: files that are read and turned into inputs while it runs,
// or a data set in Python behind a DataLoader of torch.
struct Loader {
  // A folder, files made up for the run ("synthetic:256,latency=5ms"), or "python:data.py:dataset".
  std::string source{};
  // Threads that load ahead, in Python processes; 0: the loop itself, between two batches.
  int workers = 0;
  int prefetch = 2;  // batches that each worker has ready or in the making
  // On an accelerator: the next batch is copied there while it computes with this one.
  bool prefetch_to_device = false;
  // Of processes: "fork", "spawn", "forkserver"; empty: as Python starts them.
  std::string start_method{};
  bool pinned = false;  // in Python: batches are copied into pinned memory
  auto operator<=>(const Loader&) const = default;
};

bool is_in_python(const Loader& loader);
std::string describe(const Loader& loader);
// "files of data/train read by 2 workers": the source, and who reads it.
std::string in_words(const Loader& loader);
std::string source_in_words(const Loader& loader);   // "files of data/train"
std::string workers_in_words(const Loader& loader);  // "2 loader workers"

}  // namespace batchscope::schema

#pragma once

#include <compare>
#include <string>

namespace batchscope::schema {

// Where training gets its samples from: files that are read and turned into inputs while it runs.
struct Loader {
  std::string source{};  // a folder, or files made up for the run: "synthetic:256,latency=5ms"
  int workers = 0;       // threads that load ahead; 0: the loop itself, between two batches
  int prefetch = 2;      // batches that each worker has ready or in the making
  // On an accelerator: the next batch is copied there while it computes with this one.
  bool prefetch_to_device = false;
  auto operator<=>(const Loader&) const = default;
};

std::string describe(const Loader& loader);
// "files of data/train read by 2 workers": the source, and who reads it.
std::string in_words(const Loader& loader);
std::string source_in_words(const Loader& loader);   // "files of data/train"
std::string workers_in_words(const Loader& loader);  // "2 loader workers"

}  // namespace batchscope::schema

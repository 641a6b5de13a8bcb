#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::capacity {

// A batch size that once ran out of memory.
struct Ceiling {
  std::string key;  // of what; see ceiling_key
  int64_t batch_size = 1;
  int64_t limit_bytes = 0;  // that it died at
  std::string when;         // UTC, ISO 8601
};

// Everything that memory depends on but the batch size and the limit, in words: the machine, the
// model with its hash, engine and versions, and the configuration.
std::string ceiling_key(const schema::Header& header, const schema::RunConfig& config);

// $XDG_STATE_HOME/batchscope/ceilings.jsonl, else below ~/.local/state; empty without a home.
std::filesystem::path default_ceilings_file();

// What ran out of memory in any run, in a file of JSON lines that only grows, so that runs at the
// same time lose nothing of each other's.
class OomLimits {
 public:
  // Reads the file; one that is not there is empty, and lines that make no sense are passed over.
  // An empty path: nothing is kept. Errors: input (a file that is there cannot be read).
  static base::Result<OomLimits> open(std::filesystem::path path);

  // The smallest size that died under this limit or a larger one.
  std::optional<Ceiling> find(const std::string& key, int64_t limit_bytes) const;
  // Durable when the call returns. Errors: failed (read-only, disk full, just open elsewhere).
  base::Result<void> add(const Ceiling& ceiling);
  // What was known of the key is known no more.
  base::Result<void> forget(const std::string& key);

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit OomLimits(std::filesystem::path path) : path_(std::move(path)) {}
  void read_line(std::string_view line);
  base::Result<void> append(std::string line);

  std::filesystem::path path_;
  std::vector<Ceiling> known_;
};

}  // namespace batchscope::capacity

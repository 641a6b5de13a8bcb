#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/trace/trace.hpp"

namespace batchscope::trace {

struct ReadOptions {
  int threads = 0;  // that parse; 0: the processors this process may use, at most 8
  // Stop after so many activities and say so (ReadSummary::truncated), so that a file cannot take
  // all of the memory: one takes about 100 bytes while it is read.
  int64_t most_activities = 50'000'000;
  // Of text that one thread parses at a time. It changes nothing in what is read.
  int64_t block_bytes = int64_t{1} << 20;
  // Of uncompressed text; a compressed file may claim to hold more than any disk.
  int64_t most_bytes = int64_t{1} << 40;
};

// Reads what torch.profiler (Kineto), other writers of Chrome's trace format, and `nsys export
// --type sqlite` write, and tells by the content which it is.
//   Chrome: an object with "traceEvents", or the bare array; plain, gzip or zstd
//   Nsight Systems: an SQLite export
// What is broken is passed over and counted in Trace::read; a file that ends in the middle is read
// up to there. Names longer than 4,096 bytes are cut.
class TraceReader {
 public:
  explicit TraceReader(ReadOptions options = {}) : options_(options) {}

  // "-" is standard input. Errors: input (absent, unreadable, neither format; of an export also: no
  // event that could be read).
  base::Result<Trace> read(const std::filesystem::path& file) const;
  // Text of Chrome's format that is in memory, also compressed. Errors: input, as above.
  base::Result<Trace> parse(std::string_view text, std::string source) const;

 private:
  ReadOptions options_;
};

}  // namespace batchscope::trace

#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/trace/reader.hpp"
#include "block_reader.hpp"
#include "table/chunk.hpp"

namespace batchscope::trace {

// Parses blocks of an array of events on several threads, until the array is closed, the text ends,
// or a block is no JSON.
class ParallelReading {
 public:
  ParallelReading(BlockReader& reader, int threads, int64_t most_activities, int64_t most_bytes);

  struct End {
    enum class Why { closed, no_more_text, not_json, enough };
    Why why = Why::no_more_text;
    // Of a block that is no JSON, its text, and whether it is the last; of one in which the array
    // was closed, what stands behind. Texts of the blocks after it are put back.
    std::string text;
    bool is_last = false;
  };
  End run();

  // What was read, in the order of the file; a part more after each run.
  std::vector<NumberedChunk> chunks;
  std::deque<Numbering> numberings;  // one a thread

 private:
  struct Done;
  class Work;

  BlockReader& reader_;
  int threads_;
  int64_t most_activities_;
  int64_t most_bytes_;
  int64_t activities_ = 0;
};

}  // namespace batchscope::trace

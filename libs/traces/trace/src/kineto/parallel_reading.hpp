#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "batchscope/trace/reader.hpp"
#include "block_reader.hpp"
#include "table/table_builder.hpp"

namespace batchscope::trace {

// Parses blocks of an array of events on several threads, until the array is closed, the text ends,
// or a block is no JSON.
class ParallelReading {
 public:
  ParallelReading(BlockReader& reader, TableBuilder& table, const ReadOptions& options);

  struct End {
    enum class Why { closed, no_more_text, not_json, enough };
    Why why = Why::no_more_text;
    // Of a block that is no JSON, its text, and whether it is the last; of one in which the array
    // was closed, what stands behind. Texts of the blocks after it are put back.
    std::string text;
    bool is_last = false;
  };
  End run();

  // Takes over what stands before the next run.
  void add(Chunk chunk);
  // Of the thread that runs it.
  Numbering& numbering() { return numberings_.front(); }

 private:
  struct Done;
  class Work;

  BlockReader& reader_;
  TableBuilder& table_;
  std::deque<Numbering> numberings_;  // one a thread
  int64_t most_activities_;
  int64_t most_bytes_;
};

}  // namespace batchscope::trace

#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#include "names.hpp"
#include "nsys/sqlite/sqlite_file.hpp"
#include "table/chunk.hpp"

namespace batchscope::trace {

// One thread's reading of one or several tables: what it has read, and what went wrong.
class SqliteReading {
 public:
  // `activities_left`: that all readings of a file together may still keep.
  SqliteReading(SqliteFile& file, Numbering& numbering, std::atomic<int64_t>& activities_left);
  SqliteReading(const SqliteReading&) = delete;
  SqliteReading& operator=(const SqliteReading&) = delete;
  ~SqliteReading();  // gives back what was reserved and not kept

  SqliteFile& file() { return file_; }
  Numbering& numbering() { return numbering_; }
  Names& names() { return names_; }
  // Details that rows have go here before add().
  Chunk& chunk() { return chunk_; }

  void add(const Activity& activity);
  // False, and said, where no activity more may be kept.
  bool has_room();
  // A row that cannot be understood.
  void skip(std::string_view why);
  // Rows that could not be read at all.
  void lose(std::string_view what);

  bool is_truncated() const { return is_truncated_; }
  std::vector<Chunk> take();

 private:
  SqliteFile& file_;
  Numbering& numbering_;
  std::atomic<int64_t>& activities_left_;
  Names names_;
  Chunk chunk_;
  std::vector<Chunk> full_;
  int64_t reserved_ = 0;
  bool is_truncated_ = false;
};

}  // namespace batchscope::trace

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "nsys/sqlite/statement.hpp"
#include "table/chunk.hpp"

namespace batchscope::trace {

// Texts that rows give as numbers into the table StringIds, each looked up once. That table also
// holds whatever the recorded program printed, so it is never read as a whole.
class Names {
 public:
  Names(SqliteFile& file, InternTable& into);

  // `shown` says what of a text is its name. One that StringIds lacks is called by its number.
  uint32_t number_of(int64_t id, std::string_view (*shown)(std::string_view), Chunk& problems);
  uint32_t number_of(int64_t id, Chunk& problems);
  bool has(int64_t id);
  // Of a text that stands in the row itself.
  uint32_t number_of_text(std::string_view text);

 private:
  Statement lookup_;
  InternTable& names_;
  std::unordered_map<int64_t, uint32_t> known_;
};

// Without the version at the end: "cudaMemcpyAsync_v3020" is cudaMemcpyAsync.
std::string_view without_version(std::string_view name);
// What somebody can read: bytes that are no UTF-8 are question marks.
std::string readable_name(std::string_view text);

}  // namespace batchscope::trace

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/bytes/byte_source.hpp"

namespace batchscope::trace {

// A stretch of the array of events as an array of its own: '[', whole events, and ']' where the
// file has the comma before the next one. What follows the text is room that a parser may read.
struct Block {
  std::vector<char> bytes;
  size_t size = 0;         // of the array
  bool is_closed = false;  // by us; in the last block the file itself closes the array, or nothing
  bool is_last = false;

  std::string_view array() const { return {bytes.data(), size}; }
  // The file's own text, without what was put around it.
  std::string_view text() const { return array().substr(1, size - (is_closed ? 2 : 1)); }
};

// Cuts the text of an array of events into blocks, where one event ends and the next begins.
class BlockReader {
 public:
  // `key` as of first_key(): where it is found behind a brace, an event begins.
  BlockReader(bytes::ByteSource& source, std::string key, size_t block_bytes);

  // Text that comes before what the source still has. The next block ends behind its first `whole`
  // bytes.
  void put_back(std::string_view text, size_t full = 0);
  // False where nothing is left. A block is as large as was asked for, or as one event that is
  // larger; never more than `kLargestBlock`, then it need not end where an event does. The last one
  // is the last event alone, with what stands behind it.
  bool next(Block& block);
  // All that is left, at most so many bytes.
  std::string rest(size_t most);

  int64_t bytes_read() const { return bytes_read_; }
  double share_read() const { return source_.share_read(); }
  const std::string& key() const { return key_; }
  void set_key(std::string key) { key_ = std::move(key); }

  static constexpr size_t kLargestBlock = size_t{64} << 20;
  static constexpr size_t kPadding = 64;  // what simdjson may read behind a text

 private:
  // Reads until the block holds `size` bytes; false at the end.
  bool fill(Block& block, size_t size);

  bytes::ByteSource& source_;
  std::string key_;
  size_t block_bytes_;
  std::string carried_;
  size_t full_ = 0;  // of that, what the next block is not to be cut in
  int64_t bytes_read_ = 0;
};

}  // namespace batchscope::trace

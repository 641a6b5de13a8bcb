#include "block_reader.hpp"

#include <algorithm>
#include <utility>

#include "formats/scan.hpp"

namespace batchscope::trace {

BlockReader::BlockReader(bytes::ByteSource& source, std::string key, size_t block_bytes)
    : source_(source), key_(std::move(key)), block_bytes_(block_bytes) {}

void BlockReader::put_back(std::string_view text, size_t full) {
  carried_.insert(0, text);
  full_ = full;
}

bool BlockReader::fill(Block& block, size_t size) {
  if (block.bytes.size() < size + kPadding) block.bytes.resize(size + kPadding);
  while (block.size < size) {
    const size_t got = source_.read(std::span(block.bytes).subspan(block.size, size - block.size));
    if (got == 0) return false;
    block.size += got;
    bytes_read_ += static_cast<int64_t>(got);
  }
  return true;
}

bool BlockReader::next(Block& block) {
  size_t target = std::max(block_bytes_, carried_.size()) + 1;
  block.bytes.resize(std::max(block.bytes.size(), target + kPadding));
  block.bytes[0] = '[';
  std::copy(carried_.begin(), carried_.end(), block.bytes.begin() + 1);
  block.size = carried_.size() + 1;
  block.is_closed = false;
  carried_.clear();
  const size_t full = std::exchange(full_, 0);
  for (;;) {
    block.is_last = !fill(block, target);
    const size_t comma = last_boundary(block.array(), key_);
    if (comma != kNotFound && comma > full + 1) {
      carried_.assign(block.array().substr(comma + 1));
      block.bytes[comma] = ']';
      block.size = comma + 1;
      block.is_closed = true;
      block.is_last = false;
      return true;
    }
    if (block.is_last) return block.size > 1;
    if (target >= kLargestBlock) return true;
    target = std::min(kLargestBlock, target * 2);
  }
}

std::string BlockReader::rest(size_t most) {
  std::string text = std::exchange(carried_, {});
  std::vector<char> buffer(size_t{1} << 20);
  while (text.size() < most) {
    const size_t got = source_.read(buffer);
    if (got == 0) break;
    bytes_read_ += static_cast<int64_t>(got);
    text.append(buffer.data(), got);
  }
  return text;
}

}  // namespace batchscope::trace

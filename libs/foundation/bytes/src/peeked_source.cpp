#include "batchscope/bytes/peeked_source.hpp"

#include <algorithm>
#include <utility>

namespace batchscope::bytes {

PeekedSource::PeekedSource(std::unique_ptr<ByteSource> source, size_t bytes)
    : source_(std::move(source)), head_(bytes, '\0') {
  size_t size = 0;
  while (size < bytes) {
    const size_t got = source_->read(std::span(head_).subspan(size));
    if (got == 0) break;
    size += got;
  }
  head_.resize(size);
  damage_ = source_->damage();
}

size_t PeekedSource::read(std::span<char> into) {
  if (given_ < head_.size()) {
    const size_t size = std::min(into.size(), head_.size() - given_);
    std::copy_n(head_.data() + given_, size, into.data());
    given_ += size;
    return size;
  }
  const size_t got = source_->read(into);
  damage_ = source_->damage();
  return got;
}

}  // namespace batchscope::bytes

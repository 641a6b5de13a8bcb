#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "batchscope/bytes/byte_source.hpp"

namespace batchscope::bytes {

// A source whose first bytes can be looked at before they are read.
class PeekedSource : public ByteSource {
 public:
  // Looks at so many bytes, or at all where the source has fewer.
  PeekedSource(std::unique_ptr<ByteSource> source, size_t bytes);

  std::string_view head() const { return head_; }
  size_t read(std::span<char> into) override;
  double share_read() const override { return source_->share_read(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string head_;
  size_t given_ = 0;  // of the head
};

}  // namespace batchscope::bytes

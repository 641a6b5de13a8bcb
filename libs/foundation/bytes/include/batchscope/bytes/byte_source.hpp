#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::bytes {

// Uncompressed bytes, from the first to the last, once.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills the front of `into` and says how much of it; 0 at the end.
  virtual size_t read(std::span<char> into) = 0;

  // How much of the file was read, 0 to 1; 0 where that is not known.
  virtual double share_read() const { return 0; }

  // Why the bytes end where they should not: "the gzip data are damaged"; empty where they do not.
  const std::string& damage() const { return damage_; }

 protected:
  std::string damage_;
};

// A file, or standard input where the path is "-". Errors: input (absent, unreadable, a folder).
base::Result<std::unique_ptr<ByteSource>> open_file(const std::filesystem::path& path);
// The text has to outlive the source.
std::unique_ptr<ByteSource> bytes_of(std::string_view text);

// Looks at the first bytes and takes gzip or zstd off; what is neither comes out as it is.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source);

}  // namespace batchscope::bytes

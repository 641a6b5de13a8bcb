#include "batchscope/engine/content_hash.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

namespace batchscope::engine {
namespace {

class Hasher {
 public:
  // Every piece but the last holds whole words.
  void add(std::string_view piece) {
    for (size_t at = 0; at < piece.size(); at += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, piece.data() + at, std::min(sizeof word, piece.size() - at));
      step(word);
    }
    length_ += piece.size();
  }

  std::string text() {
    step(length_);
    return fmt::format("fnv1a64:{:016x}", state_);
  }

 private:
  void step(uint64_t word) { state_ = (state_ ^ word) * 0x100000001b3U; }

  uint64_t state_ = 0xcbf29ce484222325U;
  uint64_t length_ = 0;
};

}  // namespace

std::string content_hash(std::string_view content) {
  Hasher hasher;
  hasher.add(content);
  return hasher.text();
}

base::Result<std::string> file_hash(const std::filesystem::path& path) {
  constexpr size_t kPiece = size_t{1} << 20;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> piece(kPiece);
  Hasher hasher;
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hasher.add({piece.data(), static_cast<size_t>(file.gcount())});
  }
  if (!file.eof()) {
    return base::Error{base::ErrorKind::input,
                       std::string("cannot read the file: ") + std::strerror(errno), path.string(),
                       "check the path and its permissions"};
  }
  return hasher.text();
}

}  // namespace batchscope::engine

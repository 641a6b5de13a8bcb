#include "batchscope/bytes/compress.hpp"

#include <isa-l/igzip_lib.h>

#include <memory>
#include <vector>

namespace batchscope::bytes {
namespace {

constexpr size_t kTakenBytes = size_t{1} << 18;
constexpr size_t kGivenBytes = size_t{1} << 16;

void deflate_all(isal_zstream& stream, std::vector<uint8_t>& room, std::string& into) {
  do {
    stream.next_out = room.data();
    stream.avail_out = static_cast<uint32_t>(room.size());
    isal_deflate(&stream);
    into.append(room.data(), room.data() + room.size() - stream.avail_out);
  } while (stream.avail_out == 0);
}

}  // namespace

std::string gzipped(ByteSource& source) {
  std::vector<uint8_t> level(ISAL_DEF_LVL3_DEFAULT), room(kGivenBytes);
  std::vector<char> taken(kTakenBytes);
  const auto stream = std::make_unique<isal_zstream>();  // too large for a stack
  isal_deflate_init(stream.get());
  stream->gzip_flag = IGZIP_GZIP;
  stream->level = 3;
  stream->level_buf = level.data();
  stream->level_buf_size = static_cast<uint32_t>(level.size());
  std::string compressed;
  while (stream->end_of_stream == 0) {
    const size_t got = source.read(taken);
    stream->next_in = reinterpret_cast<uint8_t*>(taken.data());
    stream->avail_in = static_cast<uint32_t>(got);
    stream->end_of_stream = got == 0 ? 1 : 0;
    deflate_all(*stream, room, compressed);
  }
  return compressed;
}

}  // namespace batchscope::bytes

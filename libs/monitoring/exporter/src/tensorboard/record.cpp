#include "tensorboard/record.hpp"

#include <isa-l/crc.h>

#include <algorithm>
#include <cstddef>

namespace batchscope::exporter {
namespace {

template <class Unsigned>
void put(Unsigned value, std::string& to) {
  for (std::size_t byte = 0; byte < sizeof value; ++byte) {
    to.push_back(static_cast<char>(value >> (8 * byte) & 0xff));
  }
}

uint32_t masked_crc32c(std::string_view data) {
  constexpr uint32_t kMaskDelta = 0xa282ead8;
  const uint32_t crc = crc32c(data);
  return (crc >> 15 | crc << 17) + kMaskDelta;
}

}  // namespace

uint32_t crc32c(std::string_view data) {
  // ISA-L takes an int, and leaves the inversion at both ends to its callers.
  constexpr std::size_t kMost = std::size_t{1} << 30;
  uint32_t state = 0xffffffff;
  while (!data.empty()) {
    const std::string_view part = data.substr(0, std::min(data.size(), kMost));
    auto* bytes = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(part.data()));
    state = crc32_iscsi(bytes, static_cast<int>(part.size()), state);
    data.remove_prefix(part.size());
  }
  return ~state;
}

std::string record_of(std::string_view data) {
  std::string record;
  record.reserve(data.size() + 16);
  put(uint64_t{data.size()}, record);
  put(masked_crc32c(record), record);
  record += data;
  put(masked_crc32c(data), record);
  return record;
}

}  // namespace batchscope::exporter

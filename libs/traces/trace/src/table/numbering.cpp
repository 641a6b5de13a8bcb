#include <array>
#include <cstring>

#include "chunk.hpp"

namespace batchscope::trace {
namespace {

// The bytes of three numbers: short, and equal only where all of them are.
template <class Make>
uint32_t number_track(Numbering& numbering, std::array<int64_t, 3> numbers, Make make) {
  std::array<char, sizeof numbers> bytes;
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  const uint32_t number = numbering.track_keys.number_of({bytes.data(), bytes.size()});
  if (number == numbering.tracks.size()) numbering.tracks.push_back(make());
  return number;
}

}  // namespace

uint32_t Numbering::host_track(int64_t process, int64_t thread) {
  return number_track(*this, {process, thread, -1}, [&] {
    Track track;
    track.process = process;
    track.thread = thread;
    return track;
  });
}

uint32_t Numbering::device_track(int64_t process, int64_t device, int64_t stream) {
  // Streams count from 0, so that no host's thread has such a key.
  return number_track(*this, {process * 1024 + device, stream, device}, [&] {
    Track track;
    track.process = process;
    track.device = device;
    track.stream = stream;
    return track;
  });
}

void Chunk::clear() {
  activities.resize(0);
  launches.clear();
  copies.clear();
  memory.clear();
  labels.clear();
  halves.clear();
  passed_over = 0;
  skipped = 0;
  problems.clear();
  is_kineto = false;
  counter_ranges = 0;
}

}  // namespace batchscope::trace

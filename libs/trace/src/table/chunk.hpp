#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/trace/trace.hpp"
#include "intern.hpp"

namespace batchscope::trace {

// What a trace calls a thread.
struct Label {
  int64_t process = 0;
  int64_t thread = 0;
  std::string text;
};

// Names and tracks as one thread of a reader numbers them.
struct Numbering {
  InternTable names;
  InternTable track_keys;
  std::vector<Track> tracks;  // by the number of the key

  uint32_t host_track(int64_t process, int64_t thread);
  uint32_t device_track(int64_t process, int64_t device, int64_t stream);
};

// One of the two events that an activity may be written as: where it begins, where it ends.
struct Half {
  Activity activity;    // of an end: its time alone
  int64_t process = 0;  // whose, as the trace numbers them
  int64_t thread = 0;
  bool is_begin = true;
};

// What stands in a stretch of a file, in its order. Names and tracks count in a Numbering, details
// in the vectors here.
struct Chunk {
  ActivityTable activities;
  std::vector<LaunchFacts> launches;
  std::vector<CopyFacts> copies;
  std::vector<MemoryEvent> memory;
  std::vector<Label> labels;
  std::vector<Half> halves;
  int64_t passed_over = 0;
  int64_t skipped = 0;
  std::map<std::string, int64_t> problems;
  bool is_kineto = false;  // it holds what only Kineto writes

  void problem(std::string_view what) { ++problems[std::string(what)]; }
};

// Times beyond, and activities that end beyond, are no times: the difference of any two has to fit
// into an int64_t.
inline constexpr int64_t kLatestTime = (int64_t{1} << 62) - 1;

struct NumberedChunk {
  Chunk chunk;
  size_t numbering = 0;
};

// One table of all chunks, sorted as Trace says, put together on so many threads. `clean_name`
// makes a name of an interned text.
void assemble(std::vector<NumberedChunk>&& chunks, const std::deque<Numbering>& numberings,
              std::string (*clean_name)(std::string_view), int threads, Trace& trace);

}  // namespace batchscope::trace

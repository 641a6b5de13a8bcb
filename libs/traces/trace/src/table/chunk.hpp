#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/trace/trace.hpp"
#include "formats/intern.hpp"
#include "halves.hpp"

namespace batchscope::trace {

// A label's thread where it is the process that is called so.
inline constexpr int64_t kEntireProcess = INT64_MIN;

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
  std::string_view recorder;  // that a category tells of

  // The same numbers in the table that everything is put into; those that are in it already.
  std::vector<uint32_t> names_in_table;
  std::vector<uint32_t> tracks_in_table;

  uint32_t host_track(int64_t process, int64_t thread);
  uint32_t device_track(int64_t process, int64_t device, int64_t stream);
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
  int64_t counter_ranges = 0;

  void problem(std::string_view what) { ++problems[std::string(what)]; }
  // Of nothing, with the memory it has.
  void clear();
};

// Times beyond, and activities that end beyond, are no times: the difference of any two has to fit
// into an int64_t.
inline constexpr int64_t kLatestTime = (int64_t{1} << 62) - 1;

}  // namespace batchscope::trace

#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "batchscope/trace/trace.hpp"
#include "chunk.hpp"
#include "formats/lanes.hpp"

namespace batchscope::trace {

// What is on a stream of a device, by its name.
ActivityKind kind_on_stream(std::string_view name);

// Puts the stretches of a file together, one behind the other, and sorts them at the end. Memory is
// that of the rows; beside them, at the end, that of one column.
class TableBuilder {
 public:
  // `clean_name` makes a name of an interned text.
  explicit TableBuilder(std::string (*clean_name)(std::string_view)) : clean_name_(clean_name) {}

  // Makes the chunk's numbers those of the table. Threads may do so at once, each with a numbering
  // of its own.
  void renumber(Numbering& numbering, Chunk& chunk);
  // Takes over what the chunk has, which was renumbered. One thread at a time. `share` of the file
  // was read until then, so that room can be made for the rest; 0: not known.
  void add(const Chunk& chunk, double share = 0);
  // Rows, and halves of such.
  int64_t activities() const {
    return static_cast<int64_t>(all_.activities.size() + all_.halves.size());
  }
  bool is_kineto() const { return all_.is_kineto; }
  // Whose trace it is by its lanes, names and categories, once it is finished; empty: nobody says.
  std::string_view recorder() const { return recorder_; }

  // The table, sorted as Trace says, and what was counted. Nothing can be added afterwards.
  void finish(int threads, Trace& trace);

 private:
  using TrackKey = std::tuple<bool, int64_t, int64_t, int64_t, int64_t>;
  static TrackKey key_of(const Track& track);

  void extend(Numbering& numbering);
  uint32_t track_number(const Track& track);
  void make_room(size_t rows, double share);
  void add_rows(const Chunk& chunk);
  void join_halves();
  std::string_view label_of(int64_t process, int64_t thread) const;
  // By the track, of those of the host.
  std::vector<std::optional<Lane>> lanes();
  uint32_t track_of(const Lane& lane, uint32_t host_track);
  void put_in_lane(const Lane& lane, size_t row);
  // Makes rows on tracks of the host those of a device, where the names of tracks say so.
  void leave_out_what_is_shown_again(const std::vector<std::optional<Lane>>& lanes);
  void read_lanes();
  // Puts the tracks in the order of their keys; the place of each, by its number until then.
  std::vector<uint32_t> order_tracks(Trace& trace);
  void order_names(Trace& trace);  // by the alphabet, and the rows by them
  void name_tracks(Trace& trace) const;

  std::string (*clean_name_)(std::string_view);
  std::mutex numbers_;
  InternTable names_;
  std::map<TrackKey, uint32_t> track_numbers_;
  std::vector<Track> tracks_;
  // By process and thread; there may be more of them than of activities.
  std::map<std::pair<int64_t, int64_t>, std::string> labels_;
  std::string_view recorder_;

  Chunk all_;  // of all chunks; details count here, as names and tracks do
};

}  // namespace batchscope::trace

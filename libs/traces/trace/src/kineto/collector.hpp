#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "categories.hpp"
#include "event_array.hpp"
#include "table/chunk.hpp"

namespace batchscope::trace {

inline constexpr size_t kLongestName = 4096;

// Makes rows of a table of events. One a thread; the numbering outlives it.
class Collector : public EventSink {
 public:
  explicit Collector(Numbering& numbering) : numbering_(numbering) {}

  void event(const RawEvent& event) override;
  void broken(std::string_view why) override;
  // What was collected since the last call. The memory of `spent` is used again.
  Chunk take(Chunk spent = {});

 private:
  void activity(const RawEvent& event);
  void line_of(const RawEvent& event, Activity activity);
  void half(const RawEvent& event, bool is_begin);
  // What the event says of it, but for its times; nothing, and counted, of what is no activity.
  std::optional<Activity> described(const RawEvent& event);
  void instant(const RawEvent& event);
  void label(const RawEvent& event);
  // Sets the times; false, and counted, where there are none.
  bool set_times(const RawEvent& event, Activity& activity);
  const Category& category(std::string_view token);
  uint32_t name_number(std::string_view token);
  uint32_t track_number(const RawEvent& event, ActivityKind kind);
  uint32_t group_number(const RawEvent& event);
  uint32_t host_track(const RawEvent& event);
  uint32_t detail_number(const RawEvent& event, ActivityKind kind, uint32_t name);

  Numbering& numbering_;
  Chunk chunk_;
  // Of kernels of a name the last facts: the next has mostly the same.
  std::unordered_map<uint32_t, uint32_t> launches_;
  Activity last_line_;                                        // of Python, in this chunk
  std::vector<std::pair<std::string, Category>> categories_;  // met so far
  // The last host thread that was asked for: its tokens and its number.
  std::string last_pid_;
  std::string last_tid_;
  uint32_t last_track_ = kNone;
};

// A name as it is shown: escapes of JSON undone, cut to what somebody reads.
std::string clean_name(std::string_view interned);

}  // namespace batchscope::trace

#include "event_table.hpp"

#include <algorithm>

namespace batchscope::trace {
namespace {

constexpr int64_t kMostDevices = int64_t{1} << 20;

}  // namespace

std::optional<Activity> EventTable::times() {
  const auto start = row().integer(kStart);
  const auto end = row().integer(kEnd);
  // CUPTI gives 0 and 0 to what it could not measure.
  const bool is_measured = start && end && (*start != 0 || *end != 0);
  if (!is_measured || std::max(*start, *end) > kLatestTime ||
      std::min(*start, *end) < -kLatestTime) {
    reading_.skip("no valid time");
    return std::nullopt;
  }
  Activity activity;
  activity.start_ns = *start;
  activity.duration_ns = *end - *start;
  if (activity.duration_ns < 0) {
    activity.duration_ns = 0;
    reading_.chunk().problem("a negative duration, taken for 0");
  }
  return activity;
}

std::optional<Activity> EventTable::next() {
  while (step()) {
    if (auto activity = times()) return activity;
  }
  return std::nullopt;
}

std::optional<DeviceTracks::Found> DeviceTracks::of(const Statement& row, int device, int stream,
                                                    int global_process) {
  const std::array<int64_t, 3> key{row.integer_or(device, -1), row.integer_or(stream, -1),
                                   row.integer_or(global_process, 0)};
  if (key == last_) return last_found_;
  last_ = key;
  last_found_.reset();
  if (key[0] < 0 || key[0] > kMostDevices) return std::nullopt;
  const int64_t process = global_id_of(key[2]).process;
  const int64_t number = devices_.number_of(process, key[0]);
  // What waits for all streams has the largest number there is.
  const bool is_stream = key[1] >= 0 && key[1] < UINT32_MAX;
  const uint32_t track = numbering_.device_track(process, number, is_stream ? key[1] : -1);
  last_found_ = Found{track, devices_.device(number)};
  return last_found_;
}

uint32_t host_track_of(const Statement& row, int global_thread, SqliteReading& reading) {
  const auto number = row.integer(global_thread);
  if (!number) reading.chunk().problem("an event without a thread");
  const GlobalId id = global_id_of(number.value_or(0));
  return reading.numbering().host_track(id.process, id.thread);
}

}  // namespace batchscope::trace

#include "formats/lanes.hpp"

#include <algorithm>
#include <set>

#include "table_builder.hpp"

namespace batchscope::trace {
namespace {

int64_t device_of(const Lane& lane) {
  return std::max<int64_t>(0, lane.device);
}

// Of what a recorder shows twice, the streams count.
void leave_out_operations(std::vector<std::optional<Lane>>& lanes) {
  std::set<int64_t> with_streams;
  for (const auto& lane : lanes) {
    if (lane && lane->content == LaneContent::stream) with_streams.insert(device_of(*lane));
  }
  for (auto& lane : lanes) {
    if (!lane || lane->content != LaneContent::operations) continue;
    lane->content =
        with_streams.contains(device_of(*lane)) ? LaneContent::ranges : LaneContent::stream;
  }
}

}  // namespace

ActivityKind kind_on_stream(std::string_view name) {
  constexpr ActivityKind kKinds[] = {ActivityKind::kernel, ActivityKind::memcpy,
                                     ActivityKind::memset, ActivityKind::device_wait};
  return kKinds[static_cast<size_t>(stream_event(name))];
}

std::string_view TableBuilder::label_of(int64_t process, int64_t thread) const {
  const auto found = labels_.find({process, thread});
  return found == labels_.end() ? std::string_view() : found->second;
}

std::vector<std::optional<Lane>> TableBuilder::lanes() {
  std::vector<std::optional<Lane>> lanes;
  for (const Track& track : tracks_) {
    lanes.emplace_back();
    if (track.on_device()) continue;
    lanes.back() =
        lane_of(label_of(track.process, kEntireProcess), label_of(track.process, track.thread));
    if (lanes.back()) recorder_ = lanes.back()->recorder;
  }
  leave_out_operations(lanes);
  return lanes;
}

// The track of a device that the lane is; that of the host, where it is none.
uint32_t TableBuilder::track_of(const Lane& lane, uint32_t host_track) {
  const bool on_device = lane.content == LaneContent::stream ||
                         lane.content == LaneContent::again || lane.content == LaneContent::ranges;
  if (!on_device) return host_track;
  Track track;
  track.device = device_of(lane);
  track.thread = tracks_[host_track].thread;
  if (lane.content != LaneContent::ranges) {
    track.stream = lane.stream >= 0 ? lane.stream : track.thread;
  }
  return track_number(track);
}

void TableBuilder::put_in_lane(const Lane& lane, size_t row) {
  ActivityTable& rows = all_.activities;
  const std::string& name = names_.texts()[rows.name[row]];
  if (lane.content == LaneContent::calls) rows.kind[row] = ActivityKind::runtime;
  if (lane.content == LaneContent::steps) {
    rows.name[row] = names_.number_of("ProfilerStep#" + std::string(name));
  }
  if (lane.content == LaneContent::ranges) rows.kind[row] = ActivityKind::device_range;
  const bool runs =
      lane.content == LaneContent::stream ||
      (lane.content == LaneContent::again && rows.kind[row] != ActivityKind::device_range);
  if (runs && rows.kind[row] != ActivityKind::memcpy) rows.kind[row] = kind_on_stream(name);
  if (rows.kind[row] != ActivityKind::memcpy) rows.detail[row] = kNone;
}

// What lanes show that streams show too is told by its name: it did not run twice.
void TableBuilder::leave_out_what_is_shown_again(const std::vector<std::optional<Lane>>& lanes) {
  ActivityTable& rows = all_.activities;
  const auto each = [&](LaneContent content, auto act) {
    for (size_t row = 0; row < rows.size(); ++row) {
      const auto& lane = lanes[rows.track[row]];
      if (lane && lane->content == content) act(std::pair(device_of(*lane), rows.name[row]), row);
    }
  };
  std::set<std::pair<int64_t, uint32_t>> shown_again;
  each(LaneContent::again, [&](const auto& key, size_t) { shown_again.insert(key); });
  if (shown_again.empty()) return;
  std::set<std::pair<int64_t, uint32_t>> on_streams;
  each(LaneContent::stream, [&](const auto& key, size_t) {
    if (shown_again.contains(key)) on_streams.insert(key);
  });
  each(LaneContent::again, [&](const auto& key, size_t row) {
    if (on_streams.contains(key)) rows.kind[row] = ActivityKind::device_range;
  });
}

void TableBuilder::read_lanes() {
  for (const auto& [name, recorder] : telling_names()) {
    if (names_.contains(name)) recorder_ = recorder;
  }
  const auto lanes = this->lanes();
  std::vector<uint32_t> moved(lanes.size());
  for (uint32_t track = 0; track < lanes.size(); ++track) {
    moved[track] = lanes[track] ? track_of(*lanes[track], track) : track;
  }
  leave_out_what_is_shown_again(lanes);
  ActivityTable& rows = all_.activities;
  for (size_t row = 0; row < rows.size(); ++row) {
    const uint32_t track = rows.track[row];
    if (lanes[track]) put_in_lane(*lanes[track], row);
    rows.track[row] = moved[track];
    // Copies wait on the host's tracks for names of lanes; where those say nothing, they are spans.
    if (!occupies_device(rows.kind[row]) || tracks_[moved[track]].on_device()) continue;
    rows.kind[row] = ActivityKind::range;
    rows.detail[row] = kNone;
  }
}

}  // namespace batchscope::trace

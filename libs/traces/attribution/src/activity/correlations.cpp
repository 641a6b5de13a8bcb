#include "correlations.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace batchscope::attribution {
namespace {

using trace::ActivityKind;

size_t hash(int64_t correlation) {
  return static_cast<size_t>(static_cast<uint64_t>(correlation) * 0x9E3779B97F4A7C15U >> 20U);
}

}  // namespace

Correlations::Correlations(const trace::Trace& trace) : trace_(trace) {
  size_t calls = 0;
  const auto& rows = trace.activities;
  for (size_t row = 0; row < rows.size(); ++row) {
    calls += rows.kind[row] == ActivityKind::runtime && rows.correlation[row] >= 0 ? 1U : 0U;
  }
  size_t size = 16;
  while (size < calls * 2) size *= 2;
  slots_.resize(size);
  for (size_t row = 0; row < rows.size(); ++row) {
    if (rows.kind[row] == ActivityKind::runtime && rows.correlation[row] >= 0) insert(row);
  }
  if (has_repeats_) find_processes();
}

void Correlations::insert(size_t row) {
  const int64_t correlation = trace_.activities.correlation[row];
  const size_t mask = slots_.size() - 1;
  size_t at = hash(correlation) & mask;
  const uint32_t track = trace_.activities.track[row];
  for (; slots_[at].row != trace::kNone; at = (at + 1) & mask) {
    // The first of a thread counts; a file in which all have one number is gone through once.
    const Slot& slot = slots_[at];
    if (slot.correlation != correlation) continue;
    if (trace_.activities.track[slot.row] == track) return;
    has_repeats_ =
        has_repeats_ || trace_.track_of(slot.row).process != trace_.track_of(row).process;
  }
  slots_[at] = {correlation, static_cast<uint32_t>(row)};
}

template <class Is>
std::optional<size_t> Correlations::first_call(int64_t correlation, Is is) const {
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash(correlation) & mask; slots_[at].row != trace::kNone; at = (at + 1) & mask) {
    if (slots_[at].correlation == correlation && is(slots_[at].row)) return slots_[at].row;
  }
  return std::nullopt;
}

template <class Use>
void Correlations::for_each_call(int64_t correlation, Use use) const {
  first_call(correlation, [&](size_t call) {
    use(call);
    return false;
  });
}

std::optional<size_t> Correlations::nearest_call(size_t device_row) const {
  const auto& rows = trace_.activities;
  const int64_t start = rows.start_ns[device_row];
  std::optional<size_t> nearest;
  for_each_call(rows.correlation[device_row], [&](size_t call) {
    if (rows.start_ns[call] > start) return;
    if (!nearest || rows.start_ns[call] > rows.start_ns[*nearest]) nearest = call;
  });
  return nearest;
}

// What recorders write of a device does not name the process. Most work starts soon after the call
// for it, so that the nearest calls tell; where processes keep in step to the microsecond, each is
// taken to have a device of its own.
void Correlations::find_processes() {
  std::map<int64_t, std::map<int64_t, int64_t>> votes;
  const auto& rows = trace_.activities;
  for (size_t row = 0; row < rows.size(); ++row) {
    const trace::Track& track = trace_.track_of(row);
    if (!track.on_device() || rows.correlation[row] < 0) continue;
    const auto nearest = nearest_call(row);
    if (!nearest) continue;
    for_each_call(rows.correlation[row], [&](size_t call) {
      if (rows.start_ns[call] == rows.start_ns[*nearest]) {
        ++votes[track.device][trace_.track_of(call).process];
      }
    });
  }
  std::set<int64_t> taken;
  for (const auto& [device, processes] : votes) {
    const auto most =
        std::max_element(processes.begin(), processes.end(), [&](const auto& a, const auto& b) {
          return std::pair(a.second, !taken.contains(a.first)) <
                 std::pair(b.second, !taken.contains(b.first));
        });
    taken.insert(most->first);
    // Of more processes than there are devices some share one: which, every call tells by itself.
    const bool is_shared = processes.size() > votes.size();
    if (!is_shared) process_of_device_[device] = most->first;
  }
}

std::optional<size_t> Correlations::launch_of(size_t device_row) const {
  const int64_t correlation = trace_.activities.correlation[device_row];
  if (correlation < 0) return std::nullopt;
  const trace::Track& track = trace_.track_of(device_row);
  const auto first = first_call(correlation, [&](size_t call) {
    return track.process == 0 || trace_.track_of(call).process == track.process;
  });
  if (!first || track.process != 0 || !has_repeats_) return first;
  // Processes of one file may use the same numbers.
  const auto another = first_call(correlation, [&](size_t call) { return call != *first; });
  if (!another) return first;
  const auto known = process_of_device_.find(track.device);
  if (known == process_of_device_.end()) return nearest_call(device_row);
  const int64_t start = trace_.activities.start_ns[device_row];
  const auto own = first_call(correlation, [&](size_t call) {
    return trace_.track_of(call).process == known->second &&
           trace_.activities.start_ns[call] <= start;
  });
  return own ? own : nearest_call(device_row);
}

}  // namespace batchscope::attribution

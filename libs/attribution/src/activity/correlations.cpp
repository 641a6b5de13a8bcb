#include "correlations.hpp"

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
}

void Correlations::insert(size_t row) {
  const int64_t correlation = trace_.activities.correlation[row];
  const size_t mask = slots_.size() - 1;
  size_t at = hash(correlation) & mask;
  const uint32_t track = trace_.activities.track[row];
  for (; slots_[at].row != trace::kNone; at = (at + 1) & mask) {
    // The first of a thread counts; a file in which all have one number is gone through once.
    const Slot& slot = slots_[at];
    if (slot.correlation == correlation && trace_.activities.track[slot.row] == track) return;
  }
  slots_[at] = {correlation, static_cast<uint32_t>(row)};
}

std::optional<size_t> Correlations::launch_of(size_t device_row) const {
  const int64_t correlation = trace_.activities.correlation[device_row];
  if (correlation < 0) return std::nullopt;
  // Processes of one file may use the same numbers.
  const int64_t process = trace_.track_of(device_row).process;
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash(correlation) & mask; slots_[at].row != trace::kNone; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.correlation != correlation) continue;
    if (process == 0 || trace_.track_of(slot.row).process == process) return slot.row;
  }
  return std::nullopt;
}

}  // namespace batchscope::attribution

#include "batchscope/attribution/launching_operators.hpp"

#include "activity/index_found.hpp"

namespace batchscope::attribution {
namespace {

using trace::ActivityKind;

// For each row of a call, the operator around it.
void add_thread(const trace::Trace& trace, size_t track, std::vector<uint32_t>& around) {
  const auto& rows = trace.activities;
  std::vector<uint32_t> open;
  for (size_t row = trace.first_of_track[track]; row < trace.first_of_track[track + 1]; ++row) {
    const int64_t start = rows.start_ns[row];
    while (!open.empty() && rows.end_ns(open.back()) <= start) open.pop_back();
    if (rows.kind[row] == ActivityKind::runtime && !open.empty()) around[row] = open.back();
    const bool has_types = rows.kind[row] == ActivityKind::op && rows.detail[row] != trace::kNone;
    if (has_types) open.push_back(static_cast<uint32_t>(row));
  }
}

}  // namespace

std::vector<uint32_t> launching_operators(const TraceIndex& index) {
  const trace::Trace& trace = index.trace();
  std::vector<uint32_t> operators(trace.activities.size(), trace::kNone);
  const Correlations& correlations = index.found().launches;
  for (size_t track = 0; track < trace.tracks.size(); ++track) {
    if (!trace.tracks[track].on_device()) add_thread(trace, track, operators);
  }
  for (size_t track = 0; track < trace.tracks.size(); ++track) {
    if (!trace.tracks[track].on_device()) continue;
    for (size_t row = trace.first_of_track[track]; row < trace.first_of_track[track + 1]; ++row) {
      if (const auto launch = correlations.launch_of(row)) operators[row] = operators[*launch];
    }
  }
  return operators;
}

}  // namespace batchscope::attribution

#include "made_trace.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace batchscope::attribution {

using trace::ActivityKind;

size_t MadeTrace::thread(int64_t number, int64_t process) {
  trace::Track track;
  track.process = process;
  track.thread = number;
  tracks_.push_back(track);
  return tracks_.size() - 1;
}

size_t MadeTrace::stream(int64_t device, int64_t number, int64_t process) {
  trace::Track track;
  track.process = process;
  track.device = device;
  track.stream = number;
  tracks_.push_back(track);
  return tracks_.size() - 1;
}

MadeTrace& MadeTrace::add(size_t track, ActivityKind kind, const std::string& name, int64_t start,
                          int64_t end, int64_t correlation) {
  Row row;
  row.name = name;
  row.activity.start_ns = start * 1000;
  row.activity.duration_ns = (end - start) * 1000;
  row.activity.kind = kind;
  row.activity.track = static_cast<uint32_t>(track);
  row.activity.correlation = correlation;
  rows_.push_back(row);
  return *this;
}

MadeTrace& MadeTrace::op(size_t thread, const std::string& name, int64_t start, int64_t end) {
  return add(thread, ActivityKind::op, name, start, end);
}

MadeTrace& MadeTrace::range(size_t thread, const std::string& name, int64_t start, int64_t end) {
  return add(thread, ActivityKind::range, name, start, end);
}

MadeTrace& MadeTrace::python(size_t thread, const std::string& name, int64_t start, int64_t end) {
  return add(thread, ActivityKind::python, name, start, end);
}

MadeTrace& MadeTrace::call(size_t thread, const std::string& name, int64_t start, int64_t end,
                           int64_t correlation) {
  return add(thread, ActivityKind::runtime, name, start, end, correlation);
}

MadeTrace& MadeTrace::kernel(size_t stream, int64_t start, int64_t end, int64_t correlation,
                             const std::string& name) {
  return add(stream, ActivityKind::kernel, name, start, end, correlation);
}

MadeTrace& MadeTrace::copy(size_t stream, trace::HostMemory memory, int64_t start, int64_t end,
                           int64_t correlation) {
  add(stream, ActivityKind::memcpy, "Memcpy", start, end, correlation);
  rows_.back().memory = memory;
  return *this;
}

trace::Trace MadeTrace::made() const {
  std::vector<Row> rows = rows_;
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    const auto key = [](const Row& row) {
      return std::tuple(row.activity.track, row.activity.start_ns, -row.activity.duration_ns);
    };
    return key(a) < key(b);
  });
  trace::Trace trace;
  trace.tracks = tracks_;
  trace.first_of_track.assign(tracks_.size() + 1, 0);
  std::map<std::string, uint32_t> names;
  for (Row& row : rows) {
    const auto [name, is_new] = names.emplace(row.name, static_cast<uint32_t>(trace.names.size()));
    if (is_new) trace.names.push_back(row.name);
    row.activity.name = name->second;
    if (row.activity.kind == ActivityKind::memcpy) {
      row.activity.detail = static_cast<uint32_t>(trace.copies.size());
      trace.copies.push_back({1024, trace::CopyDirection::to_device, row.memory});
    }
    trace.activities.add(row.activity);
    ++trace.first_of_track[row.activity.track + 1];
  }
  for (size_t i = 0; i < tracks_.size(); ++i) {
    trace.first_of_track[i + 1] += trace.first_of_track[i];
  }
  return trace;
}

}  // namespace batchscope::attribution

#include "lost_work.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "batchscope/base/strings.hpp"

namespace batchscope::attribution {
namespace {

using base::contains_text;
using trace::ActivityKind;

// What one call started on one stream.
struct Started {
  int64_t called_ns = 0;
  uint32_t call = trace::kNone;    // a row
  uint32_t thread = trace::kNone;  // a track, as the next
  uint32_t stream = trace::kNone;
  size_t device = 0;
  Span span;
};

bool called_earlier(const Started& a, const Started& b) {
  return a.called_ns != b.called_ns ? a.called_ns < b.called_ns : a.call < b.call;
}

// All of it, by thread, and by stream; each in the order of the calls.
struct StartedWork {
  std::vector<Started> all;
  std::map<uint32_t, std::vector<Started>> by_thread;
  std::map<uint32_t, std::vector<Started>> by_stream;
};

StartedWork started_work(const trace::Trace& trace, const Correlations& correlations,
                         const std::vector<DeviceActivity>& devices) {
  const auto& rows = trace.activities;
  StartedWork work;
  for (size_t device = 0; device < devices.size(); ++device) {
    for (const uint32_t row : devices[device].rows) {
      const auto call = correlations.launch_of(row);
      if (!call) continue;
      work.all.push_back({rows.start_ns[*call],
                          static_cast<uint32_t>(*call),
                          rows.track[*call],
                          rows.track[row],
                          device,
                          {rows.start_ns[row], rows.end_ns(row)}});
    }
  }
  std::stable_sort(work.all.begin(), work.all.end(), called_earlier);
  for (const Started& each : work.all) {
    work.by_thread[each.thread].push_back(each);
    work.by_stream[each.stream].push_back(each);
  }
  return work;
}

// What one thread launched, in the order of time: which launches are lost, and how many there are.
class ThreadLaunches {
 public:
  ThreadLaunches(const trace::Trace& trace, const std::vector<NameClass>& classes, uint32_t track,
                 const std::vector<bool>& has_work, const std::vector<bool>& may_be_lost)
      : trace_(trace),
        classes_(classes),
        track_(track),
        has_work_(has_work),
        may_be_lost_(may_be_lost) {}

  std::vector<uint32_t> lost(LostLaunches& counts) {
    std::vector<uint32_t> found;
    const auto& rows = trace_.activities;
    int64_t within = INT64_MIN;  // a launch that has work ends then: what it calls is itself
    for (size_t row = trace_.first_of_track[track_]; row < trace_.first_of_track[track_ + 1];
         ++row) {
      if (rows.kind[row] != ActivityKind::runtime) continue;
      follow_capture(trace_.name_of(row));
      const NameClass& name = classes_[rows.name[row]];
      if (!(name.launches || name.copies) || rows.correlation[row] < 0) continue;
      if (rows.start_ns[row] < within) continue;
      if (is_captured(row, counts)) continue;
      if (!has_work_[row] && !may_be_lost_[rows.name[row]]) continue;
      ++counts.launches;
      counts.graphs += contains_text(trace_.name_of(row), "Graph") ? 1 : 0;
      within = rows.end_ns(row);
      if (!has_work_[row] && !calls_one_with_work(row)) found.push_back(uint32_t(row));
    }
    return found;
  }

 private:
  void follow_capture(std::string_view name) {
    if (contains_text(name, "StreamBeginCapture")) captures_ = true;
    if (contains_text(name, "StreamEndCapture")) captures_ = false;
  }

  bool is_captured(size_t row, LostLaunches& counts) const {
    if (!captures_ || has_work_[row]) return false;
    ++counts.captured;
    return true;
  }

  bool calls_one_with_work(size_t row) const {
    const auto& rows = trace_.activities;
    for (size_t inner = row + 1; inner < trace_.first_of_track[track_ + 1]; ++inner) {
      if (rows.start_ns[inner] >= rows.end_ns(row)) return false;
      if (has_work_[inner]) return true;
    }
    return false;
  }

  const trace::Trace& trace_;
  const std::vector<NameClass>& classes_;
  uint32_t track_;
  const std::vector<bool>& has_work_;
  const std::vector<bool>& may_be_lost_;
  bool captures_ = false;
};

// When the work of lost launches of one thread may have run, by device.
class HiddenTimes {
 public:
  HiddenTimes(const trace::Trace& trace, uint32_t track, const StartedWork& work,
              std::vector<std::vector<HiddenSpan>>& into)
      : trace_(trace), track_(track), work_(work), into_(into) {
    const auto own = work.by_thread.find(track);
    neighbours_ = own == work.by_thread.end() ? &work.all : &own->second;
  }

  // In their order.
  void add(const std::vector<uint32_t>& launches) {
    for (size_t first = 0; first < launches.size();) {
      const size_t next = first_behind(launches[first]);
      size_t last = first;
      while (last < launches.size() && first_behind(launches[last]) == next) ++last;
      const bool is_edge = next == 0 || next == neighbours_->size();
      const std::set<uint32_t> streams =
          streams_around(next, is_edge || last - first >= kManyLost ? kFar : 1);
      for (; first < last; ++first) {
        const int64_t synchronised = next_synchronisation(launches[first]);
        for (const uint32_t stream : streams) add_on(stream, launches[first], synchronised);
      }
    }
  }

 private:
  // Few in a row went where those beside them did, many where the thread's launches go.
  static constexpr size_t kManyLost = 8;
  static constexpr size_t kFar = 256;

  Started called(uint32_t launch) const {
    return {trace_.activities.start_ns[launch], launch, 0, 0, 0, {}};
  }

  // What was launched next.
  size_t first_behind(uint32_t launch) const {
    const auto next =
        std::upper_bound(neighbours_->begin(), neighbours_->end(), called(launch), called_earlier);
    return static_cast<size_t>(next - neighbours_->begin());
  }

  // Of so many launches before it and from it on.
  std::set<uint32_t> streams_around(size_t next, size_t many) const {
    std::set<uint32_t> streams;
    const size_t end = std::min(neighbours_->size(), next + many);
    for (size_t i = next - std::min(next, many); i < end; ++i) {
      streams.insert((*neighbours_)[i].stream);
    }
    return streams;
  }

  // Between what was launched there before and what was launched next.
  void add_on(uint32_t stream, uint32_t launch, int64_t synchronised) {
    const std::vector<Started>& all = work_.by_stream.at(stream);
    const Started lost = called(launch);
    Span span{lost.called_ns, synchronised};
    const auto next = std::upper_bound(all.begin(), all.end(), lost, called_earlier);
    if (next != all.begin()) span.start_ns = std::max(span.start_ns, std::prev(next)->span.end_ns);
    if (next != all.end()) span.end_ns = std::min(span.end_ns, next->span.start_ns);
    if (span.end_ns > span.start_ns) into_[all.front().device].push_back({span, launch});
  }

  // When the next call returned that waits for all that the device has to do.
  int64_t next_synchronisation(uint32_t launch) {
    const auto& rows = trace_.activities;
    const size_t last = trace_.first_of_track[track_ + 1];
    next_wait_ = std::max<size_t>(next_wait_, launch + size_t{1});
    for (; next_wait_ < last; ++next_wait_) {
      if (rows.kind[next_wait_] != ActivityKind::runtime) continue;
      const std::string_view name = trace_.name_of(next_wait_);
      if (contains_text(name, "DeviceSynchronize") || contains_text(name, "CtxSynchronize")) {
        return rows.end_ns(next_wait_);
      }
    }
    return INT64_MAX;
  }

  const trace::Trace& trace_;
  uint32_t track_;
  const StartedWork& work_;
  std::vector<std::vector<HiddenSpan>>& into_;
  const std::vector<Started>* neighbours_ = nullptr;  // on the same thread, where there are any
  size_t next_wait_ = 0;
};

// In order, none within another: where several may have run the first counts.
void set_apart(std::vector<HiddenSpan>& spans) {
  std::stable_sort(spans.begin(), spans.end(), [](const HiddenSpan& a, const HiddenSpan& b) {
    return a.span.start_ns < b.span.start_ns;
  });
  size_t kept = 0;
  int64_t until = INT64_MIN;
  for (HiddenSpan each : spans) {
    each.span.start_ns = std::max(each.span.start_ns, until);
    if (each.span.end_ns <= each.span.start_ns) continue;
    until = each.span.end_ns;
    spans[kept++] = each;
  }
  spans.resize(kept);
}

// By name: a launch or copy of CUDA or HIP always starts something; others do where one of that
// name did.
std::vector<bool> names_that_start_work(const trace::Trace& trace,
                                        const std::vector<NameClass>& classes,
                                        const std::vector<bool>& has_work) {
  std::vector<bool> names(trace.names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = trace.names[i];
    const bool is_known = name.starts_with("cu") || name.starts_with("hip");
    names[i] =
        (classes[i].launches || classes[i].copies) && is_known && !contains_text(name, "HostFunc");
  }
  for (size_t row = 0; row < has_work.size(); ++row) {
    if (has_work[row]) names[trace.activities.name[row]] = true;
  }
  return names;
}

std::vector<bool> calls_with_work(const trace::Trace& trace, const Correlations& correlations,
                                  const std::vector<DeviceActivity>& devices) {
  std::vector<bool> has_work(trace.activities.size());
  for (const DeviceActivity& device : devices) {
    for (const uint32_t row : device.rows) {
      if (const auto call = correlations.launch_of(row)) has_work[*call] = true;
    }
  }
  return has_work;
}

void count_lost(const trace::Trace& trace, const std::vector<uint32_t>& lost,
                std::map<uint32_t, int64_t>& calls, LostLaunches& counts) {
  for (const uint32_t launch : lost) {
    const uint32_t name = trace.activities.name[launch];
    ++calls[name];
    ++counts.lost;
    if (contains_text(trace.names[name], "Graph")) ++counts.lost_graphs;
  }
  const auto most = std::max_element(
      calls.begin(), calls.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != calls.end()) counts.call = trace.names[most->first];
}

}  // namespace

LostWork lost_work(const trace::Trace& trace, const std::vector<NameClass>& classes,
                   const Correlations& correlations, const ActivityByDevice& active) {
  LostWork result;
  result.hidden.resize(active.devices.size());
  result.counts.without_time = active.without_time;
  if (active.left_out > 0) return result;  // what they did is not looked at
  const std::vector<bool> has_work = calls_with_work(trace, correlations, active.devices);
  const std::vector<bool> names = names_that_start_work(trace, classes, has_work);
  std::map<uint32_t, std::vector<uint32_t>> lost_of;
  std::map<uint32_t, int64_t> calls;
  for (uint32_t track = 0; track < trace.tracks.size(); ++track) {
    if (trace.tracks[track].on_device()) continue;
    auto lost = ThreadLaunches(trace, classes, track, has_work, names).lost(result.counts);
    count_lost(trace, lost, calls, result.counts);
    if (!lost.empty()) lost_of[track] = std::move(lost);
  }
  if (lost_of.empty()) return result;
  const StartedWork work = started_work(trace, correlations, active.devices);
  for (const auto& [track, lost] : lost_of) {
    HiddenTimes(trace, track, work, result.hidden).add(lost);
  }
  for (auto& device : result.hidden) set_apart(device);
  return result;
}

}  // namespace batchscope::attribution

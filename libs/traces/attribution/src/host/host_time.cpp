#include "batchscope/attribution/host_time.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "activity/index_found.hpp"
#include "batchscope/base/capped_sum.hpp"
#include "host_parts.hpp"

namespace batchscope::attribution {
namespace {

constexpr size_t kMostHostThreads = 64;  // that are looked at: those with most rows
constexpr size_t kFewestStepRuns = 3;    // of what is taken for a step
constexpr double kMostOfTheTime = 0.5;

// Of the spans, what lies in the window.
int64_t clipped_ns(const Spans& spans, const Spans& window) {
  int64_t sum = 0;
  for (const Span& each : window) {
    for_each_within(spans, each, [&](Span span) { sum += span.length_ns(); });
  }
  return sum;
}

HostParts parts_in(const PartSpans& spans, const Spans& window) {
  HostParts parts;
  for (size_t i = 0; i < kHostParts; ++i) parts.ns.at(i) = clipped_ns(spans.at(i), window);
  return parts;
}

struct TimedThread {
  size_t track = 0;
  PartSpans spans;
  Spans busy;
};

Spans busy_of(const PartSpans& parts) {
  std::vector<Span> all;
  for (const Spans& each : parts) all.insert(all.end(), each.begin(), each.end());
  return united(std::move(all));
}

class HostTimes {
 public:
  HostTimes(const TraceIndex& index, const std::vector<Step>& steps)
      : trace_(index.trace()),
        classes_(index.found().classes),
        parts_(host_parts_of(trace_, classes_)),
        given_(steps) {}

  HostTime run() {
    read_threads();
    if (threads_.empty()) return {};
    find_main();
    find_steps();
    set_window();
    for (const TimedThread& each : threads_) add_thread(each);
    fill();
    result_.parts = full(parts_in(filled_, window_), window_);
    for (const Span& step : steps_) add_step(step);
    std::stable_sort(result_.threads.begin(), result_.threads.end(),
                     [](const auto& a, const auto& b) { return a.busy_ns() > b.busy_ns(); });
    result_.alone_ns = alone();
    return std::move(result_);
  }

 private:
  size_t rows_of(size_t track) const {
    return trace_.first_of_track[track + 1] - trace_.first_of_track[track];
  }

  void read_threads() {
    std::vector<size_t> tracks;
    for (size_t track = 0; track < trace_.tracks.size(); ++track) {
      if (!trace_.tracks[track].on_device() && rows_of(track) > 0) tracks.push_back(track);
    }
    std::stable_sort(tracks.begin(), tracks.end(),
                     [&](size_t a, size_t b) { return rows_of(a) > rows_of(b); });
    if (tracks.size() > kMostHostThreads) tracks.resize(kMostHostThreads);
    for (const size_t track : tracks) {
      TimedThread thread{track, part_spans(trace_, track, classes_, parts_), {}};
      thread.busy = busy_of(thread.spans);
      if (!thread.busy.empty() || has_step(track)) threads_.push_back(std::move(thread));
    }
  }

  bool has_step(size_t track) const {
    const auto& rows = trace_.activities;
    for (size_t row = trace_.first_of_track[track]; row < trace_.first_of_track[track + 1]; ++row) {
      if (classes_[rows.name[row]].is_recorded_step) return true;
    }
    return false;
  }

  // The one that has the steps, else the busiest; it comes first then.
  void find_main() {
    auto main = std::find_if(threads_.begin(), threads_.end(),
                             [&](const TimedThread& each) { return has_step(each.track); });
    if (main == threads_.end()) {
      main = std::max_element(threads_.begin(), threads_.end(), [](const auto& a, const auto& b) {
        return length_ns(a.busy) < length_ns(b.busy);
      });
    }
    std::iter_swap(threads_.begin(), main);
  }

  void find_steps() {
    for (const Step& step : given_) steps_.push_back({step.start_ns, step.end_ns});
    if (steps_.empty()) steps_ = repeated();
  }

  // Where no step was recorded: what comes again and again at the top of the main thread, and takes
  // most of its time.
  Spans repeated() {
    struct Runs {
      Spans spans;
      int64_t ns = 0;
    };
    std::map<uint32_t, Runs> by_name;
    const auto& rows = trace_.activities;
    const size_t track = threads_.front().track;
    int64_t end = INT64_MIN;
    for (size_t row = trace_.first_of_track[track]; row < trace_.first_of_track[track + 1]; ++row) {
      if (rows.start_ns[row] < end || rows.kind[row] == trace::ActivityKind::python) continue;
      end = rows.end_ns(row);
      if (rows.duration_ns[row] == 0) continue;
      Runs& runs = by_name[rows.name[row]];
      runs.spans.push_back({rows.start_ns[row], end});
      runs.ns = base::capped_sum(runs.ns, rows.duration_ns[row]);
    }
    const auto most = std::max_element(by_name.begin(), by_name.end(),
                                       [](auto& a, auto& b) { return a.second.ns < b.second.ns; });
    const auto all = static_cast<double>(length_ns(threads_.front().busy));
    const bool is_step = most != by_name.end() && most->second.spans.size() >= kFewestStepRuns &&
                         static_cast<double>(most->second.ns) >= kMostOfTheTime * all &&
                         most->second.spans.size() <= kMostSteps;
    if (!is_step) return {};
    result_.steps_named = trace_.names[most->first];
    return std::move(most->second.spans);
  }

  void set_window() {
    if (!given_.empty()) {
      window_ = united(steps_);
      return;
    }
    Span all{INT64_MAX, INT64_MIN};
    if (!steps_.empty()) all = {steps_.front().start_ns, steps_.back().end_ns};
    for (const TimedThread& each : threads_) {
      if (!steps_.empty() || each.busy.empty()) continue;
      all.start_ns = std::min(all.start_ns, each.busy.front().start_ns);
      all.end_ns = std::max(all.end_ns, each.busy.back().end_ns);
    }
    if (all.end_ns > all.start_ns) window_ = {all};
  }

  // What the main thread does, and where it does nothing what others of its process do.
  void fill() {
    filled_ = std::move(threads_.front().spans);
    Spans busy = threads_.front().busy;
    const int64_t process = trace_.tracks[threads_.front().track].process;
    for (size_t i = 1; i < threads_.size(); ++i) {
      if (trace_.tracks[threads_[i].track].process != process) continue;
      for (size_t part = 0; part < kHostParts; ++part) {
        const Spans added = without(std::exchange(threads_[i].spans.at(part), {}), busy);
        filled_.at(part) = united(filled_.at(part), added);
      }
      busy = united(busy, threads_[i].busy);
    }
  }

  static HostParts full(HostParts parts, const Spans& window) {
    parts[HostPart::nothing] = length_ns(window) - parts.wall_ns();
    return parts;
  }

  void add_step(const Span& span) {
    HostStep step;
    const size_t number = result_.steps.size();
    step.number = number < given_.size() ? given_[number].number : static_cast<int64_t>(number);
    step.wall_ns = span.length_ns();
    step.parts = full(parts_in(filled_, {span}), {span});
    result_.steps.push_back(step);
  }

  void add_thread(const TimedThread& thread) {
    const trace::Track& track = trace_.tracks[thread.track];
    HostThread reported{track.process, track.thread, track.name, {}, {}};
    reported.own = full(parts_in(thread.spans, window_), window_);
    reported.inclusive = inclusive_parts(trace_, thread.track, classes_, parts_, window_);
    result_.threads.push_back(std::move(reported));
  }

  // While exactly one thread of the main one's process does something.
  int64_t alone() const {
    Spans some;
    Spans several;
    const int64_t process = trace_.tracks[threads_.front().track].process;
    for (const TimedThread& each : threads_) {
      if (trace_.tracks[each.track].process != process) continue;
      several = united(several, without(some, without(some, each.busy)));
      some = united(some, each.busy);
    }
    return clipped_ns(some, window_) - clipped_ns(several, window_);
  }

  const trace::Trace& trace_;
  const std::vector<NameClass>& classes_;
  const std::vector<HostPart> parts_;
  const std::vector<Step>& given_;
  std::vector<TimedThread> threads_;  // the main one first
  Spans steps_;
  Spans window_;  // the time that counts
  PartSpans filled_;
  HostTime result_;
};

}  // namespace

int64_t HostParts::wall_ns() const {
  return std::accumulate(ns.begin(), ns.end(), int64_t{0});
}

double HostParts::share(HostPart part) const {
  const int64_t wall = wall_ns();
  return wall > 0 ? static_cast<double>((*this)[part]) / static_cast<double>(wall) : 0;
}

HostTime host_time(const TraceIndex& index, const std::vector<Step>& steps) {
  return HostTimes(index, steps).run();
}

}  // namespace batchscope::attribution

#include "exclusions.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "batchscope/attribution/warm_up.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::attribution {
namespace {

using trace::ActivityKind;

// Times the median of the other steps, from which on a first one is no usual step.
constexpr int64_t kManyTimes = 3;
constexpr size_t kMostWarmUps = 5;  // first steps that may be none
// Times the median of the other times between steps, from which on one is not the loop's.
constexpr int64_t kFarLonger = 10;
// The usual work of a step over that of one, from beyond which on the trace has hardly any of that.
constexpr size_t kHardlyAny = 20;

int64_t median(std::vector<int64_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Span span_of(const Step& step) {
  return {step.start_ns, step.end_ns};
}

// Where between two steps nothing was recorded.
class Holes {
 public:
  Holes(const RecordedSpan& recorded, const StepRanges& ranges)
      : recorded_(recorded), ranges_(ranges) {
    const auto& steps = ranges.steps;
    for (size_t i = 0; i + 1 < steps.size(); ++i) {
      apart_.push_back(std::max<int64_t>(0, steps[i + 1].start_ns - ranges.range_ends[i]));
    }
    std::vector<int64_t> lengths;
    for (size_t i = 0; i < steps.size(); ++i) {
      lengths.push_back(ranges.range_ends[i] - steps[i].start_ns);
    }
    typical_ = median(std::move(lengths));
  }

  // By the step before.
  std::map<size_t, Span> find() {
    const int64_t least = std::max(typical_, from_elsewhere());
    for (size_t i = 0; i < apart_.size(); ++i) {
      if (apart_[i] >= least) between_.push_back({i, {ranges_.range_ends[i], next_start(i)}, {}});
    }
    if (!between_.empty()) collect();
    std::map<size_t, Span> holes;
    for (Between& each : between_) {
      Span longest{};
      for (const Span& hole : without({each.span}, united(std::exchange(each.recorded, {})))) {
        if (hole.length_ns() > longest.length_ns()) longest = hole;
      }
      if (longest.length_ns() >= least) holes[each.step] = longest;
    }
    return holes;
  }

 private:
  struct Between {
    size_t step;
    Span span;
    std::vector<Span> recorded;
  };

  int64_t next_start(size_t step) const { return ranges_.steps[step + 1].start_ns; }

  // What is usual between steps is the loop's own. Steps that the recorder marks itself follow
  // each other.
  int64_t from_elsewhere() const {
    if (apart_.size() < 2) return ranges_.source == StepSource::recorded ? 0 : INT64_MAX;
    std::vector<int64_t> sorted = apart_;
    std::sort(sorted.begin(), sorted.end());
    const int64_t of_others = sorted[(sorted.size() - 2) / 2];
    return of_others > INT64_MAX / kFarLonger ? INT64_MAX : kFarLonger * of_others;
  }

  // What holds a whole step beside it is a range around the loop.
  void add(size_t row, Between& to) const {
    const auto& rows = recorded_.trace.activities;
    const auto& steps = ranges_.steps;
    const Span own{rows.start_ns[row], rows.end_ns(row)};
    const bool covers = own.start_ns <= to.span.start_ns && own.end_ns >= to.span.end_ns;
    const bool is_around =
        own.start_ns <= steps[to.step].start_ns || own.end_ns >= ranges_.range_ends[to.step + 1];
    if (!covers || !is_around) to.recorded.push_back(own);
  }

  void collect() {
    const auto& rows = recorded_.trace.activities;
    for (size_t row = 0; row < rows.size(); ++row) {
      const bool tells =
          rows.kind[row] != ActivityKind::device_range && rows.kind[row] != ActivityKind::overhead;
      if (!tells) continue;
      const auto first = std::partition_point(
          between_.begin(), between_.end(),
          [&](const Between& each) { return each.span.end_ns <= rows.start_ns[row]; });
      const auto behind = std::partition_point(first, between_.end(), [&](const Between& each) {
        return each.span.start_ns < rows.end_ns(row);
      });
      if (first == behind) continue;
      // Those between hold steps of their own on either side.
      add(row, *first);
      if (std::prev(behind) != first) add(row, *std::prev(behind));
    }
  }

  const RecordedSpan& recorded_;
  const StepRanges& ranges_;
  std::vector<int64_t> apart_;  // of each step the next
  int64_t typical_ = 0;
  std::vector<Between> between_;  // that are long enough
};

// When the program compiles, makes graphs and loads modules, by the reason.
class WarmUps {
 public:
  explicit WarmUps(const RecordedSpan& recorded) : recorded_(recorded) {
    const trace::Trace& trace = recorded.trace;
    std::vector<Span> spans[kReasons];
    for (size_t row = 0; row < trace.activities.size(); ++row) {
      if (const auto reason = reason_of(row)) {
        const auto& rows = trace.activities;
        spans[static_cast<size_t>(*reason)].push_back({rows.start_ns[row], rows.end_ns(row)});
      }
    }
    for (size_t i = 0; i < kReasons; ++i) spans_[i] = united(std::move(spans[i]));
    add_captures();
  }

  // What most of it is for, where it explains most of what the span is longer than usual.
  std::optional<ExclusionReason> explain(Span span, int64_t excess) const {
    Spans all;
    std::array<int64_t, kReasons> ns{};
    for (size_t i = 0; i < kReasons; ++i) {
      ns[i] = overlap_ns({span}, touching(spans_[i], span.start_ns, span.end_ns));
      all = united(all, touching(spans_[i], span.start_ns, span.end_ns));
    }
    if (overlap_ns({span}, all) < excess / 2) return std::nullopt;
    return static_cast<ExclusionReason>(std::max_element(ns.begin(), ns.end()) - ns.begin());
  }

 private:
  static constexpr size_t kReasons = 3;  // the first ones of the enumeration

  std::optional<ExclusionReason> reason_of(size_t row) const {
    const auto& rows = recorded_.trace.activities;
    const bool is_long_launch = rows.kind[row] == ActivityKind::runtime &&
                                recorded_.classes[rows.name[row]].launches &&
                                rows.duration_ns[row] > kLongestLaunch;
    if (is_long_launch) return ExclusionReason::loading;
    return warm_up_of(recorded_.trace.name_of(row), rows.kind[row]);
  }

  // From the call that begins one to the call that ends it.
  void add_captures() {
    const trace::Trace& trace = recorded_.trace;
    const auto& rows = trace.activities;
    std::map<uint32_t, int64_t> begun;  // by track
    std::vector<Span> captures;
    for (size_t row = 0; row < rows.size(); ++row) {
      if (rows.kind[row] != ActivityKind::runtime) continue;
      const std::string_view name = trace.name_of(row);
      if (base::contains_text(name, "StreamBeginCapture")) {
        begun[rows.track[row]] = rows.start_ns[row];
      } else if (base::contains_text(name, "StreamEndCapture")) {
        const auto begin = begun.find(rows.track[row]);
        if (begin != begun.end()) captures.push_back({begin->second, rows.end_ns(row)});
      }
    }
    Spans& of_graphs = spans_[static_cast<size_t>(ExclusionReason::capture)];
    of_graphs = united(of_graphs, united(std::move(captures)));
  }

  const RecordedSpan& recorded_;
  std::array<Spans, kReasons> spans_;
};

// How much of the devices' work of each step is in the trace.
class StepWork {
 public:
  StepWork(const RecordedSpan& recorded, const std::vector<Step>& steps)
      : recorded_(recorded), steps_(steps), rows_(steps.size()), host_(steps.size()) {
    const std::vector<bool> worked = count_work();
    count_host(worked);
    std::vector<size_t> some;
    std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(some),
                 [](size_t rows) { return rows > 0; });
    std::sort(some.begin(), some.end());
    usual_ = some.empty() ? 0 : some[some.size() / 2];
  }

  bool has_usual_work(size_t step) const { return kHardlyAny * rows_[step] >= usual_; }

  // The host did something else until later, and launched nothing: a checkpoint, a wait for data.
  bool was_idle(size_t step) const {
    return !host_[step].launched_in_vain && host_[step].last_start_ns > last_end(step);
  }

  // Of what the devices do in the step.
  int64_t last_end(size_t step) const {
    int64_t last = steps_[step].start_ns;
    for (const DeviceActivity& device : recorded_.active.devices) {
      const Spans busy = touching(device.busy, steps_[step].start_ns, steps_[step].end_ns);
      if (!busy.empty()) last = std::max(last, busy.back().end_ns);
    }
    return std::min(last, steps_[step].end_ns);
  }

 private:
  struct Host {
    int64_t last_start_ns = 0;      // of what it did within the step
    bool launched_in_vain = false;  // there is no work in the trace that was launched
  };

  std::optional<size_t> step_at(int64_t at) const {
    const auto behind =
        std::upper_bound(steps_.begin(), steps_.end(), at,
                         [](int64_t time, const Step& step) { return time < step.start_ns; });
    if (behind == steps_.begin() || std::prev(behind)->end_ns <= at) return std::nullopt;
    return static_cast<size_t>(std::prev(behind) - steps_.begin());
  }

  // Which rows launched any. What a step launches is its own, whenever it runs.
  std::vector<bool> count_work() {
    const auto& starts = recorded_.trace.activities.start_ns;
    std::vector<bool> worked(starts.size());
    for (const DeviceActivity& device : recorded_.active.devices) {
      for (const uint32_t row : device.rows) {
        const auto launch = recorded_.correlations.launch_of(row);
        if (launch) worked[*launch] = true;
        if (const auto step = step_at(starts[launch ? *launch : row])) ++rows_[*step];
      }
    }
    return worked;
  }

  void count_host(const std::vector<bool>& worked) {
    const auto& rows = recorded_.trace.activities;
    for (size_t row = 0; row < rows.size(); ++row) {
      const bool is_call = rows.kind[row] == ActivityKind::runtime;
      const bool is_hosts = is_call || rows.kind[row] == ActivityKind::op ||
                            rows.kind[row] == ActivityKind::python ||
                            rows.kind[row] == ActivityKind::range;
      const auto step = is_hosts ? step_at(rows.start_ns[row]) : std::nullopt;
      // Where a step begins its own range does.
      if (!step || rows.start_ns[row] == steps_[*step].start_ns) continue;
      Host& host = host_[*step];
      host.last_start_ns = std::max(host.last_start_ns, rows.start_ns[row]);
      const bool launches = is_call && recorded_.classes[rows.name[row]].launches;
      host.launched_in_vain = host.launched_in_vain || (launches && !worked[row]);
    }
  }

  const RecordedSpan& recorded_;
  const std::vector<Step>& steps_;
  std::vector<size_t> rows_;
  std::vector<Host> host_;
  size_t usual_ = 0;
};

class Excluding {
 public:
  Excluding(const RecordedSpan& recorded, StepRanges& ranges)
      : recorded_(recorded), ranges_(ranges), steps_(ranges.steps) {}

  std::vector<ExcludedInterval> run() {
    add_holes();
    add_warm_ups();
    if (!recorded_.active.devices.empty()) add_without_work();
    std::stable_sort(found_.begin(), found_.end(),
                     [](const ExcludedInterval& a, const ExcludedInterval& b) {
                       return a.start_ns < b.start_ns;
                     });
    const auto typical = static_cast<double>(typical_of_others(steps_.size()));
    for (ExcludedInterval& each : found_) {
      each.times_typical = typical > 0 ? static_cast<double>(each.wall_ns()) / typical : 0;
    }
    return std::move(found_);
  }

 private:
  void add(ExclusionReason reason, const Step& step, Span span) {
    found_.push_back({reason, step.number, span.start_ns, span.end_ns, 0});
  }

  void add_holes() {
    for (const auto& [step, hole] : Holes(recorded_, ranges_).find()) {
      steps_[step].end_ns = hole.start_ns;
      steps_[step + 1].start_ns = hole.end_ns;
      add(ExclusionReason::no_record, steps_[step], hole);
    }
  }

  // The median of all steps but that one.
  int64_t typical_of_others(size_t step) const {
    std::vector<int64_t> walls;
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (i != step) walls.push_back(steps_[i].wall_ns());
    }
    return median(std::move(walls));
  }

  void add_warm_ups() {
    std::optional<WarmUps> warm_ups;
    for (size_t i = 0; i < kMostWarmUps && steps_.size() >= 2; ++i) {
      const Step& first = steps_.front();
      const int64_t typical = typical_of_others(0);
      if (first.wall_ns() / kManyTimes < typical) return;
      if (!warm_ups) warm_ups.emplace(recorded_);
      const auto reason = warm_ups->explain(span_of(first), first.wall_ns() - typical);
      if (!reason) return;
      add(*reason, first, span_of(first));
      steps_.erase(steps_.begin());
    }
  }

  void add_without_work() {
    if (steps_.size() < 2) return;
    const StepWork work(recorded_, steps_);
    std::vector<Step> kept;
    for (size_t i = 0; i < steps_.size(); ++i) {
      const Span rest{work.last_end(i), steps_[i].end_ns};
      if (work.has_usual_work(i) || work.was_idle(i) || rest.length_ns() <= 0) {
        kept.push_back(steps_[i]);
      } else {
        add(ExclusionReason::no_work, steps_[i], rest);
      }
    }
    steps_ = std::move(kept);
  }

  const RecordedSpan& recorded_;
  StepRanges& ranges_;
  std::vector<Step>& steps_;
  std::vector<ExcludedInterval> found_;
};

}  // namespace

std::vector<ExcludedInterval> exclude(const RecordedSpan& recorded, StepRanges& ranges) {
  const bool are_reported =
      ranges.source == StepSource::recorded || ranges.source == StepSource::named;
  if (!are_reported || ranges.steps.size() < 2) return {};
  return Excluding(recorded, ranges).run();
}

}  // namespace batchscope::attribution

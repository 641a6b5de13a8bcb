#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/attribution/spans.hpp"
#include "batchscope/attribution/time_parts.hpp"
#include "batchscope/attribution/trace_index.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/trace/trace.hpp"

namespace batchscope::attribution {

// One stretch in which a device did nothing, and what the host did meanwhile.
struct Gap {
  int64_t start_ns = 0;  // as in the trace
  int64_t end_ns = 0;
  TimeParts parts;             // idle ones only
  Part cause = Part::unknown;  // the largest of them
  int64_t process = 0;         // whose thread it is
  int64_t thread = 0;
  std::string thread_name;
  std::string call;    // what the thread was in: a call that waits, an operator, a range
  std::string inside;  // the operator or range around it
  std::string source;  // the innermost Python function
};

// What a device's idle time of one cause lies in: of the host calls, operators, ranges and Python
// functions of one name, each moment in the innermost; of Part::device the graph or the kernel that
// was held back; of Part::unknown the launch whose work was not recorded.
struct IdleSite {
  Part cause = Part::unknown;
  std::string call;  // empty: the host was in nothing that was recorded
  int64_t ns = 0;    // of idle time
  int64_t gaps = 0;  // in so many
  int64_t calls = 0;
  // Of the longest: the outermost operator or range around it, and the line of Python.
  std::string inside;
  std::string source;
  bool holds_others = false;  // the other places of that cause, whose time is a part of its own
};

// Where the time of one device went. Where steps are recorded or named, its time is theirs: from
// the start of the first to the end of the last, or of the last thing that the device did, without
// what is excluded; else from the start of the first thing that it did to the end of the last.
struct DeviceTime {
  int64_t id = 0;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  TimeParts parts;
  // In order; each begins where the one before ends, or where what is excluded does.
  std::vector<Piece> pieces;
  std::vector<Gap> largest_gaps;  // the longest first
  // The largest of each cause, the largest first: loading, synchronisation, work of the host.
  std::vector<IdleSite> places;
  int64_t gaps = 0;
  int64_t activities = 0;  // kernels, copies and memsets
  int64_t orphans = 0;     // of these without the call that started them
  int64_t hidden_ns = 0;   // idle time in which work may have run that was not recorded

  int64_t wall_ns() const { return parts.wall_ns(); }
};

// When the device is in the parts that are wanted.
Spans times_of(const DeviceTime& device, bool (*wanted)(Part));

// A launch blocks where the queue is full, but then the device is busy; one that takes longer loads
// what it launches.
inline constexpr int64_t kLongestLaunch = 5'000'000;

// Beyond, a file is no recording of anything: what is told of it stays bounded.
inline constexpr size_t kMostDevices = 64;
inline constexpr size_t kMostSteps = 20'000;

enum class StepSource { none, recorded, named, inferred };
std::string_view to_string(StepSource source);

// Whether a range marks a step for torch.profiler.
bool is_recorded_step(std::string_view name);

// One iteration of a training or serving loop: from the start of its range to that of the next, the
// last to its own end. Times of devices outside of what they did count too, unlike in DeviceTime.
struct Step {
  int64_t number = 0;
  std::string name;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  std::vector<TimeParts> devices;  // as Attribution::devices

  int64_t wall_ns() const { return end_ns - start_ns; }
};

// Why a time between the first recorded step and the last is no part of the wall.
enum class ExclusionReason : uint8_t {
  compilation,  // a first step, many times as long as the others, that compiles or tries kernels,
  capture,      // captures a graph,
  loading,      // or loads modules and kernels
  no_work,      // a step of which the trace has hardly any work of the devices, as of others
  no_record,    // between two steps, and nothing whatsoever is recorded
};
std::string_view to_string(ExclusionReason reason);

struct ExcludedInterval {
  ExclusionReason reason = ExclusionReason::no_work;
  int64_t step = 0;  // its number; of no_record of the step before
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  double times_typical = 0;  // how long that is, in the median of the steps that count

  int64_t wall_ns() const { return end_ns - start_ns; }
};

// Launches of kernels, graphs and copies whose work the trace does not hold.
struct LostLaunches {
  int64_t launches = 0;      // all that the host made, but for captured ones
  int64_t lost = 0;          // of these without any work of a device
  int64_t graphs = 0;        // all that launch graphs
  int64_t lost_graphs = 0;   // of the lost ones those of graphs
  int64_t captured = 0;      // recorded into a graph, so that nothing runs
  int64_t without_time = 0;  // rows of devices that say no valid time: their launches are lost
  std::string call;          // the name that most of the lost ones have
};

struct Attribution {
  std::vector<DeviceTime> devices;  // by number; of more than kMostDevices those that did most
  int64_t devices_left_out = 0;
  std::vector<Step> steps;  // that count: at most kMostSteps, the first
  int64_t steps_left_out = 0;
  std::vector<ExcludedInterval> exclusions;  // in the order of time
  StepSource step_source = StepSource::none;
  LostLaunches lost;

  // Whether the devices' time is that of the steps.
  bool covers_steps() const {
    return step_source == StepSource::recorded || step_source == StepSource::named;
  }
  // The number of the step whose length is the median of all; nothing where there is none.
  std::optional<size_t> median_step() const;
};

struct AttributionOptions {
  // Ranges whose names begin so are the steps; empty: those of the recorder (ProfilerStep#), else
  // what repeats.
  std::string step_prefix;
  size_t most_gaps = 20;  // that are described
};

// Idle time gets the cause of what the thread did that started what ended it, where it was launched
// within the idle time or after it; a thread that waited for the device before, and so could not
// launch ahead, explains idle time up to the time it waited. What was launched before the idle time
// the device itself held back. Where work may have run that was not recorded, nothing is known.
Attribution attribute(const TraceIndex& index, const AttributionOptions& options = {});
// The same of a trace of which nothing else is asked.
Attribution attribute(const trace::Trace& trace, const AttributionOptions& options = {});

}  // namespace batchscope::attribution

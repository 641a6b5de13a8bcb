#include <fmt/format.h>

#include <algorithm>

#include "batchscope/attribution/warm_up.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::Part;
using base::contains_text;
using findings::evidence_of;
using findings::Finding;
using findings::Metric;
using findings::percent;
using findings::Severity;
using trace::ActivityKind;

constexpr Metric kWarmUpShare{
    "warm_up_share",
    "Time of loading modules, compiling and trying algorithms, as a share of the device's time."};
constexpr Metric kRecorderShare{
    "recorder_share", "Time of the recorder's own events, as a share of the device's time."};

constexpr size_t kKinds = static_cast<size_t>(ActivityKind::overhead) + 1;

// When rows run that are wanted, on any thread, while the first device is looked at.
template <class Is>
attribution::Spans when(const TraceFacts& facts, Is is) {
  const attribution::DeviceTime& device = facts.attribution.devices.front();
  const auto& rows = facts.trace.activities;
  attribution::Spans spans;
  for (size_t row = 0; row < rows.size(); ++row) {
    if (!is(row)) continue;
    const int64_t start = std::max(rows.start_ns[row], device.start_ns);
    const int64_t end = std::min(rows.end_ns(row), device.end_ns);
    if (start < end) spans.push_back({start, end});
  }
  return attribution::united(std::move(spans));
}

// Of rows whose name and kind are wanted; each pair is looked at once.
template <class Is>
std::vector<bool> wanted(const TraceFacts& facts, Is is) {
  std::vector<bool> all(facts.trace.names.size() * kKinds);
  for (size_t i = 0; i < all.size(); ++i) {
    all[i] = is(facts.trace.names[i / kKinds], static_cast<ActivityKind>(i % kKinds));
  }
  return all;
}

size_t slot_of(const TraceFacts& facts, size_t row) {
  const auto& rows = facts.trace.activities;
  return rows.name[row] * kKinds + static_cast<size_t>(rows.kind[row]);
}

bool is_launch(std::string_view name, ActivityKind kind) {
  return kind == ActivityKind::runtime && contains_text(name, "Launch");
}

// The few launches of a name that take long while the device idles.
attribution::Spans loading_launches(const TraceFacts& facts, const std::vector<bool>& launches,
                                    const attribution::Spans& idle) {
  const auto& rows = facts.trace.activities;
  const auto is_long = [&](size_t row) {
    return launches[slot_of(facts, row)] && rows.duration_ns[row] > attribution::kLongestLaunch;
  };
  std::vector<int64_t> calls(facts.trace.names.size());
  std::vector<int64_t> long_ones(facts.trace.names.size());
  for (size_t row = 0; row < rows.size(); ++row) {
    if (!launches[slot_of(facts, row)]) continue;
    ++calls[rows.name[row]];
    long_ones[rows.name[row]] += is_long(row) ? 1 : 0;
  }
  const attribution::Spans spans = when(facts, [&](size_t row) {
    return is_long(row) && 10 * long_ones[rows.name[row]] <= calls[rows.name[row]];
  });
  return without(spans, without(spans, idle));
}

double of_time(const TraceFacts& facts, int64_t ns) {
  const int64_t wall = facts.attribution.devices.front().wall_ns();
  return wall > 0 ? static_cast<double>(ns) / static_cast<double>(wall) : 0;
}

// The call or range that takes longest of what either wants.
std::string longest_of(const TraceFacts& facts, const std::vector<bool>& some,
                       const std::vector<bool>& others) {
  const auto& rows = facts.trace.activities;
  size_t longest = rows.size();
  for (size_t row = 0; row < rows.size(); ++row) {
    const size_t slot = slot_of(facts, row);
    if (!some[slot] && !others[slot]) continue;
    if (longest == rows.size() || rows.duration_ns[row] > rows.duration_ns[longest]) longest = row;
  }
  if (longest == rows.size()) return "";
  return fmt::format(": the longest is {}, {}", facts.trace.name_of(longest),
                     findings::milliseconds_of(rows.duration_ns[longest]));
}

constexpr double kLeastWarmUp = 0.02;

constexpr Kind kWarmUp{
    Row("trace.warm-up", "The recording has warm-up in it",
        Prose("Modules are loaded, streams made, kernels compiled or algorithms tried out within "
              "what was recorded, or a few launches take over {} ms while the device idles, as "
              "those do that load their kernel; for at least {%} of its time in all. The severity "
              "is that of the time that it idles meanwhile.",
              static_cast<double>(attribution::kLongestLaunch) / 1e6, kLeastWarmUp),
        "Skip steps before recording: schedule(skip_first=..., warmup=...) of torch.profiler; mark "
        "shapes as dynamic where it recompiles.",
        kByGain, metrics(&kWarmUpShare)),
    "record later, when everything is compiled; where it happens in every step, keep shapes the "
    "same"};

void warm_up_rule(const TraceFacts& facts, Findings& into) {
  if (facts.attribution.devices.empty()) return;
  const std::vector<bool> named = wanted(facts, [](std::string_view name, ActivityKind kind) {
    return attribution::warm_up_of(name, kind).has_value();
  });
  const attribution::Spans idle = times_of(facts.attribution.devices.front(), attribution::is_idle);
  const std::vector<bool> launches = wanted(facts, is_launch);
  const attribution::Spans loading = loading_launches(facts, launches, idle);
  const attribution::Spans spans = attribution::united(
      when(facts, [&](size_t row) { return named[slot_of(facts, row)]; }), loading);
  const double share = of_time(facts, length_ns(spans));
  if (share < kLeastWarmUp) return;
  Finding& finding = into.emplace_back(finding_of(kWarmUp, ""));
  // Beside a device that is busy it costs nothing but the host's time.
  finding.severity = severity_of_gain(of_time(facts, attribution::overlap_ns(spans, idle)));
  finding.evidence.push_back(evidence_of(kWarmUpShare, share));
  finding.what =
      fmt::format("the recording has warm-up in it, for {} of its time{}", percent(share),
                  longest_of(facts, named, loading.empty() ? named : launches));
  finding.fix =
      "torch.profiler.schedule(skip_first=10, wait=1, warmup=3, active=3); where it happens in "
      "every step, mark what changes as dynamic: torch.compile(dynamic=True)";
}

constexpr double kLeastRecording = 0.01;

constexpr Kind kRecorder{
    Row("trace.recorder", "The recorder itself costs time",
        Prose("The recorder's own events take at least {%} of the time, or Python functions were "
              "recorded while the host is what limits: then the host looks slower than it is.",
              kLeastRecording),
        "Record again without stacks, shapes and memory, and compare.", "info",
        metrics(&kRecorderShare)),
    "record fewer steps at a time, and less beside times"};

// Without what this recording has beside times, and nothing that it has not.
std::string record_less(const TraceFacts& facts) {
  std::string flags;
  const auto add = [&](bool is_on, const char* flag) {
    if (is_on) flags += (flags.empty() ? "" : ", ") + std::string(flag);
  };
  add(facts.host.has_stacks, "with_stack=False");
  add(facts.host.has_shapes, "record_shapes=False");
  add(facts.host.has_memory, "profile_memory=False");
  if (!flags.empty()) return "record once more with " + flags;
  return "record fewer steps at a time, and compare their times with those without a recorder";
}

void recorder_rule(const TraceFacts& facts, Findings& into) {
  if (facts.attribution.devices.empty()) return;
  const std::vector<bool> records = wanted(facts, [](std::string_view name, ActivityKind kind) {
    return kind == ActivityKind::overhead && !attribution::is_of_driver(name) &&
           name != "Command Buffer Full";
  });
  const auto spans = when(facts, [&](size_t row) { return records[slot_of(facts, row)]; });
  const double share = of_time(facts, length_ns(spans));
  const auto& kinds = facts.trace.activities.kind;
  const bool stacks = std::find(kinds.begin(), kinds.end(), ActivityKind::python) != kinds.end();
  double host_bound = 0;
  for (const auto& device : facts.attribution.devices) {
    host_bound =
        std::max(host_bound, device.parts.share(Part::launch) + device.parts.share(Part::host));
  }
  const bool distorted = stacks && host_bound >= 0.10;
  if (share < kLeastRecording && !distorted) return;
  Finding& finding = into.emplace_back(finding_of(kRecorder, ""));
  finding.evidence.push_back(evidence_of(kRecorderShare, share));
  finding.what =
      distorted ? "Python functions were recorded, which slows the host down, and the host is what "
                  "limits here: without recording it looks better"
                : fmt::format("the recorder itself was at work for {} of the time", percent(share));
  finding.fix = record_less(facts);
}

constexpr Kind kPartial{
    Row("trace.partial", "Not everything could be read",
        "The file ends in the middle, or holds what could not be understood. What was lost is "
        "counted; shares are of what was read.",
        "Record again; a profiler that is killed while it writes leaves such a file.",
        "medium where the file ends in the middle, low where events were lost")};

std::string lost(const trace::ReadSummary& read) {
  std::string text;
  if (read.truncated) {
    text = fmt::format("the file ends in the middle: {} events were read", read.events);
  } else if (read.skipped > 0) {
    text = fmt::format("{} of {} events could not be understood", read.skipped,
                       read.skipped + read.events + read.passed_over);
  }
  if (read.unread_bytes > 0) {
    if (!text.empty()) text += "; ";
    text += fmt::format("behind the end of the trace stand {} bytes more, which were not read",
                        read.unread_bytes);
  }
  return text.empty() ? "not everything is shown" : text;
}

void partial_rule(const TraceFacts& facts, Findings& into) {
  const trace::ReadSummary& read = facts.trace.read;
  const int64_t devices = facts.attribution.devices_left_out;
  const int64_t steps = facts.attribution.steps_left_out;
  if (!read.truncated && read.skipped == 0 && read.unread_bytes == 0 && devices == 0 && steps == 0)
    return;
  Finding& finding = into.emplace_back(finding_of(kPartial, ""));
  finding.severity = read.truncated ? Severity::medium : Severity::low;
  finding.what = lost(read);
  for (const auto& [what, times] : read.problems) {
    finding.what += fmt::format("; {}{}", what, times > 1 ? fmt::format(" ({})", times) : "");
  }
  if (devices > 0)
    finding.what += fmt::format("; {} not shown", base::counted(devices, "more device"));
  if (steps > 0) finding.what += fmt::format("; {} not shown", base::counted(steps, "more step"));
  finding.fix = "let the profiler finish writing, and record again; shares are of what was read";
}

constexpr Kind kNoDevice{
    Row("trace.no-device", "No device was recorded",
        "The trace holds no kernel and no copy: nothing can be said of a device.",
        "Record with ProfilerActivity.CUDA; nsys: --trace=cuda,nvtx.", "info"),
    "record the device too"};

bool is_of_torch(const TraceFacts& facts) {
  const std::string& profiler = facts.trace.read.profiler;
  return profiler == "PyTorch Profiler (Kineto)" || profiler == "Chrome trace";
}

// Why no device is in the trace, and how it comes into the next: what was asked for already is not
// what is missing.
void no_device_rule(const TraceFacts& facts, Findings& into) {
  if (!facts.attribution.devices.empty()) return;
  Finding& finding = into.emplace_back(finding_of(kNoDevice, ""));
  if (facts.trace.counter_ranges > 0) {
    finding.what = fmt::format(
        "counters of the device were read over {} ranges, and no kernel was recorded: a recorder "
        "does one or the other",
        facts.trace.counter_ranges);
    finding.fix = "record once more without profiler metrics (no experimental_config)";
  } else if (2 * facts.attribution.lost.captured >= std::max<int64_t>(1, facts.host.launches)) {
    finding.what = "a graph is captured, which runs nothing on the device";
    finding.fix = "start the profiler after the graph was captured, and record its replays";
  } else if (facts.host.launches > 0) {
    finding.what = fmt::format("the recording has {} of kernels, and nothing that the device did",
                               base::counted(facts.host.launches, "launch"));
    finding.fix =
        "record once more while no other profiler (nsys, ncu, dcgm) watches the device, and see "
        "that the driver lets everybody profile (NVreg_RestrictProfilingToAdminUsers=0)";
  } else {
    finding.what = facts.trace.activities.size() == 0
                       ? "the trace holds no kernel, no copy and nothing of the host"
                       : "the trace holds no kernel and no copy: what is told is the host's time";
    finding.fix = is_of_torch(facts)
                      ? "profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])"
                      : "nsys profile --trace=cuda,nvtx,osrt";
  }
}

}  // namespace

void recording_rules(const TraceFacts& facts, Findings& into) {
  partial_rule(facts, into);
  no_device_rule(facts, into);
  warm_up_rule(facts, into);
  recorder_rule(facts, into);
}

std::vector<const Kind*> recording_kinds() {
  return {&kWarmUp, &kRecorder, &kPartial, &kNoDevice};
}

}  // namespace batchscope::advice

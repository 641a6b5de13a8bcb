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
    "Time of module loading, compilation and algorithm search, as a share of the device's time."};
constexpr Metric kRecorderShare{
    "recorder_share", "Time of the profiler's own events, as a share of the device's time."};

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
    Row("trace.warm-up", "The recording includes warm-up",
        Prose("The recording includes module loading, stream creation, compilation or algorithm "
              "search, or a few launches take over {} ms with an idle device (kernel loading). "
              "Together they take at least {%} of the time. The severity follows the idle time in "
              "these calls.",
              static_cast<double>(attribution::kLongestLaunch) / 1e6, kLeastWarmUp),
        "Skip steps before recording: schedule(skip_first=..., warmup=...) of torch.profiler. If "
        "it recompiles, mark shapes as dynamic.",
        kByGain, metrics(&kWarmUpShare)),
    "record later, after compilation; if it happens in every step, keep shapes constant"};

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
  finding.what = fmt::format("the recording includes warm-up for {} of the time{}", percent(share),
                             longest_of(facts, named, loading.empty() ? named : launches));
  finding.fix =
      "torch.profiler.schedule(skip_first=10, wait=1, warmup=3, active=3); if it happens in every "
      "step, mark changing shapes as dynamic: torch.compile(dynamic=True)";
}

constexpr double kLeastRecording = 0.01;

constexpr Kind kRecorder{
    Row("trace.recorder", "The profiler slows the program",
        Prose("The profiler's own events take at least {%} of the time, or Python functions were "
              "recorded while the host is the bottleneck. The host then seems slower than it is.",
              kLeastRecording),
        "Record again without stacks, shapes and memory, and compare.", "info",
        metrics(&kRecorderShare)),
    "record fewer steps at a time, and only times"};

// Without what this recording has beside times, and nothing that it has not.
std::string record_less(const TraceFacts& facts) {
  std::string flags;
  const auto add = [&](bool is_on, const char* flag) {
    if (is_on) flags += (flags.empty() ? "" : ", ") + std::string(flag);
  };
  add(facts.host.has_stacks, "with_stack=False");
  add(facts.host.has_shapes, "record_shapes=False");
  add(facts.host.has_memory, "profile_memory=False");
  if (!flags.empty()) return "record again with " + flags;
  return "record fewer steps at a time, and compare their times with a run without profiler";
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
  finding.what = distorted ? "recording Python functions slows the host, and the host is the "
                             "bottleneck: without the profiler the program is faster"
                           : fmt::format("the profiler itself took {} of the time", percent(share));
  finding.fix = record_less(facts);
}

constexpr Kind kPartial{Row(
    "trace.partial", "Part of the trace is unreadable",
    "The file is truncated, or contains unreadable events. Shares refer to the readable events.",
    "Record again. A profiler killed while writing leaves such a file.",
    "medium if the file is truncated, low if events were lost")};

std::string lost(const trace::ReadSummary& read) {
  std::string text;
  if (read.truncated) {
    text = fmt::format("the file is truncated: {} events are readable", read.events);
  } else if (read.skipped > 0) {
    text = fmt::format("{} of {} events are unreadable", read.skipped,
                       read.skipped + read.events + read.passed_over);
  }
  if (read.unread_bytes > 0) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} bytes after the end of the trace were not read", read.unread_bytes);
  }
  return text.empty() ? "the page omits some devices or steps" : text;
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
  finding.fix =
      "record again and let the profiler finish writing; shares refer to the readable events";
}

constexpr Kind kNoDevice{
    Row("trace.no-device", "The trace has no device",
        "The trace contains no kernel and no copy, so it shows nothing about a device.",
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
        "the profiler read device counters over {} ranges instead of recording kernels: it cannot "
        "do both",
        facts.trace.counter_ranges);
    finding.fix = "record again without profiler metrics (no experimental_config)";
  } else if (2 * facts.attribution.lost.captured >= std::max<int64_t>(1, facts.host.launches)) {
    finding.what = "the trace records a graph capture, which runs nothing on the device";
    finding.fix = "start the profiler after the capture, and record the replays of the graph";
  } else if (facts.host.launches > 0) {
    finding.what = fmt::format("the recording has {} of kernels, but no device activity",
                               base::counted(facts.host.launches, "launch"));
    finding.fix =
        "record again without another profiler (nsys, ncu, dcgm) on the device, and make sure that "
        "the driver allows profiling (NVreg_RestrictProfilingToAdminUsers=0)";
  } else {
    finding.what =
        facts.trace.activities.size() == 0
            ? "the trace contains no kernel, no copy and no host activity"
            : "the trace contains no kernel and no copy; this report shows the host's time";
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

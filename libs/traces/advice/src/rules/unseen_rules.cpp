#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::DeviceTime;
using attribution::LostLaunches;
using attribution::Part;
using findings::evidence_of;
using findings::Finding;
using findings::Metric;
using findings::milliseconds_of;
using findings::percent;
using findings::Severity;

constexpr Metric kDeviceIdle{
    "idle_device", "Share of the device's time idle although the host had launched in time."};
constexpr Metric kLostLaunches{
    "lost_launches",
    "Launches of kernels and graphs without recorded work, as a share of all launches."};
constexpr Metric kHiddenTime{"hidden_time",
                             "Share of the device's time that may hide unrecorded work."};
constexpr Metric kCapturedLaunches{
    "captured_launches",
    "Launches recorded by a graph capture, which run nothing, as a share of all launches."};

constexpr double kLeastShare = 0.03;
// Of launches; fewer are the edge of any recording.
constexpr double kFewLost = 0.05;
constexpr double kLeastReported = 0.001;  // of the time
constexpr int64_t kShortestToJudge = 100'000;
constexpr int64_t kFewestToJudge = 2;

double share_of(int64_t part, int64_t full) {
  return full > 0 ? static_cast<double>(part) / static_cast<double>(full) : 0;
}

// The largest of any device.
double hidden_share(const TraceFacts& facts) {
  double most = 0;
  for (const DeviceTime& device : facts.attribution.devices) {
    most = std::max(most, share_of(device.hidden_ns, device.wall_ns()));
  }
  return most;
}

// The largest of any device.
double part_share(const TraceFacts& facts, Part part) {
  double most = 0;
  for (const DeviceTime& device : facts.attribution.devices) {
    most = std::max(most, device.parts.share(part));
  }
  return most;
}

std::string how_to_record(const TraceFacts& facts, const LostLaunches& lost) {
  const bool is_nsys = facts.trace.read.profiler == "Nsight Systems";
  // Where some graphs are recorded, others ran when nothing was.
  const bool has_no_graph = lost.graphs > 0 && lost.lost_graphs == lost.graphs;
  const std::string graphs =
      is_nsys ? "nsys profile --cuda-graph-trace=node"
              : "record the kernels of graphs: a newer PyTorch and driver (CUPTI of CUDA 12 or "
                "ROCm 6), or nsys profile --cuda-graph-trace=node";
  if (has_no_graph && 2 * lost.lost_graphs >= lost.lost) return graphs;
  return "call torch.cuda.synchronize() before the profiler stops, and record fewer steps: "
         "schedule(wait=1, warmup=3, active=3)" +
         (has_no_graph ? "; " + graphs : "");
}

constexpr double kHidesMuch = 0.10;  // of the time

constexpr Kind kLostWork{Row("trace.lost-work", "Launches without recorded work",
                             Prose("The trace lacks the work of at least {%} of the launches, or "
                                   "of as many as may hide {%} of the device's time. Idle time "
                                   "that may hide such work is unknown and counts in no gain.",
                                   kFewLost, kLeastShare),
                             "Record again: include graph nodes, record fewer steps, and "
                             "synchronise before the recording stops.",
                             Prose("medium if it may hide {%} of the time, else low", kHidesMuch),
                             metrics(&kLostLaunches, &kHiddenTime)),
                         "wait for the device before the profiler stops, and record fewer steps"};

void lost_work_rule(const TraceFacts& facts, Findings& into) {
  const LostLaunches& lost = facts.attribution.lost;
  if (facts.attribution.devices.empty() || lost.lost == 0) return;
  const double hidden = hidden_share(facts);
  const double share = share_of(lost.lost, lost.launches);
  if (hidden < kLeastShare && share < kFewLost) return;
  Finding& finding = into.emplace_back(finding_of(kLostWork, ""));
  finding.severity = hidden >= kHidesMuch ? Severity::medium : Severity::low;
  finding.evidence = {evidence_of(kLostLaunches, share), evidence_of(kHiddenTime, hidden)};
  finding.what = fmt::format(
      "the trace lacks the work of {} of {}, most of them {}{}{}", lost.lost,
      base::counted(lost.launches, "launch"), lost.call,
      lost.without_time > 0
          ? fmt::format(" ({} without a valid time)", base::counted(lost.without_time, "kernel"))
          : "",
      hidden < kLeastReported
          ? ""
          : fmt::format("; for up to {} of the time, idle and busy are indistinguishable",
                        percent(hidden)));
  finding.fix = how_to_record(facts, lost);
}

bool holds_capture(const LostLaunches& lost) {
  return lost.captured > 0 && 10 * lost.captured >= lost.launches + lost.captured;
}

constexpr Kind kGraphCapture{
    Row("trace.graph-capture", "The recording includes a graph capture",
        "Launches during a capture run nothing; they are at least a tenth of all launches.",
        "Start the recording after the capture.", "info", metrics(&kCapturedLaunches))};

void capture_rule(const TraceFacts& facts, Findings& into) {
  const LostLaunches& lost = facts.attribution.lost;
  if (!holds_capture(lost)) return;
  Finding& finding = into.emplace_back(finding_of(kGraphCapture, ""));
  finding.evidence.push_back(
      evidence_of(kCapturedLaunches, share_of(lost.captured, lost.launches + lost.captured)));
  finding.what = fmt::format("the recording includes a graph capture: its {} launches run nothing",
                             lost.captured);
  finding.fix = "start the profiler after the capture, and record the replays of the graph";
}

constexpr double kLeastHeld = 0.05;

constexpr Kind kDeviceHeld{
    Row("trace.device-held", "The device delays launched work",
        Prose("The host launched the next kernel before the idle time began, so it was in time. "
              "The kernel waited for another stream, an event, another device, or within a graph. "
              "This takes at least {%} of the device's time.",
              kLeastHeld),
        "Find out what the named kernels wait for.", "low", metrics(&kDeviceIdle))};

// What waits within the device: nothing that the host does makes it shorter.
void held_rule(const DeviceFacts& device, Findings& into) {
  const double share = device.share(Part::device);
  if (share < kLeastHeld) return;
  Finding finding = finding_of(kDeviceHeld, device.name);
  finding.evidence.push_back(evidence_of(kDeviceIdle, share));
  const auto& places = device.time.places;
  const auto most = std::find_if(places.begin(), places.end(),
                                 [](const auto& each) { return each.cause == Part::device; });
  std::string where;
  if (most != places.end() && !most->call.empty()) {
    const bool in_graph = base::contains_text(most->call, "Graph");
    where = fmt::format(
        "; {} of that {} {}, in {}", percent(share_of(most->ns, device.time.parts[Part::device])),
        in_graph ? "within the work of" : "before", most->call, base::counted(most->gaps, "gap"));
  }
  finding.what = fmt::format(
      "{} is idle for {} of the time ({} of {}) although the host launched in time; it waits for "
      "other streams, events or devices, or within a graph{}",
      device.name, percent(share), milliseconds_of(device.time.parts[Part::device]),
      milliseconds_of(device.time.wall_ns()), where);
  finding.fix =
      "find out what these kernels wait for: events and streams (nsys profile "
      "--cuda-graph-trace=node), other devices, other processes";
  into.push_back(std::move(finding));
}

}  // namespace

bool is_too_little_to_judge(const DeviceFacts& device) {
  const bool is_short = device.time.wall_ns() < kShortestToJudge;
  const bool is_alone =
      device.all.attribution.covers_steps() && device.time.activities < kFewestToJudge;
  return is_short || is_alone;
}

void unseen_rules(const TraceFacts& facts, Findings& into) {
  lost_work_rule(facts, into);
  capture_rule(facts, into);
}

void unseen_rules(const DeviceFacts& device, Findings& into) {
  held_rule(device, into);
}

std::string what_is_captured(const attribution::Attribution& attribution) {
  const LostLaunches& lost = attribution.lost;
  const bool is_reported = std::ranges::any_of(attribution.exclusions, [](const auto& each) {
    return each.reason == attribution::ExclusionReason::capture;
  });
  if (!holds_capture(lost) || is_reported) return "";
  const char* const what = lost.captured >= lost.launches ? "This is a trace of a graph capture"
                                                          : "The trace includes a graph capture";
  return fmt::format("{}: {} of its {} run nothing. ", what, lost.captured,
                     base::counted(lost.launches + lost.captured, "launch"));
}

std::string time_reported(const TraceFacts& facts, const DeviceTime& device) {
  const attribution::Attribution& all = facts.attribution;
  const std::string wall = milliseconds_of(device.wall_ns());
  if (!all.covers_steps()) {
    return fmt::format("{} (first to last activity; no steps recorded)", wall);
  }
  const std::string steps = steps_reported(all);
  if (all.steps.size() == 1) return fmt::format("{} ({})", wall, steps);
  const size_t median = *all.median_step();
  const size_t index = static_cast<size_t>(&device - all.devices.data());
  return fmt::format("{} ({}; median step {}, {} busy)", wall, steps,
                     milliseconds_of(all.steps[median].wall_ns()),
                     percent(all.steps[median].devices[index].busy_share()));
}

std::string why_nothing_is_stated(const TraceFacts& facts) {
  const LostLaunches& lost = facts.attribution.lost;
  const double hidden = hidden_share(facts);
  const double unknown = part_share(facts, Part::unknown);
  if (hidden >= 0.05) {
    // There are other reasons for not knowing.
    const std::string because =
        percent(hidden) == percent(unknown) ? ": " : fmt::format(", {} because ", percent(hidden));
    return fmt::format("{} of the time is unknown{}the trace lacks the work of {} of {}.",
                       percent(unknown), because, lost.lost,
                       base::counted(lost.launches, "launch"));
  }
  const std::string held = what_is_held(facts, unknown);
  if (!held.empty()) return held;
  if (unknown < 0.05) return "";
  return fmt::format("It is idle for {} of the time. The trace does not show why.",
                     percent(unknown));
}

std::string what_is_held(const TraceFacts& facts, double most_else) {
  const double held = part_share(facts, Part::device);
  if (held < 0.05 || held <= most_else) return "";
  return fmt::format("The device is idle for {} of the time although the host launched in time.",
                     percent(held));
}

std::vector<const Kind*> unseen_kinds() {
  return {&kDeviceHeld, &kLostWork, &kGraphCapture};
}

}  // namespace batchscope::advice

// Of a trace without a device: where the host's own time goes.

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/counted.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::HostPart;
using attribution::HostTime;
using attribution::Total;
using findings::evidence_of;
using findings::Finding;
using findings::Metric;
using findings::percent;

constexpr Metric kHostLoading{
    "host_loading", "Share of the host's time spent on making samples or waiting for samples."};
constexpr Metric kHostCommunication{
    "host_communication", "Share of the host's time spent on communication with other processes."};
constexpr Metric kHostUnrecorded{"host_unrecorded", "Share of the host's time without any record."};
constexpr Metric kHostOperator{"host_operator",
                               "Share of the operators' self time in this operator."};
constexpr Metric kHostLongSteps{
    "host_long_steps", "Share of the steps' time that unusually long steps add beyond the median."};
constexpr Metric kHostAlone{"host_alone",
                            "Share of the host's busy time with only one busy thread."};

constexpr double kLeastLoading = 0.05;
constexpr double kLeastTalk = 0.10;
constexpr double kLeastUnrecorded = 0.10;
constexpr double kLeastOfOneOperator = 0.30;
constexpr int64_t kFewestCalls = 10;  // of operators: fewer are no program
constexpr double kMostlyAlone = 0.80;
constexpr size_t kSeveralThreads = 3;
constexpr size_t kFewestSteps = 10;  // that have a usual length
constexpr int64_t kFarLonger = 3;    // times the median
constexpr double kLeastBeyond = 0.10;

std::string_view words_of(HostPart part) {
  switch (part) {
    case HostPart::loading:
      return "loading";
    case HostPart::forward:
      return "operators of the forward pass";
    case HostPart::backward:
      return "the backward pass";
    case HostPart::optimizer:
      return "the optimizer";
    case HostPart::communication:
      return "communication";
    case HostPart::other:
      return "other recorded work";
    case HostPart::nothing:
      break;
  }
  return "Python or not recorded";
}

constexpr Kind kHostLoader{
    Row("trace.host-loading", "The host waits for data",
        Prose("In a trace without a device, a data loader (including its calls) takes at least {%} "
              "of the host's time in the steps.",
              kLeastLoading),
        "Give the loader workers that prefetch; move work out of the loader.",
        Prose("by the largest gain, as a share of the host's time: low from {%}, medium from {%}, "
              "high from {%}",
              kLowGain, kMediumGain, kHighGain),
        metrics(&kHostLoading))};

void loading_rule(const TraceFacts& facts, const HostTime& host, Findings& into) {
  const double share = host.parts.share(HostPart::loading);
  if (share < kLeastLoading) return;
  Finding& finding = into.emplace_back(finding_of(kHostLoader, ""));
  set_gain(share / 2, share, finding);
  finding.evidence.push_back(evidence_of(kHostLoading, share));
  finding.what =
      fmt::format("the host loads data or waits for data for {} of the time ({} of {})",
                  percent(share), findings::milliseconds_of(host.parts[HostPart::loading]),
                  findings::milliseconds_of(host.wall_ns()));
  finding.fix = "raise num_workers until the wait ends or the CPUs are busy";
  if (facts.host.loader == Loader::in_line) {
    finding.fix =
        "the loader has no workers: DataLoader(..., num_workers=4, persistent_workers=True)";
  } else if (facts.host.loader == Loader::tensorflow) {
    finding.fix =
        "dataset.map(..., num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)";
  }
}

constexpr Kind kHostTalk{
    Row("trace.host-communication", "The host communicates with other processes",
        Prose("In a trace without a device, collectives (gloo, MPI or others) take at least {%} of "
              "the host's time. Part of this may be waiting for a slower rank.",
              kLeastTalk),
        "Compare the traces of all ranks.",
        Prose("by the share of the host's time: medium from {%}, high from {%}", kMediumGain,
              kHighGain),
        metrics(&kHostCommunication))};

void communication_rule(const HostTime& host, Findings& into) {
  const double share = host.parts.share(HostPart::communication);
  if (share < kLeastTalk) return;
  Finding& finding = into.emplace_back(finding_of(kHostTalk, ""));
  finding.severity = severity_of_gain(share);
  finding.evidence.push_back(evidence_of(kHostCommunication, share));
  finding.what = fmt::format(
      "the host communicates with other processes, or waits, for {} of the time", percent(share));
  finding.fix =
      "give the traces of all ranks to find the slow rank; overlap communication with work "
      "(async_op=True, DDP buckets)";
}

constexpr Kind kOneOperator{
    Row("trace.host-operator", "One operator takes most of the host's time",
        Prose("In a trace without a device, the self time of one operator (without its calls) is "
              "at least {%} of all operators' self time.",
              kLeastOfOneOperator),
        "Optimise this operator first.", "info", metrics(&kHostOperator))};

// The operator whose own time is the longest.
void operator_rule(const TraceFacts& facts, Findings& into) {
  int64_t all = 0;
  int64_t calls = 0;
  const Total* most = nullptr;
  for (const Total& total : facts.totals) {
    if (total.kind != trace::ActivityKind::op) continue;
    all += total.self_ns / 2;  // halves, so that no sum is too large
    calls += total.calls;
    if (most == nullptr || total.self_ns > most->self_ns) most = &total;
  }
  if (most == nullptr || all <= 0 || calls < kFewestCalls) return;
  const double share = static_cast<double>(most->self_ns) / 2 / static_cast<double>(all);
  if (share < kLeastOfOneOperator) return;
  Finding& finding = into.emplace_back(finding_of(kOneOperator, ""));
  finding.evidence.push_back(evidence_of(kHostOperator, share));
  finding.what = fmt::format("{} takes {} of the operators' time, in {} of {} us", most->name,
                             percent(share), base::counted(most->calls, "call"),
                             findings::three_digits(static_cast<double>(most->self_ns) / 1e3 /
                                                    static_cast<double>(most->calls)));
  finding.fix = "optimise it first: fewer and larger calls, another type or layout";
}

constexpr Kind kOneThread{Row("trace.host-one-thread", "Only one of several threads works",
                              Prose("In a trace without a device, at least three threads have "
                                    "events, but for {%} of the busy time only one works.",
                                    kMostlyAlone),
                              "Let more threads work: larger batches, more intra-operator threads.",
                              "low", metrics(&kHostAlone))};

void alone_rule(const HostTime& host, Findings& into) {
  const int64_t busy = host.wall_ns() - host.parts[HostPart::nothing];
  if (host.threads.size() < kSeveralThreads || busy <= 0) return;
  const double share = static_cast<double>(host.alone_ns) / static_cast<double>(busy);
  if (share < kMostlyAlone) return;
  Finding& finding = into.emplace_back(finding_of(kOneThread, ""));
  finding.evidence.push_back(evidence_of(kHostAlone, share));
  finding.what = fmt::format("{} threads have events, but for {} of the busy time only one works",
                             host.threads.size(), percent(share));
  finding.fix =
      "check torch.get_num_threads() and OMP_NUM_THREADS; larger batches give threads more work to "
      "share";
}

constexpr Kind kLongSteps{
    Row("trace.host-long-steps", "A few steps of the host take far longer",
        Prose("In a trace without a device and with ten or more steps, steps over three times the "
              "median add at least {%} of the time.",
              kLeastBeyond),
        "Check these steps for warm-up, page faults, other processes and garbage collection.",
        Prose("by that share: medium from {%}, high from {%}", kMediumGain, kHighGain),
        metrics(&kHostLongSteps))};

int64_t median_step(const HostTime& host) {
  std::vector<int64_t> walls;
  for (const auto& step : host.steps) walls.push_back(step.wall_ns);
  const auto middle = walls.begin() + static_cast<std::ptrdiff_t>(walls.size() / 2);
  std::nth_element(walls.begin(), middle, walls.end());
  return *middle;
}

void long_steps_rule(const HostTime& host, Findings& into) {
  if (host.steps.size() < kFewestSteps || host.wall_ns() == 0) return;
  const int64_t median = median_step(host);
  std::vector<int64_t> long_ones;
  int64_t beyond = 0;
  for (const auto& step : host.steps) {
    if (step.wall_ns / kFarLonger <= median) continue;
    long_ones.push_back(step.number);
    beyond += step.wall_ns - median;
  }
  const double share = static_cast<double>(beyond) / static_cast<double>(host.wall_ns());
  if (share < kLeastBeyond) return;
  Finding& finding = into.emplace_back(finding_of(kLongSteps, ""));
  finding.severity = severity_of_gain(share);
  finding.evidence.push_back(evidence_of(kHostLongSteps, share));
  finding.what =
      fmt::format("{} of {} steps take over {} times the median ({}) and add {} of the time: {}",
                  long_ones.size(), host.steps.size(), kFarLonger,
                  findings::milliseconds_of(median), percent(share), step_numbers(long_ones));
  finding.fix =
      "check these steps for warm-up, page faults, other processes and garbage collection";
}

constexpr Kind kGaps{
    Row("trace.host-gaps", "The host's time is not recorded",
        Prose("In a trace without a device, no operator runs for at least {%} of the host's time.",
              kLeastUnrecorded),
        "Record with stacks to see which Python lines run.",
        "low from half of the time, info below", metrics(&kHostUnrecorded))};

void gap_rule(const HostTime& host, Findings& into) {
  const double share = host.parts.share(HostPart::nothing);
  if (share < kLeastUnrecorded) return;
  Finding& finding = into.emplace_back(finding_of(kGaps, ""));
  finding.severity = share >= 0.5 ? findings::Severity::low : findings::Severity::info;
  finding.evidence.push_back(evidence_of(kHostUnrecorded, share));
  finding.what =
      fmt::format("no operator runs for {} of the host's time (Python, waiting, or not recorded)",
                  percent(share));
  finding.fix = "record with with_stack=True to see which Python lines run";
}

// "loading 81 %, the backward pass 7 %": the largest, of at least a hundredth.
std::string largest_parts(const HostTime& host) {
  std::vector<HostPart> parts;
  for (size_t i = 0; i < attribution::kHostParts; ++i) parts.push_back(static_cast<HostPart>(i));
  std::stable_sort(parts.begin(), parts.end(),
                   [&](HostPart a, HostPart b) { return host.parts[a] > host.parts[b]; });
  std::string text;
  for (const HostPart& part : parts) {
    constexpr double kLeast = 0.01;
    constexpr std::ptrdiff_t kMost = 3;  // a table has all
    if (host.parts.share(part) < kLeast || &part - parts.data() == kMost) break;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", words_of(part),
                        percent(host.parts.share(part)));
  }
  return text;
}

std::string steps_of(const TraceFacts& facts, const HostTime& host) {
  if (facts.attribution.covers_steps()) return steps_reported(facts.attribution);
  return base::counted(host.steps.size(), "step");
}

}  // namespace

void host_rules(const TraceFacts& facts, const HostTime& host, Findings& into) {
  loading_rule(facts, host, into);
  communication_rule(host, into);
  operator_rule(facts, into);
  alone_rule(host, into);
  long_steps_rule(host, into);
  gap_rule(host, into);
}

std::string host_answer(const TraceFacts& facts, const HostTime& host, const Findings& found) {
  if (host.wall_ns() == 0) return "The trace contains no event with a duration.";
  const std::string& profiler = facts.trace.read.profiler;
  const bool is_known = profiler == "PyTorch Profiler (Kineto)" || profiler == "Chrome trace";
  std::string text =
      is_known ? "" : fmt::format("This {} profile contains the host only. ", profiler);
  text += what_is_captured(facts.attribution);
  if (host.steps.empty()) {
    text += fmt::format("The host's time, {}, is ", findings::milliseconds_of(host.wall_ns()));
  } else {
    const bool is_one = host.steps.size() == 1;
    text += fmt::format("{}{} of the host take{} {}{}: ", steps_of(facts, host),
                        host.steps_named.empty() ? "" : " (" + host.steps_named + ")",
                        is_one ? "s" : "", findings::milliseconds_of(median_step(host)),
                        is_one ? "" : " each (median)");
  }
  text += largest_parts(host) + ". " + what_is_excluded(facts.attribution);
  if (const Finding* const best = most_to_gain(found)) {
    text += fmt::format("{}. Possible gain: {} of the time. ", first_sentence(*best),
                        findings::percent_range(*best->gain));
  }
  return text + "The trace has no device.";
}

std::vector<const Kind*> host_kinds() {
  return {&kHostLoader, &kHostTalk, &kOneOperator, &kLongSteps, &kOneThread, &kGaps};
}

}  // namespace batchscope::advice

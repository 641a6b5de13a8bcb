// Of a trace without a device: where the host's own time goes.

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/counted.hpp"
#include "batchscope/findings/trace_metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::HostPart;
using attribution::HostTime;
using attribution::Total;
using findings::evidence_of;
using findings::Finding;
using findings::percent;
namespace metric = findings::metric;

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
  return "Python and what was not recorded";
}

void loading_rule(const Facts& facts, const HostTime& host, Findings& into) {
  const double share = host.parts.share(HostPart::loading);
  if (share < kLeastLoading) return;
  Finding finding = finding_of("trace.host-loading", "");
  set_gain(share / 2, share, finding);
  finding.evidence.push_back(evidence_of(metric::kHostLoading, share));
  finding.what =
      fmt::format("the host makes samples or waits for them for {} of its time ({} of {})",
                  percent(share), findings::milliseconds_of(host.parts[HostPart::loading]),
                  findings::milliseconds_of(host.wall_ns()));
  finding.fix = "raise num_workers until the wait is gone or the processors are busy";
  if (facts.host.loader == Loader::in_line) {
    finding.fix =
        "the loader has no workers: DataLoader(..., num_workers=4, persistent_workers=True)";
  } else if (facts.host.loader == Loader::tensorflow) {
    finding.fix =
        "dataset.map(..., num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)";
  }
  into.push_back(std::move(finding));
}

void communication_rule(const HostTime& host, Findings& into) {
  const double share = host.parts.share(HostPart::communication);
  if (share < kLeastTalk) return;
  Finding finding = finding_of("trace.host-communication", "");
  finding.severity = severity_of_gain(share);
  finding.evidence.push_back(evidence_of(metric::kHostCommunication, share));
  finding.what = fmt::format(
      "the host talks to other processes, or waits for them, for {} of its "
      "time",
      percent(share));
  finding.fix =
      "give the traces of all ranks at once, to see for whom they wait; let communication overlap "
      "with work (async_op=True, buckets of DDP)";
  into.push_back(std::move(finding));
}

// The operator whose own time is the longest.
void operator_rule(const Facts& facts, Findings& into) {
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
  Finding finding = finding_of("trace.host-operator", "");
  finding.severity = findings::Severity::info;
  finding.evidence.push_back(evidence_of(metric::kHostOperator, share));
  finding.what = fmt::format("{} takes {} of the operators' time, in {} of {} us", most->name,
                             percent(share), base::counted(most->calls, "call"),
                             findings::three_digits(static_cast<double>(most->self_ns) / 1e3 /
                                                    static_cast<double>(most->calls)));
  finding.fix = "look there first: fewer and larger calls, another type or layout";
  into.push_back(std::move(finding));
}

void alone_rule(const HostTime& host, Findings& into) {
  const int64_t busy = host.wall_ns() - host.parts[HostPart::nothing];
  if (host.threads.size() < kSeveralThreads || busy <= 0) return;
  const double share = static_cast<double>(host.alone_ns) / static_cast<double>(busy);
  if (share < kMostlyAlone) return;
  Finding finding = finding_of("trace.host-one-thread", "");
  finding.severity = findings::Severity::low;
  finding.evidence.push_back(evidence_of(metric::kHostAlone, share));
  finding.what = fmt::format(
      "{} threads were recorded, and for {} of the time in which any is at work only "
      "one is",
      host.threads.size(), percent(share));
  finding.fix =
      "torch.get_num_threads() and OMP_NUM_THREADS say how many may work; larger batches "
      "give them more to share";
  into.push_back(std::move(finding));
}

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
  Finding finding = finding_of("trace.host-long-steps", "");
  finding.severity = severity_of_gain(share);
  finding.evidence.push_back(evidence_of(metric::kHostLongSteps, share));
  finding.what = fmt::format(
      "{} of {} steps take over {} times the median ({}), {} of the time "
      "more than the others would: {}",
      long_ones.size(), host.steps.size(), kFarLonger, findings::milliseconds_of(median),
      percent(share), step_numbers(long_ones));
  finding.fix = "look at those steps: warm-up, page faults, other processes, garbage collection";
  into.push_back(std::move(finding));
}

void gap_rule(const HostTime& host, Findings& into) {
  const double share = host.parts.share(HostPart::nothing);
  if (share < kLeastUnrecorded) return;
  Finding finding = finding_of("trace.host-gaps", "");
  finding.severity = share >= 0.5 ? findings::Severity::low : findings::Severity::info;
  finding.evidence.push_back(evidence_of(metric::kHostUnrecorded, share));
  finding.what = fmt::format(
      "for {} of the host's time no operator runs: Python, waiting, or what "
      "was not recorded",
      percent(share));
  finding.fix = "record with with_stack=True to see which lines of Python run meanwhile";
  into.push_back(std::move(finding));
}

// "loading 81 %, the backward pass 7 %": the largest, of at least a hundredth.
std::string largest_parts(const HostTime& host) {
  std::vector<HostPart> parts;
  for (size_t i = 0; i < attribution::kHostParts; ++i) parts.push_back(static_cast<HostPart>(i));
  std::stable_sort(parts.begin(), parts.end(),
                   [&](HostPart a, HostPart b) { return host.parts[a] > host.parts[b]; });
  std::string text;
  for (const HostPart part : parts) {
    constexpr double kLeast = 0.01;
    if (host.parts.share(part) < kLeast) break;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", words_of(part),
                        percent(host.parts.share(part)));
  }
  return text;
}

std::string steps_of(const Facts& facts, const HostTime& host) {
  if (facts.attribution.covers_steps()) return steps_told(facts.attribution);
  return base::counted(host.steps.size(), "step");
}

}  // namespace

void host_rules(const Facts& facts, const HostTime& host, Findings& into) {
  loading_rule(facts, host, into);
  communication_rule(host, into);
  operator_rule(facts, into);
  alone_rule(host, into);
  long_steps_rule(host, into);
  gap_rule(host, into);
}

std::string host_answer(const Facts& facts, const HostTime& host, const Findings& found) {
  if (host.wall_ns() == 0) return "The trace holds no event that takes time: nothing was recorded.";
  const std::string& profiler = facts.trace.read.profiler;
  const bool is_known = profiler == "PyTorch Profiler (Kineto)" || profiler == "Chrome trace";
  std::string text = is_known ? "" : fmt::format("A profile of {}, of the host alone. ", profiler);
  text += what_is_captured(facts.attribution);
  if (host.steps.empty()) {
    text += fmt::format("The host's time, {}, is ", findings::milliseconds_of(host.wall_ns()));
  } else {
    const bool is_one = host.steps.size() == 1;
    text += fmt::format("{}{} of the host take{} {}{}: ", steps_of(facts, host),
                        host.steps_named.empty() ? "" : " (" + host.steps_named + ")",
                        is_one ? "s" : "", findings::milliseconds_of(median_step(host)),
                        is_one ? "" : " each, a median");
  }
  text += largest_parts(host) + ". " + what_is_excluded(facts.attribution);
  if (const Finding* const best = most_to_gain(found)) {
    text += fmt::format("Most to gain: {} of the time, because {}. ",
                        findings::percent_range(*best->gain), best->what);
  }
  return text + "No device was recorded.";
}

}  // namespace batchscope::advice

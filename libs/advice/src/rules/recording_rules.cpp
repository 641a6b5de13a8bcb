#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/capped_sum.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/findings/trace_metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::Part;
using base::contains_text;
using findings::evidence_of;
using findings::Finding;
using findings::percent;
using findings::Severity;
using trace::ActivityKind;
namespace metric = findings::metric;

// Ranges and calls of loading modules, of torch.compile and of Triton's and cuDNN's trials.
bool warms_up(const attribution::Total& total) {
  if (total.kind == ActivityKind::runtime) {
    return contains_text(total.name, "ModuleLoad") || contains_text(total.name, "LibraryLoad");
  }
  if (total.kind != ActivityKind::op && total.kind != ActivityKind::range) return false;
  for (const char* const name :
       {"dynamo_timed", "_compile.compile_inner", "compile_fx", "OutputGraph.call_user_compiler",
        "autotune", "CachingAutotuner", "TorchDynamo", "cudnnFind"}) {
    if (contains_text(total.name, name)) return true;
  }
  return false;
}

double of_time(const Facts& facts, int64_t ns) {
  const auto& devices = facts.attribution.devices;
  if (devices.empty() || devices.front().wall_ns() <= 0) return 0;
  return static_cast<double>(ns) / static_cast<double>(devices.front().wall_ns());
}

void warm_up_rule(const Facts& facts, Findings& into) {
  const attribution::Total* longest = nullptr;
  for (const attribution::Total& total : facts.totals) {
    if (!warms_up(total)) continue;
    // These nest in each other: the longest one holds the others.
    if (longest == nullptr || total.total_ns > longest->total_ns) longest = &total;
  }
  if (longest == nullptr) return;
  const double share = of_time(facts, longest->total_ns);
  if (share < 0.02) return;
  Finding finding = finding_of("trace.warm-up", "");
  // Beside a device that is busy it costs nothing but the host's time.
  finding.severity = severity_of_gain(
      std::min(share, of_time(facts, facts.attribution.devices.front().parts.idle_ns())));
  finding.evidence.push_back(evidence_of(metric::kWarmUpShare, share));
  finding.what = fmt::format("the recording has warm-up in it: {} took {} of its time in {} calls",
                             longest->name, percent(share), longest->calls);
  finding.fix =
      "torch.profiler.schedule(skip_first=10, wait=1, warmup=3, active=3); where it happens in "
      "every step, mark what changes as dynamic: torch.compile(dynamic=True)";
  into.push_back(std::move(finding));
}

void recorder_rule(const Facts& facts, Findings& into) {
  int64_t overhead = 0;
  for (const attribution::Total& total : facts.totals) {
    if (total.kind == ActivityKind::overhead) overhead = base::capped_sum(overhead, total.total_ns);
  }
  const double share = of_time(facts, overhead);
  const auto& kinds = facts.trace.activities.kind;
  const bool stacks = std::find(kinds.begin(), kinds.end(), ActivityKind::python) != kinds.end();
  double host_bound = 0;
  for (const auto& device : facts.attribution.devices) {
    host_bound =
        std::max(host_bound, device.parts.share(Part::launch) + device.parts.share(Part::host));
  }
  const bool distorted = stacks && host_bound >= 0.10;
  if (share < 0.01 && !distorted) return;
  Finding finding = finding_of("trace.recorder", "");
  finding.evidence.push_back(evidence_of(metric::kRecorderShare, share));
  finding.what =
      distorted ? "Python functions were recorded, which slows the host down, and the host is what "
                  "limits here: without recording it looks better"
                : fmt::format("the recorder itself took {} of the time", percent(share));
  finding.fix = "record once more with with_stack=False, record_shapes=False, profile_memory=False";
  into.push_back(std::move(finding));
}

void partial_rule(const Facts& facts, Findings& into) {
  const trace::ReadSummary& read = facts.trace.read;
  const int64_t devices = facts.attribution.devices_left_out;
  const int64_t steps = facts.attribution.steps_left_out;
  if (!read.truncated && read.skipped == 0 && devices == 0 && steps == 0) return;
  Finding finding = finding_of("trace.partial", "");
  finding.severity = read.truncated ? Severity::medium : Severity::low;
  finding.what = read.truncated
                     ? fmt::format("the file ends in the middle: {} events were read", read.events)
                     : fmt::format("{} of {} events could not be understood", read.skipped,
                                   read.skipped + read.events + read.passed_over);
  for (const auto& [what, times] : read.problems) {
    finding.what += fmt::format("; {}{}", what, times > 1 ? fmt::format(" ({})", times) : "");
  }
  if (devices > 0) finding.what += fmt::format("; {} more devices are not shown", devices);
  if (steps > 0) finding.what += fmt::format("; {} more steps are not shown", steps);
  finding.fix = "let the profiler finish writing, and record again; shares are of what was read";
  into.push_back(std::move(finding));
}

void no_device_rule(const Facts& facts, Findings& into) {
  if (!facts.attribution.devices.empty()) return;
  Finding finding = finding_of("trace.no-device", "");
  finding.what = "the trace holds no kernel and no copy, so nothing can be said of a device";
  finding.fix =
      "profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]); nsys profile "
      "--trace=cuda,nvtx,osrt";
  into.push_back(std::move(finding));
}

}  // namespace

void recording_rules(const Facts& facts, Findings& into) {
  partial_rule(facts, into);
  no_device_rule(facts, into);
  warm_up_rule(facts, into);
  recorder_rule(facts, into);
}

}  // namespace batchscope::advice

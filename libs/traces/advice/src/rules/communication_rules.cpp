#include <fmt/format.h>

#include "batchscope/base/strings.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::Part;
using findings::evidence_of;
using findings::Finding;
using findings::percent;

constexpr findings::Metric kExposedCommunication{
    "exposed_communication", "Share of the device's time with communication only."};

// Whether all that communicates are sends and receives, as between the stages of a pipeline.
bool only_sends(const TraceFacts& facts) {
  bool sends = false;
  for (const attribution::Total& total : facts.totals) {
    if (!total.communicates) continue;
    if (!base::contains_text(total.name, "SendRecv")) return false;
    sends = true;
  }
  return sends;
}

std::string communication_advice(const TraceFacts& facts) {
  if (only_sends(facts)) {
    return "overlap sends with compute (more and smaller micro-batches, an interleaved pipeline "
           "schedule, balanced stages); send bf16";
  }
  return facts.host.trains
             ? "overlap it with the backward pass (DDP buckets, FSDP prefetch), send bf16"
             : "spread the model over fewer devices, fuse the all-reduce with the next kernel, "
               "send bf16";
}

constexpr double kLeastTalked = 0.05;

constexpr Kind kExposedTalk{
    Row("trace.exposed-communication", "Communication is not hidden",
        Prose("Communication kernels run alone for at least {%} of the device's time. Part of this "
              "may be waiting for a slower device.",
              kLeastTalked),
        "Overlap it with the backward pass (buckets of DDP or FSDP), send less (bf16 gradients), "
        "and look for stragglers.",
        kByGain, metrics(&kExposedCommunication)),
    "overlap it with compute, send a smaller type, and give the traces of all ranks to find "
    "stragglers",
    Part::communication};

}  // namespace

void communication_rules(const DeviceFacts& device, Findings& into) {
  const double share = device.share(Part::communication);
  if (share < kLeastTalked) return;
  Finding& finding = into.emplace_back(finding_of(kExposedTalk, device.name));
  set_gain(share / 4, share, finding);
  finding.evidence.push_back(evidence_of(kExposedCommunication, share));
  finding.what = fmt::format(
      "{} only communicates for {} of the time; one trace cannot separate transfer from waiting "
      "for slower devices",
      device.name, percent(share));
  finding.fix = communication_advice(device.all);
  finding.fix += ", and give the traces of all ranks to find stragglers";
}

std::vector<const Kind*> communication_kinds() {
  return {&kExposedTalk};
}

}  // namespace batchscope::advice

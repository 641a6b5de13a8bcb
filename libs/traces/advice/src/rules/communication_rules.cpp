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
    "exposed_communication",
    "Share of the device's time in which it only talked to other devices."};

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
    return "send while something is computed: more and smaller micro-batches or an interleaved "
           "schedule of a pipeline, and stages that take equally long; send bf16";
  }
  return facts.host.trains
             ? "overlap it with the backward pass (DDP buckets, FSDP prefetch), send bf16"
             : "spread a model over fewer devices, fuse the all-reduce with what follows it, send "
               "bf16";
}

constexpr double kLeastTalked = 0.05;

constexpr Kind kExposedTalk{
    Row("trace.exposed-communication", "Communication is not hidden",
        Prose("Kernels that talk to other devices run while nothing else does, for at least {%} of "
              "the device's time. A part of it may be waiting for a slower device.",
              kLeastTalked),
        "Overlap it with the backward pass (buckets of DDP or FSDP), send less (bf16 gradients), "
        "and look for stragglers.",
        kByGain, metrics(&kExposedCommunication)),
    "overlap it with computing, send numbers of fewer digits, and give the traces of all ranks to "
    "find stragglers",
    Part::communication};

}  // namespace

void communication_rules(const DeviceFacts& device, Findings& into) {
  const double share = device.share(Part::communication);
  if (share < kLeastTalked) return;
  Finding& finding = into.emplace_back(finding_of(kExposedTalk, device.name));
  set_gain(share / 4, share, finding);
  finding.evidence.push_back(evidence_of(kExposedCommunication, share));
  finding.what = fmt::format(
      "{} only communicates for {} of its time; one trace does not tell how much of that is "
      "waiting "
      "for slower devices",
      device.name, percent(share));
  finding.fix = communication_advice(device.all);
  finding.fix += ", and give the traces of all ranks to find stragglers";
}

std::vector<const Kind*> communication_kinds() {
  return {&kExposedTalk};
}

}  // namespace batchscope::advice

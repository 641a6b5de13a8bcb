#include <fmt/format.h>

#include <string>

#include "rules.hpp"
#include "xid.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::Metric;
using findings::Severity;

constexpr Metric kXidErrors{"xid_errors", "How often the driver reported this error (XID).",
                            "errors"};
constexpr Metric kUncorrectedErrors{"uncorrected_errors", "Uncorrectable errors of device memory.",
                                    "errors"};

constexpr Kind kGpuDown{Row("monitor.gpu-down", "A GPU does not answer",
                            "The driver does not answer for this GPU, or reports it as lost. Until "
                            "it answers, there are no other findings on this GPU.",
                            "Stop the programs that use it, then reset it or restart the machine. "
                            "If there is an XID, follow its advice.",
                            "high", metrics(&kXidErrors)),
                        10, Role::says_all};

constexpr Kind kXid{
    Row("monitor.xid", "The driver reported an error (XID)",
        "The driver wrote a numbered error into the kernel's log. batchscope explains 13, 31, 43, "
        "45, 48, 61 to 64, 74, 79, 92, 94, 95, 119 and 120, and says whether the developer or the "
        "administrator has to act. The worst error of the last ten minutes comes first.",
        "Follow the finding: for 13, 31, 43 and 45 check the program, for the others the GPU.",
        "high if the GPU needs a reset or may be broken, low for 45, else medium",
        metrics(&kXidErrors)),
    20};

constexpr Kind kEcc{Row("monitor.ecc", "GPU memory had an uncorrectable error",
                        "The counter of uncorrectable errors rose since the monitor started.",
                        "Go back to a checkpoint from before the error. Reset the GPU, and replace "
                        "it if this repeats.",
                        "high", metrics(&kUncorrectedErrors)),
                    40};

constexpr Kind kRemapPending{
    Row("monitor.remap-pending", "A GPU needs a reset to replace a memory row",
        "The driver marked a row of device memory for replacement. A reset replaces it.",
        "Reset the GPU when it is free.", "medium"),
    50};

// "; also XID 45 and 48": those that are not the worst.
std::string also(const GpuState& gpu, int worst, const RuleContext& facts) {
  std::string text;
  for (const auto& [number, event] : gpu.xids) {
    if (number == worst || !facts.is_recent(event)) continue;
    text += fmt::format("{}{}", text.empty() ? "; also XID " : ", ", number);
  }
  return text;
}

// The worst of late, the last of several; 0: there is none.
int worst_xid(const GpuState& gpu, const RuleContext& facts) {
  int worst = 0;
  const auto is_worse = [&](int number, const Event& event) {
    if (worst == 0) return true;
    const Severity mine = meaning_of_xid(number).severity;
    const Severity its = meaning_of_xid(worst).severity;
    return mine != its ? mine > its : event.last_ns > gpu.xids.at(worst).last_ns;
  };
  for (const auto& [number, event] : gpu.xids) {
    if (facts.is_recent(event) && is_worse(number, event)) worst = number;
  }
  return worst;
}

void down_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  if (gpu.up) return;
  RuleHit& candidate = into.emplace_back(on_gpu(kGpuDown, gpu, facts));
  candidate.at_once = candidate.ends_at_once = true;
  candidate.finding.what =
      fmt::format("{} does not answer: {}", name_of(gpu),
                  gpu.why_down.empty() ? "the driver gives no reason" : gpu.why_down);
  candidate.finding.fix =
      "stop the programs that use it, then reset it (nvidia-smi -r) or restart the machine; see "
      "dmesg for details";
  if (const int xid = worst_xid(gpu, facts)) {
    const XidMeaning& meaning = meaning_of_xid(xid);
    candidate.finding.cause = fmt::format("XID {}: {}", xid, meaning.what);
    candidate.finding.fix = meaning.fix;
    candidate.finding.evidence.push_back(
        evidence_of(kXidErrors, static_cast<double>(gpu.xids.at(xid).count)));
  }
}

void xid_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  const int xid = worst_xid(gpu, facts);
  if (xid == 0) return;
  const XidMeaning& meaning = meaning_of_xid(xid);
  RuleHit& candidate = into.emplace_back(on_gpu(kXid, gpu, facts));
  candidate.at_once = true;
  candidate.finding.severity = meaning.severity;
  candidate.finding.what =
      fmt::format("{}: XID {}, {}{}", name_of(gpu), xid, meaning.what, also(gpu, xid, facts));
  candidate.finding.fix = meaning.fix;
  candidate.finding.evidence.push_back(
      evidence_of(kXidErrors, static_cast<double>(gpu.xids.at(xid).count)));
}

void memory_error_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  if (!facts.is_recent(gpu.uncorrected)) return;
  RuleHit& candidate = into.emplace_back(on_gpu(kEcc, gpu, facts));
  candidate.at_once = true;
  const double errors = static_cast<double>(gpu.uncorrected.count);
  candidate.finding.what =
      fmt::format("{} had {:g} uncorrectable memory error{}: its results may be wrong",
                  name_of(gpu), errors, errors == 1 ? "" : "s");
  candidate.finding.fix =
      "go back to a checkpoint from before the error; administrator: reset the GPU, and have it "
      "replaced if this repeats";
  candidate.finding.evidence.push_back(evidence_of(kUncorrectedErrors, errors));
}

void remap_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  if (!gpu.remap_pending) return;
  RuleHit& candidate = into.emplace_back(on_gpu(kRemapPending, gpu, facts));
  candidate.at_once = true;
  candidate.finding.what = fmt::format("{} needs a reset to replace a memory row", name_of(gpu));
  candidate.finding.fix = "administrator: reset the GPU (nvidia-smi -r) when it is free";
}

void look_for_faults(const RuleContext& facts, RuleHits& into) {
  for (const GpuState& gpu : facts.window.gpus()) {
    down_rule(gpu, facts, into);
    xid_rule(gpu, facts, into);
    memory_error_rule(gpu, facts, into);
    remap_rule(gpu, facts, into);
  }
}

}  // namespace

Rules fault_rules() {
  return {look_for_faults, {&kGpuDown, &kXid, &kEcc, &kRemapPending}};
}

}  // namespace batchscope::watch

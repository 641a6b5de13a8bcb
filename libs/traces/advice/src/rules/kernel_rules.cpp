#include <fmt/format.h>

#include "batchscope/base/capped_sum.hpp"
#include "batchscope/findings/trace_metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using findings::evidence_of;
using findings::Finding;
using findings::percent;
using findings::Severity;
namespace metric = findings::metric;

// The units that this device has for fewer digits, and how to use them. `plain`: whether products
// run in fp32 itself, so that TF32 is something to turn on.
std::string precision_advice(const PrecisionUnits& units, const Facts& facts, bool plain) {
  const VendorWords& words = facts.words;
  const std::string tf32 = units.tf32 && plain
                               ? "; or at least torch.set_float32_matmul_precision(\"high\") (TF32)"
                               : "";
  if (units.bf16) {
    return fmt::format(
               "with torch.autocast(\"{}\", dtype=torch.bfloat16): around the forward pass{}",
               words.autocast, facts.host.trains ? " and the loss" : "") +
           tf32;
  }
  return fmt::format(
      "with torch.autocast(\"{}\", dtype=torch.float16): around the forward pass{}; this device "
      "has "
      "no units for bfloat16{}",
      words.autocast, facts.host.trains ? " and the loss, and torch.amp.GradScaler" : "",
      words.vendor == Vendor::nvidia ? " or TF32" : "");
}

// Of the device's time, for a precision to be spoken of.
constexpr double kLeastTold = 0.02;

// A kernel that becomes f times as fast saves 1 - 1/f of its time.
double saved(double factor) {
  return 1 - 1 / factor;
}

// Of what is not measured but taken from what such kernels usually gain.
Severity severity_of_usual_gain(double high) {
  if (high >= 0.40) return Severity::medium;
  return high >= 0.05 ? Severity::low : Severity::info;
}

// "in fp32", "in TF32", or "in fp32 or TF32".
std::string_view precision_told(double plain, double tf32) {
  if (tf32 < kLeastTold) return "fp32";
  return plain < kLeastTold ? "TF32" : "fp32 or TF32";
}

// Whether fewer digits will do is not the trace's to say.
void precision_rule(const DeviceFacts& device, Findings& into) {
  const KernelFacts& kernels = device.kernels;
  const int64_t both = kernels.full_precision_ns + kernels.tf32_ns;
  const VendorWords& words = device.all.words;
  const PrecisionUnits units =
      precision_units(device.all.trace.device_info(device.time.id), words.vendor);
  if (kernels.total_ns <= 0 || !units.fp16) return;
  const double share = static_cast<double>(both) / static_cast<double>(kernels.total_ns);
  const double plain = device.share(kernels.full_precision_ns);
  const double tf32 = device.share(kernels.tf32_ns);
  if (share < 0.20 || plain + tf32 < 0.05) return;
  Finding finding = finding_of("trace.full-precision", device.name);
  if (!kernels.types_are_known) finding.status = findings::Status::suspected;
  set_gain(plain * saved(1.3) + tf32 * saved(1.1), plain * saved(3) + tf32 * saved(2), finding);
  finding.severity = severity_of_usual_gain(finding.gain->high);
  finding.evidence.push_back(evidence_of(metric::kFullPrecisionShare, share));
  finding.what =
      fmt::format("{} of the kernels' time on {} is in products and convolutions in {}{}",
                  percent(share), device.name, precision_told(plain, tf32),
                  kernels.types_are_known ? "" : ", by the kernels' names");
  finding.fix = precision_advice(units, device.all, plain >= kLeastTold);
  into.push_back(std::move(finding));
}

int64_t time_of_kernels(const Facts& facts) {
  int64_t sum = 0;
  for (const KernelFacts& kernels : facts.kernels) sum = base::capped_sum(sum, kernels.total_ns);
  return sum;
}

void dominant_rule(const Facts& facts, const attribution::Total& total, int64_t kernels_ns,
                   Findings& into) {
  const double share = static_cast<double>(total.self_ns) / static_cast<double>(kernels_ns);
  if (share <= 0.40) return;
  Finding finding = finding_of("trace.dominant-kernel", "");
  finding.evidence.push_back(evidence_of(metric::kKernelShare, share));
  finding.what = fmt::format("one kernel takes {} of the kernels' time: {} ({} {})", percent(share),
                             total.name, total.calls, total.calls == 1 ? "call" : "calls");
  const std::string_view profiler = facts.words.kernel_profiler;
  finding.fix =
      fmt::format("{}try another implementation",
                  profiler.empty() ? "" : fmt::format("profile it alone: {}, or ", profiler));
  into.push_back(std::move(finding));
}

void frequent_rule(const Facts& facts, const attribution::Total& total, int64_t kernels_ns,
                   Findings& into) {
  const auto steps = static_cast<int64_t>(facts.attribution.steps.size());
  const bool often = total.calls >= 1000 || (steps > 0 && total.calls >= 500 * steps);
  const double share = static_cast<double>(total.self_ns) / static_cast<double>(kernels_ns);
  const double mean_us = total.mean_ns() / 1e3;
  if (!often || mean_us >= 20 || share < 0.10) return;
  Finding finding = finding_of("trace.frequent-kernel", "");
  finding.severity = Severity::low;
  finding.evidence = {evidence_of(metric::kKernelCalls, static_cast<double>(total.calls)),
                      evidence_of(metric::kKernelShare, share)};
  finding.what =
      fmt::format("a kernel of {} us runs {} times and takes {} of the kernels' time: {}",
                  findings::three_digits(mean_us), total.calls, percent(share), total.name);
  finding.fix = "fuse it with its neighbours: torch.compile, optimizers with fused=True";
  into.push_back(std::move(finding));
}

}  // namespace

void kernel_rules(const DeviceFacts& device, Findings& into) {
  precision_rule(device, into);
  // Names are summed over the devices, and told of once.
  if (&device.time != device.all.attribution.devices.data()) return;
  const int64_t kernels_ns = time_of_kernels(device.all);
  if (kernels_ns <= 0) return;
  for (const attribution::Total& total : device.all.totals) {
    if (total.kind != trace::ActivityKind::kernel || total.communicates) continue;
    dominant_rule(device.all, total, kernels_ns, into);
    frequent_rule(device.all, total, kernels_ns, into);
  }
}

}  // namespace batchscope::advice

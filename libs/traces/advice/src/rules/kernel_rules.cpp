#include <fmt/format.h>

#include "batchscope/base/capped_sum.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using findings::evidence_of;
using findings::Finding;
using findings::Metric;
using findings::percent;
using findings::Severity;

constexpr Metric kFullPrecisionShare{
    "full_precision_share", "Share of the kernels' time in products and convolutions in fp32."};
constexpr Metric kKernelShare{"kernel_share", "Share of the kernels' time in this kernel."};
constexpr Metric kKernelCalls{"kernel_calls", "Number of calls of this kernel.", "calls"};

// The units that this device has for fewer digits, and how to use them. `plain`: whether products
// run in fp32 itself, so that TF32 is something to turn on.
std::string precision_advice(const PrecisionUnits& units, const TraceFacts& facts, bool plain) {
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
      "does not support bfloat16{}",
      words.autocast, facts.host.trains ? " and the loss, and torch.amp.GradScaler" : "",
      words.vendor == Vendor::nvidia ? " or TF32" : "");
}

// Of the device's time, for a precision to be spoken of.
constexpr double kLeastOfPrecision = 0.02;

// A kernel that becomes f times as fast saves 1 - 1/f of its time.
double saved(double factor) {
  return 1 - 1 / factor;
}

constexpr double kLowUsual = 0.05, kMediumUsual = 0.40;
// Times as fast as in fp32, and as in TF32: at least, and at most.
constexpr double kLeastOfPlain = 1.3, kMostOfPlain = 3, kLeastOfTf32 = 1.1, kMostOfTf32 = 2;

constexpr Kind kFullPrecision{
    Row("trace.full-precision", "Matrix products in fp32",
        Prose(
            "Matrix products and convolutions in fp32 take at least a fifth of the kernels' time, "
            "on a device with 16-bit units (NVIDIA: fp16 from compute capability 7.0, bfloat16 and "
            "TF32 from 8.0; AMD: gfx9 and later). If the trace has no operator types, the kernel "
            "names decide and the finding is only suspected. The gain assumes that such kernels "
            "become {} to {} times as fast ({} to {} times if they already use TF32).",
            kLeastOfPlain, kMostOfPlain, kLeastOfTf32, kMostOfTf32),
        "Use automatic mixed precision (torch.autocast, with bfloat16 if the device supports it), "
        "or at least TF32.",
        Prose(
            "low from a gain of {%}, medium from {%}: the gain is not measured, and results change",
            kLowUsual, kMediumUsual),
        metrics(&kFullPrecisionShare)),
    "compute products and convolutions in bfloat16"};

// Of what is not measured but taken from what such kernels usually gain.
Severity severity_of_usual_gain(double high) {
  if (high >= kMediumUsual) return Severity::medium;
  return high >= kLowUsual ? Severity::low : Severity::info;
}

// "in fp32", "in TF32", or "in fp32 or TF32".
std::string_view precision_text(double plain, double tf32) {
  if (tf32 < kLeastOfPrecision) return "fp32";
  return plain < kLeastOfPrecision ? "TF32" : "fp32 or TF32";
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
  Finding& finding = into.emplace_back(finding_of(kFullPrecision, device.name));
  if (!kernels.types_are_known) finding.status = findings::Status::suspected;
  set_gain(plain * saved(kLeastOfPlain) + tf32 * saved(kLeastOfTf32),
           plain * saved(kMostOfPlain) + tf32 * saved(kMostOfTf32), finding);
  finding.severity = severity_of_usual_gain(finding.gain->high);
  finding.evidence.push_back(evidence_of(kFullPrecisionShare, share));
  finding.what =
      fmt::format("{} of the kernels' time on {} is in matrix products and convolutions in {}{}",
                  percent(share), device.name, precision_text(plain, tf32),
                  kernels.types_are_known ? "" : ", judged by kernel names");
  finding.fix = precision_advice(units, device.all, plain >= kLeastOfPrecision);
}

int64_t time_of_kernels(const TraceFacts& facts) {
  int64_t sum = 0;
  for (const KernelFacts& kernels : facts.kernels) sum = base::capped_sum(sum, kernels.total_ns);
  return sum;
}

constexpr double kDominates = 0.40;

constexpr Kind kDominantKernel{
    Row("trace.dominant-kernel", "One kernel takes most of the time",
        Prose("One kernel takes more than {%} of the kernels' time.", kDominates),
        "Optimise this kernel first: another implementation (fused attention, another layout), "
        "other shapes, or a profile of this kernel.",
        "info", metrics(&kKernelShare))};

void dominant_rule(const TraceFacts& facts, const attribution::Total& total, int64_t kernels_ns,
                   Findings& into) {
  const double share = static_cast<double>(total.self_ns) / static_cast<double>(kernels_ns);
  if (share <= kDominates) return;
  Finding& finding = into.emplace_back(finding_of(kDominantKernel, ""));
  finding.evidence.push_back(evidence_of(kKernelShare, share));
  finding.what = fmt::format("one kernel takes {} of the kernels' time: {} ({} {})", percent(share),
                             total.name, total.calls, total.calls == 1 ? "call" : "calls");
  const std::string_view profiler = facts.words.kernel_profiler;
  finding.fix =
      fmt::format("{}use another implementation",
                  profiler.empty() ? "" : fmt::format("profile it alone ({}), or ", profiler));
}

constexpr int64_t kManyCalls = 1000, kManyAStep = 500;
constexpr double kShortUs = 20, kLeastOfKernels = 0.10;

constexpr Kind kFrequentKernel{
    Row("trace.frequent-kernel", "A short kernel is called very often",
        Prose("One kernel is called at least {} times (or {} times per step), takes under {} us "
              "per call, and at least {%} of the kernels' time.",
              kManyCalls, kManyAStep, kShortUs, kLeastOfKernels),
        "Fuse it with neighbouring kernels (a compiler, foreach or fused optimizers).", "low",
        metrics(&kKernelCalls, &kKernelShare)),
    "fuse it with neighbouring kernels: compile the full step"};

void frequent_rule(const TraceFacts& facts, const attribution::Total& total, int64_t kernels_ns,
                   Findings& into) {
  const auto steps = static_cast<int64_t>(facts.attribution.steps.size());
  const bool often = total.calls >= kManyCalls || (steps > 0 && total.calls >= kManyAStep * steps);
  const double share = static_cast<double>(total.self_ns) / static_cast<double>(kernels_ns);
  const double mean_us = total.mean_ns() / 1e3;
  if (!often || mean_us >= kShortUs || share < kLeastOfKernels) return;
  Finding& finding = into.emplace_back(finding_of(kFrequentKernel, ""));
  finding.evidence = {evidence_of(kKernelCalls, static_cast<double>(total.calls)),
                      evidence_of(kKernelShare, share)};
  finding.what =
      fmt::format("a kernel of {} us runs {} times and takes {} of the kernels' time: {}",
                  findings::three_digits(mean_us), total.calls, percent(share), total.name);
  finding.fix = "fuse it with neighbouring kernels: torch.compile, optimizers with fused=True";
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

std::vector<const Kind*> kernel_kinds() {
  return {&kFullPrecision, &kDominantKernel, &kFrequentKernel};
}

}  // namespace batchscope::advice

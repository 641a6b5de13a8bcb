#include <fmt/format.h>

#include "batchscope/base/capped_sum.hpp"
#include "batchscope/findings/trace_metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::Part;
using findings::evidence_of;
using findings::Finding;
using findings::percent;
namespace metric = findings::metric;

std::string megabytes(int64_t bytes) {
  return findings::three_digits(static_cast<double>(bytes) / 1e6) + " MB";
}

// The share of the time in which pageable copies keep the device busy, and nothing else does.
double pageable_share(const DeviceFacts& device) {
  const attribution::Spans exposed =
      times_of(device.time, [](Part part) { return part == Part::memcpy; });
  return device.share(attribution::overlap_ns(device.kernels.pageable_copies, exposed));
}

constexpr double kLeastPageable = 0.03;

// Only what is exposed is lost.
void pageable_rule(const DeviceFacts& device, double lost, Findings& into) {
  if (lost < kLeastPageable) return;
  const double share = device.share(length_ns(device.kernels.pageable_copies));
  Finding finding = finding_of("trace.pageable-copies", device.name);
  set_gain(lost * 0.4, lost, finding);
  finding.evidence.push_back(evidence_of(metric::kPageableCopies, share));
  finding.what = fmt::format(
      "{} copies {} from or to memory that is not pinned, for {} of its time, {} of it outside of "
      "kernels",
      device.name, megabytes(device.kernels.pageable_bytes), percent(share), percent(lost));
  finding.fix = "DataLoader(..., pin_memory=True) and batch.to(device, non_blocking=True)";
  into.push_back(std::move(finding));
}

// `pageable`: of the exposed share, what has a finding of its own.
void exposed_rule(const DeviceFacts& device, double pageable, Findings& into) {
  const double exposed = device.share(Part::memcpy);
  const bool apart = pageable >= kLeastPageable;
  const double left = exposed - (apart ? pageable : 0);
  if (left < 0.05) return;
  // A copy can hide at most behind the kernels that there are; beyond that, it has not to be made.
  const double hidden = std::min(left, device.share(Part::compute));
  const KernelFacts& facts = device.kernels;
  const int64_t bytes = base::capped_sum(facts.other_bytes, apart ? 0 : facts.pageable_bytes);
  Finding finding = finding_of("trace.exposed-copies", device.name);
  set_gain(hidden / 2, left, finding);
  finding.evidence.push_back(evidence_of(metric::kExposedMemcpy, exposed));
  finding.what =
      fmt::format("{} only copies for {} of its time, while no kernel runs ({} of {}copies in all)",
                  device.name, percent(left), megabytes(bytes), apart ? "other " : "");
  if (facts.other_copies.empty() && facts.pageable_copies.empty()) {
    finding.what = fmt::format("{} only sets memory for {} of its time, while no kernel runs",
                               device.name, percent(left));
    finding.fix =
        "optimizer.zero_grad(set_to_none=True), and torch.empty for what is written anyway";
    return into.push_back(std::move(finding));
  }
  finding.fix =
      "copy the next batch on a stream of its own while this one is computed (torch.cuda.Stream, "
      "non_blocking=True), copy less, or keep the data on the device";
  into.push_back(std::move(finding));
}

void communication_rule(const DeviceFacts& device, Findings& into) {
  const double share = device.share(Part::communication);
  if (share < 0.05) return;
  Finding finding = finding_of("trace.exposed-communication", device.name);
  set_gain(share / 4, share, finding);
  finding.evidence.push_back(evidence_of(metric::kExposedCommunication, share));
  finding.what = fmt::format(
      "{} only communicates for {} of its time; what part of it is waiting for slower devices one "
      "trace does not tell",
      device.name, percent(share));
  finding.fix =
      "overlap it with the backward pass (DDP buckets, FSDP prefetch), send bf16, and give the "
      "traces of all ranks to find stragglers";
  into.push_back(std::move(finding));
}

}  // namespace

void copy_rules(const DeviceFacts& device, Findings& into) {
  const double pageable = pageable_share(device);
  pageable_rule(device, pageable, into);
  exposed_rule(device, pageable, into);
  communication_rule(device, into);
}

}  // namespace batchscope::advice

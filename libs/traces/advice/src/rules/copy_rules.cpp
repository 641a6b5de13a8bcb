#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "batchscope/base/capped_sum.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::Part;
using findings::evidence_of;
using findings::Finding;
using findings::Metric;
using findings::percent;

constexpr Metric kExposedMemcpy{"exposed_memcpy",
                                "Share of the device's time with copies or memsets only."};
constexpr Metric kPageableCopies{
    "pageable_copies",
    "Copies from or to pageable (not pinned) memory, as a share of the device's time."};

std::string megabytes(int64_t bytes) {
  return findings::three_digits(static_cast<double>(bytes) / 1e6) + " MB";
}

const Copies& copies_of(const DeviceFacts& device, CopyKind kind) {
  return device.kernels.copies[static_cast<size_t>(kind)];
}

// The share of the time in which copies of that kind keep the device busy, and nothing else does.
double exposed_share(const DeviceFacts& device, CopyKind kind) {
  const attribution::Spans exposed =
      times_of(device.time, [](Part part) { return part == Part::memcpy; });
  return device.share(attribution::overlap_ns(copies_of(device, kind).spans, exposed));
}

// From here on, copies of a kind have a finding of their own.
constexpr double kLeastOwn = 0.03;
constexpr double kLeastExposed = 0.05;

constexpr Kind kPageable{
    Row("trace.pageable-copies", "Copies use memory that is not pinned",
        Prose("Copies between host and device use pageable host memory for at least {%} of the "
              "device's time, outside kernels. Such a copy needs a staging buffer and cannot "
              "overlap with kernels.",
              kLeastOwn),
        "Pin the memory: pin_memory=True for the loader, .pin_memory() for tensors, and "
        "non_blocking=True for the copy.",
        kByGain, metrics(&kPageableCopies)),
    "use pinned memory, copy before the step needs the data, and copy less", Part::memcpy};

constexpr Kind kExposed{
    Row("trace.exposed-copies", "Copies run while no kernel does",
        Prose("Copies and memsets without a running kernel take at least {%} of the device's time. "
              "The lower gain hides half of them behind kernels; the upper gain removes them all.",
              kLeastExposed),
        "Copy the next batch on a separate stream while the device computes this one. Copy less: "
        "use "
        "smaller types, or keep the data on the device.",
        kByGain, metrics(&kExposedMemcpy)),
    "copy the next batch while the device computes this one, copy less, or keep the data on the "
    "device",
    Part::memcpy};

constexpr Kind kDeviceCopies{
    Row("trace.device-copies", "Copies within a device or between devices",
        Prose("Copies within the device's memory, or between devices, take at least {%} of the "
              "time without a running kernel.",
              kLeastOwn),
        "Avoid copies within a device; copy between devices while kernels run.", kByGain,
        metrics(&kExposedMemcpy)),
    "avoid the copies: write results to their destination, or let the compiler fuse them",
    Part::memcpy};

std::string_view direction_text(const Copies& copies) {
  if (copies.bytes == 0) return "from or to";
  if (copies.to_host_bytes == 0) return "from";
  return copies.to_host_bytes == copies.bytes ? "to" : "from or to";
}

// By the direction that most of the bytes go in.
std::string pinning_advice(const Copies& copies) {
  if (copies.to_host_bytes > copies.bytes / 2) {
    return "copy into a reused pinned buffer: buffer.copy_(tensor, non_blocking=True) with buffer "
           "= torch.empty(..., pin_memory=True); call .cpu(), .numpy() and .item() only every few "
           "steps";
  }
  return "DataLoader(..., pin_memory=True) and batch.to(device, non_blocking=True)";
}

// Only what is exposed is lost.
void pageable_rule(const DeviceFacts& device, double lost, Findings& into) {
  const Copies& copies = copies_of(device, CopyKind::pageable);
  const double share = device.share(length_ns(copies.spans));
  Finding& finding = into.emplace_back(finding_of(kPageable, device.name));
  set_gain(lost * 0.4, lost, finding);
  finding.evidence.push_back(evidence_of(kPageableCopies, share));
  const bool all_exposed = percent(lost) == percent(share);
  finding.what = fmt::format(
      "{} copies {} {} memory that is not pinned, for {} of the time ({} without a running kernel)",
      device.name, megabytes(copies.bytes), direction_text(copies), percent(share),
      all_exposed ? "all of it" : percent(lost) + " of the time");
  finding.fix = pinning_advice(copies);
}

// A finding of copies during `lost`, the share of the time in which no kernel runs beside them.
// They gain half of `hidden` at least, what a kernel or leaving them out would hide, and `lost` at
// most.
void device_copies(const DeviceFacts& device, CopyKind kind, std::string_view where, double lost,
                   double hidden, std::string fix, Findings& into) {
  Finding& finding = into.emplace_back(finding_of(kDeviceCopies, device.name));
  set_gain(hidden / 2, lost, finding);
  finding.evidence.push_back(evidence_of(kExposedMemcpy, lost));
  finding.what =
      fmt::format("{} copies {} {}, for {} of the time without a running kernel", device.name,
                  megabytes(copies_of(device, kind).bytes), where, percent(lost));
  finding.fix = std::move(fix);
}

// No other stream hides such a copy: the best one is none.
void on_device_rule(const DeviceFacts& device, double lost, Findings& into) {
  device_copies(device, CopyKind::on_device, "within its memory", lost, lost,
                "avoid the copies of .clone(), .contiguous(), torch.cat and expand: write results "
                "to their destination (out=, slices of one tensor), or let torch.compile fuse them",
                into);
}

void between_devices_rule(const DeviceFacts& device, double lost, Findings& into) {
  device_copies(device, CopyKind::between_devices, "between devices", lost,
                std::min(lost, device.share(Part::compute)),
                "copy on a separate stream while a kernel runs, keep results on their device, and "
                "check that the devices connect directly (nvidia-smi topo -m)",
                into);
}

using CopyRule = void (*)(const DeviceFacts&, double, Findings&);
constexpr std::array<std::pair<CopyKind, CopyRule>, 3> kOwnRules{
    {{CopyKind::pageable, pageable_rule},
     {CopyKind::on_device, on_device_rule},
     {CopyKind::between_devices, between_devices_rule}}};

// One memset is none that is worth a change.
void memset_rule(const DeviceFacts& device, double left, Findings& into) {
  if (device.kernels.memsets < 2) return;
  Finding& finding = into.emplace_back(finding_of(kExposed, device.name));
  set_gain(left / 2, left, finding);
  finding.evidence.push_back(evidence_of(kExposedMemcpy, left));
  finding.what = fmt::format("{} only sets memory for {} of the time, without a running kernel",
                             device.name, percent(left));
  finding.fix = "torch.empty for tensors that are overwritten";
  if (device.all.host.trains) finding.fix += ", and optimizer.zero_grad(set_to_none=True)";
}

// `left`: of the exposed share, what has no finding of its own; likewise `bytes`.
void exposed_rule(const DeviceFacts& device, double left, int64_t bytes, bool has_others,
                  Findings& into) {
  // A copy can hide at most behind the kernels that there are; beyond that, it has not to be made.
  const double hidden = std::min(left, device.share(Part::compute));
  Finding& finding = into.emplace_back(finding_of(kExposed, device.name));
  set_gain(hidden / 2, left, finding);
  finding.evidence.push_back(evidence_of(kExposedMemcpy, device.share(Part::memcpy)));
  finding.what = fmt::format(
      "{} only copies for {} of the time, without a running kernel ({} of {}copies in total)",
      device.name, percent(left), megabytes(bytes), has_others ? "other " : "");
  finding.fix =
      "copy the next batch on a separate stream while the device computes this one "
      "(torch.cuda.Stream, "
      "non_blocking=True), copy less, or keep the data on the device";
}

void all_copies_rule(const DeviceFacts& device, Findings& into) {
  double left = device.share(Part::memcpy);
  int64_t bytes = copies_of(device, CopyKind::other).bytes;
  bool has_others = false;
  bool has_copies = !copies_of(device, CopyKind::other).spans.empty();
  for (const auto& [kind, rule] : kOwnRules) {
    const Copies& copies = copies_of(device, kind);
    const double lost = exposed_share(device, kind);
    has_copies = has_copies || !copies.spans.empty();
    if (lost < kLeastOwn) {
      bytes = base::capped_sum(bytes, copies.bytes);
      continue;
    }
    rule(device, lost, into);
    left -= lost;
    has_others = true;
  }
  if (left < kLeastExposed) return;
  if (!has_copies) return memset_rule(device, left, into);
  exposed_rule(device, left, bytes, has_others, into);
}

}  // namespace

void copy_rules(const DeviceFacts& device, Findings& into) {
  all_copies_rule(device, into);
}

std::vector<const Kind*> copy_kinds() {
  return {&kPageable, &kExposed, &kDeviceCopies};
}

}  // namespace batchscope::advice

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/findings/wording.hpp"
#include "idle_advice.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::IdleSite;
using attribution::Part;
using findings::evidence_of;
using findings::Finding;
using findings::Metric;
using findings::milliseconds_of;
using findings::percent;

constexpr Metric kLoadingIdle{"idle_data_loading",
                              "Share of the device's time idle while the host waited for data."};
constexpr Metric kSynchronisationIdle{
    "idle_synchronisation",
    "Share of the device's time idle because the host waited for the device."};
constexpr Metric kLaunchIdle{"idle_launch",
                             "Share of the device's time idle while the host launched kernels."};
constexpr Metric kHostIdle{"idle_host",
                           "Share of the device's time idle while the host did other work."};
constexpr Metric kMedianKernel{"median_kernel", "Median duration of a kernel.", "us"};
constexpr Metric kSmallLaunchShare{
    "small_launch_share", "Share of the kernels' time in launches too small for the device."};

// Below, it is not worth a line.
constexpr double kLeastIdleShare = 0.03;
constexpr double kShortKernelUs = 10;
constexpr double kMostlySmall = 0.5;

std::string surroundings(const IdleSite& place) {
  std::string text;
  if (!place.inside.empty()) text += " in " + place.inside;
  if (!place.source.empty()) text += (text.empty() ? " at " : ", ") + place.source;
  return text;
}

// What most of that time lies in: "; 95 % of that in or right after cudaStreamSynchronize, in 12
// gaps; the longest in aten::item, train.py(42)".
std::string where_most(const DeviceFacts& device, Part cause) {
  const auto& places = device.time.places;
  const auto most = std::find_if(places.begin(), places.end(),
                                 [&](const IdleSite& each) { return each.cause == cause; });
  const int64_t all = device.time.parts[cause];
  if (most == places.end() || most->ns < all / 5) return "";
  const double share = static_cast<double>(most->ns) / static_cast<double>(all);
  const std::string around = surroundings(*most);
  if (most->call.empty()) {
    return fmt::format("; {} of that without any record of the host", percent(share));
  }
  const char* const in = cause == Part::synchronisation ? "in or right after" : "in";
  if (most->gaps == 1 && most->calls > 1) {
    return fmt::format("; {} of that {} {} calls of {}, in one gap{}", percent(share), in,
                       most->calls, most->call, around);
  }
  if (most->gaps == 1) {
    return fmt::format("; {} of that {} one {}{}", percent(share), in, most->call, around);
  }
  return fmt::format("; {} of that {} {}, in {} gaps{}", percent(share), in, most->call, most->gaps,
                     around.empty() ? "" : "; the longest" + around);
}

constexpr Kind kDataLoading{
    Row("trace.data-loading", "The device waits for data",
        "The device was idle while its launching thread was in a data loader (PyTorch's "
        "DataLoader, tf.data, or a range of that name). Loader time with a busy device does not "
        "count.",
        "Give the loader workers that prefetch; move work out of the loader.", kByGain,
        metrics(&kLoadingIdle)),
    "prefetch several batches in other threads or processes", Part::data_loading};

constexpr Kind kSynchronisation{
    Row("trace.synchronisation", "Host and device wait for each other",
        "The device was idle while its launching thread was in a synchronising call "
        "(cudaStreamSynchronize, a pageable copy, cudaMalloc, cudaFree). Idle time while the "
        "thread launches again after such a call also counts, up to the length of the call. "
        "Waiting with a busy device does not count.",
        "Remove these calls from the loop: do not read values (.item(), .cpu(), print, a condition "
        "on a tensor) in every step.",
        kByGain, metrics(&kSynchronisationIdle)),
    "move calls that wait for the device out of the loop, or read results one step later",
    Part::synchronisation};

constexpr Kind kLaunchBound{
    Row("trace.launch-bound", "Kernels finish faster than the host launches them",
        "The device was idle while the host went from one operator to the next.",
        "Launch fewer, larger kernels: CUDA graphs, fusion by a compiler, a larger batch, fused "
        "optimizers.",
        kByGain, metrics(&kLaunchIdle)),
    "compile the step into one program, or use a larger batch", Part::launch};

constexpr Kind kSmallWork{
    Row("trace.small-batch", "The work is too small for the device",
        Prose("The device is launch-bound and its kernels are short (median under {} us). Most "
              "kernel time is in launches with fewer blocks than multiprocessors, or with an "
              "occupancy below a quarter. The gain is that of launch-bound and counts once.",
              kShortKernelUs),
        "Use a larger batch.", kByGain, metrics(&kLaunchIdle, &kMedianKernel, &kSmallLaunchShare))};

constexpr Kind kHostWork{
    Row("trace.host-work", "The device waits while the host does other work",
        "The device was idle while the host launched nothing for more than 100 us: Python, CPU "
        "operators, logging, or unrecorded work.",
        "Move that work to another thread or process, or do it while the device is busy.", kByGain,
        metrics(&kHostIdle)),
    "", Part::host};

struct IdleKind {
  const Kind& kind;
  std::string_view what;  // "{device} ... for {share} of its time"
};

constexpr IdleKind kIdleKinds[] = {
    {kDataLoading, "waits for data"},
    {kSynchronisation, "is idle after the host waited for the device,"},
    {kLaunchBound, "waits for kernel launches"},
    {kHostWork, "waits while the host does other work,"},
};

// Whether almost all of that time is one stretch: what happens once is how nothing goes on.
bool is_one_segment(const DeviceFacts& device, Part part) {
  int64_t longest = 0;
  for (const attribution::Piece& piece : device.time.pieces) {
    if (piece.part == part) longest = std::max(longest, piece.end_ns - piece.start_ns);
  }
  return 10 * longest > 9 * device.time.parts[part];
}

void idle_rule(const DeviceFacts& device, const IdleKind& row, Findings& into) {
  const Kind& kind = row.kind;
  const Part part = *kind.part;
  const double share = device.share(part);
  if (share < kLeastIdleShare) return;
  if (part == Part::launch && is_one_segment(device, part)) return;
  Finding& finding = into.emplace_back(finding_of(kind, device.name));
  set_gain(share / 2, share, finding);
  finding.evidence.push_back(evidence_of(*kind.evidence.front(), share));
  finding.what = fmt::format("{} {} for {} of the time ({} of {}){}", device.name, row.what,
                             percent(share), milliseconds_of(device.time.parts[part]),
                             milliseconds_of(device.time.wall_ns()), where_most(device, part));
  finding.fix = idle_advice(device, part);
}

// Short kernels alone are no fault, nor is a launch that does not fill the device: only together,
// and where the device idles for it, is the batch too small.
void small_batch_rule(const DeviceFacts& device, Findings& into) {
  const KernelFacts& kernels = device.kernels;
  const double idle = device.share(Part::launch);
  if (idle < 0.10 || kernels.median_us >= kShortKernelUs || kernels.known_ns <= 0) return;
  if (kernels.known_ns < kernels.total_ns / 2) return;  // of the others nobody knows
  const double small =
      static_cast<double>(kernels.small_ns) / static_cast<double>(kernels.known_ns);
  if (small < kMostlySmall) return;
  Finding& finding = into.emplace_back(finding_of(kSmallWork, device.name));
  set_gain(idle / 2, idle, finding);
  finding.evidence = {evidence_of(kLaunchIdle, idle), evidence_of(kMedianKernel, kernels.median_us),
                      evidence_of(kSmallLaunchShare, small)};
  finding.what = fmt::format(
      "the work is too small for {}: the median kernel takes {} us, {} of kernel time is in "
      "launches too small for the device, and it waits for launches {} of the time",
      device.name, findings::three_digits(kernels.median_us), percent(small), percent(idle));
  finding.fix =
      "use a larger batch (find it with batchscope tune); the gain is the same as for launch-bound";
}

}  // namespace

void idle_rules(const DeviceFacts& device, Findings& into) {
  for (const IdleKind& row : kIdleKinds) idle_rule(device, row, into);
  small_batch_rule(device, into);
}

std::vector<const Kind*> idle_kinds() {
  return {&kDataLoading, &kSynchronisation, &kLaunchBound, &kSmallWork, &kHostWork};
}

}  // namespace batchscope::advice

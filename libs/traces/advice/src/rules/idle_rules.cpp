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

constexpr Metric kLoadingIdle{
    "idle_data_loading",
    "Share of the device's time in which it did nothing and the host waited for data."};
constexpr Metric kSynchronisationIdle{
    "idle_synchronisation",
    "Share of the device's time in which it did nothing because the host waited for it."};
constexpr Metric kLaunchIdle{
    "idle_launch", "Share of the device's time in which it did nothing and the host launched."};
constexpr Metric kHostIdle{
    "idle_host",
    "Share of the device's time in which it did nothing and the host did something else."};
constexpr Metric kMedianKernel{"median_kernel", "Median duration of a kernel.", "us"};
constexpr Metric kSmallLaunchShare{
    "small_launch_share", "Share of the kernels' time in launches that cannot fill the device."};

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
    return fmt::format("; for {} of that nothing was recorded on the host", percent(share));
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
        "The device did nothing while the thread that starts its work was inside of a data loader "
        "(PyTorch's DataLoader, tf.data, or a range named so). Time in the loader while the device "
        "is busy does not count.",
        "Give the loader workers, and let them work ahead; move work out of the loader.", kByGain,
        metrics(&kLoadingIdle)),
    "load ahead in other threads or processes, several batches at a time", Part::data_loading};

constexpr Kind kSynchronisation{
    Row("trace.synchronisation", "The host waits for the device, and then the device for the host",
        "The device did nothing while the thread that starts its work was in a call that returns "
        "once the device got somewhere (cudaStreamSynchronize, a copy from or to memory that is "
        "not pinned, cudaMalloc, cudaFree), or while it launched again what it could have launched "
        "during such a call: idle time of launching counts here up to the length of the wait "
        "before it. Waiting while the device is busy does not count.",
        "Take the calls named out of the loop: do not read values (.item(), .cpu(), print, a "
        "condition on a tensor) in every step.",
        kByGain, metrics(&kSynchronisationIdle)),
    "take out of the loop what waits for the device, or read results a step later",
    Part::synchronisation};

constexpr Kind kLaunchBound{
    Row("trace.launch-bound", "Kernels finish faster than the host launches them",
        "The device did nothing while the host was going from one operator to the next.",
        "Launch fewer, larger kernels: CUDA graphs, fusion by a compiler, a larger batch, fused "
        "optimizers.",
        kByGain, metrics(&kLaunchIdle)),
    "compile what is launched one by one into one program, or use a larger batch", Part::launch};

constexpr Kind kSmallWork{
    Row("trace.small-batch", "The work is too small for the device",
        Prose("The device is launch-bound, its kernels are short (half of them under {} us), and "
              "most of their time is spent in launches with fewer blocks than the device has "
              "multiprocessors, or at an occupancy under a quarter. Together with launch-bound: "
              "the gain is the same, and counts once.",
              kShortKernelUs),
        "Use a larger batch.", kByGain, metrics(&kLaunchIdle, &kMedianKernel, &kSmallLaunchShare))};

constexpr Kind kHostWork{
    Row("trace.host-work", "The device waits for work of the host",
        "The device did nothing while the host did something that launches nothing, for more than "
        "100 us at a time: Python, operators on the CPU, logging, or what was not recorded.",
        "Move that work to another thread or process, or do it while the device is busy.", kByGain,
        metrics(&kHostIdle)),
    "", Part::host};

struct IdleKind {
  const Kind& kind;
  std::string_view what;  // "{device} ... for {share} of its time"
};

constexpr IdleKind kIdleKinds[] = {
    {kDataLoading, "waits for data"},
    {kSynchronisation, "is idle because the host waited for it"},
    {kLaunchBound, "waits for kernels to be launched"},
    {kHostWork, "waits for the host, which does other work,"},
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
  finding.what = fmt::format("{} {} for {} of its time ({} of {}){}", device.name, row.what,
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
      "the work is too small for {}: half of the kernels take at most {} us, {} of their time is "
      "in "
      "launches that cannot fill it, and it waits for launches {} of its time",
      device.name, findings::three_digits(kernels.median_us), percent(small), percent(idle));
  finding.fix =
      "a larger batch: find it with batchscope tune; the gain is that of launch-bound, not "
      "one more";
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

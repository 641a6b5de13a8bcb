#include <fmt/format.h>

#include <algorithm>

#include "batchscope/findings/trace_metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "idle_advice.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::Part;
using attribution::Place;
using findings::evidence_of;
using findings::Finding;
using findings::milliseconds_of;
using findings::percent;
namespace metric = findings::metric;

// Below, it is not worth a line.
constexpr double kLeastIdleShare = 0.03;
constexpr double kShortKernelUs = 10;
constexpr double kMostlySmall = 0.5;

std::string surroundings(const Place& place) {
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
                                 [&](const Place& each) { return each.cause == cause; });
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

struct IdleKind {
  Part part;
  std::string_view id;
  findings::Metric metric;
  std::string_view what;  // "{device} ... for {share} of its time"
};

const IdleKind kIdleKinds[] = {
    {Part::data_loading, "trace.data-loading", metric::kLoadingIdle, "waits for data"},
    {Part::synchronisation, "trace.synchronisation", metric::kSynchronisationIdle,
     "is idle because the host waited for it"},
    {Part::launch, "trace.launch-bound", metric::kLaunchIdle, "waits for kernels to be launched"},
    {Part::host, "trace.host-work", metric::kHostIdle,
     "waits for the host, which does other work,"},
};

// Whether almost all of that time is one stretch: what happens once is how nothing goes on.
bool is_one_stretch(const DeviceFacts& device, Part part) {
  int64_t longest = 0;
  for (const attribution::Piece& piece : device.time.pieces) {
    if (piece.part == part) longest = std::max(longest, piece.end_ns - piece.start_ns);
  }
  return 10 * longest > 9 * device.time.parts[part];
}

void idle_rule(const DeviceFacts& device, const IdleKind& kind, Findings& into) {
  const double share = device.share(kind.part);
  if (share < kLeastIdleShare) return;
  if (kind.part == Part::launch && is_one_stretch(device, kind.part)) return;
  Finding finding = finding_of(kind.id, device.name);
  set_gain(share / 2, share, finding);
  finding.evidence.push_back(evidence_of(kind.metric, share));
  finding.what = fmt::format("{} {} for {} of its time ({} of {}){}", device.name, kind.what,
                             percent(share), milliseconds_of(device.time.parts[kind.part]),
                             milliseconds_of(device.time.wall_ns()), where_most(device, kind.part));
  finding.fix = idle_advice(device, kind.part);
  into.push_back(std::move(finding));
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
  Finding finding = finding_of("trace.small-batch", device.name);
  set_gain(idle / 2, idle, finding);
  finding.evidence = {evidence_of(metric::kLaunchIdle, idle),
                      evidence_of(metric::kMedianKernel, kernels.median_us),
                      evidence_of(metric::kSmallLaunchShare, small)};
  finding.what = fmt::format(
      "the work is too small for {}: half of the kernels take at most {} us, {} of their time is "
      "in "
      "launches that cannot fill it, and it waits for launches {} of its time",
      device.name, findings::three_digits(kernels.median_us), percent(small), percent(idle));
  finding.fix =
      "a larger batch: find it with batchscope tune; the gain is that of launch-bound, not "
      "one more";
  into.push_back(std::move(finding));
}

}  // namespace

void idle_rules(const DeviceFacts& device, Findings& into) {
  for (const IdleKind& kind : kIdleKinds) idle_rule(device, kind, into);
  small_batch_rule(device, into);
}

}  // namespace batchscope::advice

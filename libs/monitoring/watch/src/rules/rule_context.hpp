#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/watch/targets.hpp"
#include "tracking/finding_tracker.hpp"
#include "tracking/metrics.hpp"
#include "tracking/rule_hit.hpp"
#include "window/window.hpp"

namespace batchscope::watch {

// What all rules look at.
struct RuleContext {
  const Window& window;
  // The same without the time in which a loop makes no steps: what says how well it uses its GPUs.
  const Window& at_steps;
  const Targets& targets;
  int64_t event_ns = 0;           // for so long an event is told
  bool has_trained = false;       // in all of the window: it is no job that begins
  const FindingTracker& tracker;  // so far

  // It then needs less to go on.
  bool is_active(const Kind& kind, const std::string& place) const {
    return tracker.is_active(kind.id, place);
  }

  // Whether a value is so in most of the window's buckets; unknown: it is not.
  bool mostly(const std::optional<double>& share, const Kind& kind, const std::string& place) const;
  // A threshold from above, for what is to be over it; lower by a tenth where the finding stands.
  double over(double threshold, const Kind& kind, const std::string& place) const;
  // For what is to be under it; higher by a tenth.
  double under(double threshold, const Kind& kind, const std::string& place) const;
  bool is_recent(const Event& event) const;
  // What a rule looks at that asks how well the loop uses its GPUs.
  RuleContext of_steps() const {
    return {at_steps, at_steps, targets, event_ns, has_trained, tracker};
  }
};

// Whether a share of the window's buckets is most of them; fewer where a finding stands already.
bool are_most(const std::optional<double>& share, bool is_active);
// "GPU 0", "GPU 0, slice 1".
std::string name_of(const GpuState& gpu);
// Somebody has it: processes, memory beyond the driver's own, or work.
bool is_used(const GpuState& gpu);
// It was at work while steps were told.
bool trained(const GpuState& gpu);
// Not where another GPU is held by what is watched, or none is and nobody tells of a training: in a
// container the driver's numbers of processes may be of another name space. Nor where no program is
// seen on it, on others some are, and little of its memory is in use: it draws a screen.
bool may_be_of_the_job(const GpuState& gpu, const RuleContext& facts);
// Up, and seen for a whole window, most of which is looked at.
bool is_judged(const GpuState& gpu);

RuleHit on_gpu(const Kind& kind, const GpuState& gpu, const RuleContext& facts);
RuleHit on_process(const Kind& kind, const ProcessState& process, const RuleContext& facts);
RuleHit on_machine(const Kind& kind, const RuleContext& facts);

// The mean of shares over the window, with its 95 % interval over the buckets where there are
// enough.
findings::Estimate estimate_of(const std::vector<double>& bucket_means);
template <class Bucket, class Value>
findings::Estimate estimate(const Recent<Bucket>& recent, Value value) {
  return estimate_of(recent.means(value));
}

}  // namespace batchscope::watch

#include <fmt/format.h>

#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::Severity;

constexpr findings::Metric kReplays{"pcie_replays", "Packets that PCIe sent again.", "per minute"};
constexpr double kTimesMany = 10;

constexpr double many_replays(const Targets& by) {
  return kTimesMany * by.replays_a_minute;
}

constexpr Kind kPcieLink{
    Row("monitor.pcie-link", "A PCIe link became slower",
        Prose("While the GPU is busy, its link runs at {%} or less of its best rate: fewer lanes, "
              "or a lower generation. An idle GPU does not count.",
              &Targets::link_share),
        "Restart the machine; reseat the card or its riser.", "medium",
        metrics(&metric::kLinkShare)),
    120, Role::none, ids("monitor.low-use", "monitor.synchronisation", "monitor.straggler")};

constexpr Kind kPcieReplays{
    Row("monitor.pcie-replays", "PCIe sends packets again",
        Prose("At least {} packets per minute: the link has errors, which cost time.",
              &Targets::replays_a_minute),
        "Reseat the card or its riser.", Prose("low; medium from {} per minute", many_replays),
        metrics(&kReplays)),
    230};

// Readings of an idle GPU are not among these: it saves power at a lower rate.
void rate_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  if (gpu.best_link_rate <= 0) return;
  const double limit = facts.under(facts.targets.link_share, kPcieLink, gpu.key);
  const auto low = gpu.recent.share(GpuValue::link_rate,
                                    [&](double rate) { return rate < limit * gpu.best_link_rate; });
  if (!facts.mostly(low, kPcieLink, gpu.key)) return;
  const double share = gpu.recent.over(GpuValue::link_rate).mean() / gpu.best_link_rate;
  RuleHit& candidate = into.emplace_back(on_gpu(kPcieLink, gpu, facts));
  candidate.finding.what =
      fmt::format("The PCIe link of {} runs at {} of its best rate while the GPU is busy",
                  name_of(gpu), findings::percent(share));
  candidate.finding.fix =
      "administrator: restart the machine; if that does not help, reseat the card or its riser, "
      "and check the kernel's log for errors (dmesg | grep -i aer)";
  candidate.finding.evidence.push_back(evidence_of(metric::kLinkShare, share));
}

void replay_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  const int64_t replays = gpu.recent.total([](const GpuBucket& each) { return each.replays; });
  const double a_minute = static_cast<double>(replays) * 60 / facts.window.seconds();
  if (a_minute < facts.over(facts.targets.replays_a_minute, kPcieReplays, gpu.key)) return;
  RuleHit& candidate = into.emplace_back(on_gpu(kPcieReplays, gpu, facts));
  const bool many = a_minute >= many_replays(facts.targets);
  candidate.finding.severity = many ? Severity::medium : Severity::low;
  candidate.finding.what =
      fmt::format("The PCIe link of {} has errors: it sends {} packets per minute again",
                  name_of(gpu), findings::three_digits(a_minute));
  candidate.finding.fix =
      "administrator: reseat the card or its riser; until then, set a slower PCIe generation in "
      "the BIOS";
  candidate.finding.evidence.push_back(evidence_of(kReplays, a_minute));
}

void look_at_links(const RuleContext& facts, RuleHits& into) {
  for (const GpuState& gpu : facts.window.gpus()) {
    if (!is_judged(gpu)) continue;
    rate_rule(gpu, facts, into);
    replay_rule(gpu, facts, into);
  }
}

}  // namespace

Rules link_rules() {
  return {look_at_links, {&kPcieLink, &kPcieReplays}};
}

}  // namespace batchscope::watch

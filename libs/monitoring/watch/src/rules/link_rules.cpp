#include <fmt/format.h>

#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::Severity;

constexpr findings::Metric kReplays{"pcie_replays", "a minute",
                                    "Packets that were sent again over PCIe."};
constexpr double kTimesMany = 10;

constexpr Kind kPcieLink{
    {"monitor.pcie-link",
     "A PCIe link is slower than it was",
     [](const Targets& by) {
       return fmt::format(
           "While the GPU is busy, the link has fewer lanes or a lower generation than the best "
           "that was seen: at most {} of its rate. An idle GPU's does not count.",
           base::format_level(by.link_share));
     },
     "Restart the machine; reseat the card or its riser.",
     "medium",
     {&metric::kLinkShare}},
    120,
    Role::none,
    {"monitor.low-use", "monitor.synchronisation", "monitor.straggler"}};

constexpr Kind kPcieReplays{
    {"monitor.pcie-replays",
     "Packets are sent again over PCIe",
     [](const Targets& by) {
       return fmt::format("At least {:g} a minute: the link has errors, which cost time.",
                          by.replays_a_minute);
     },
     "Reseat the card or its riser.",
     [](const Targets& by) {
       return fmt::format("low; medium from {:g} a minute", kTimesMany * by.replays_a_minute);
     },
     {&kReplays}},
    230};

// Readings of an idle GPU are not among these: it saves power at a lower rate.
void rate_rule(const GpuState& gpu, const Facts& facts, Candidates& into) {
  if (gpu.best_link_rate <= 0) return;
  const double limit = facts.under(facts.targets.link_share, kPcieLink, gpu.key);
  const auto low = gpu.recent.share(GpuValue::link_rate,
                                    [&](double rate) { return rate < limit * gpu.best_link_rate; });
  if (!facts.mostly(low, kPcieLink, gpu.key)) return;
  const double share = gpu.recent.over(GpuValue::link_rate).mean() / gpu.best_link_rate;
  Candidate candidate = on_gpu(kPcieLink, gpu, facts);
  candidate.finding.severity = Severity::medium;
  candidate.finding.what =
      fmt::format("The PCIe link of {} runs at {} of the rate that it had, while the GPU is busy",
                  name_of(gpu), findings::percent(share));
  candidate.finding.fix =
      "the administrator: restart the machine; if it stays so, reseat the card or its riser and "
      "look for errors in the kernel's log (dmesg | grep -i aer)";
  candidate.finding.evidence.push_back(evidence_of(metric::kLinkShare, share));
  into.push_back(std::move(candidate));
}

void replay_rule(const GpuState& gpu, const Facts& facts, Candidates& into) {
  const int64_t replays = gpu.recent.total([](const GpuBucket& each) { return each.replays; });
  const double a_minute = static_cast<double>(replays) * 60 / facts.window.seconds();
  if (a_minute < facts.over(facts.targets.replays_a_minute, kPcieReplays, gpu.key)) return;
  Candidate candidate = on_gpu(kPcieReplays, gpu, facts);
  const bool many = a_minute >= kTimesMany * facts.targets.replays_a_minute;
  candidate.finding.severity = many ? Severity::medium : Severity::low;
  candidate.finding.what = fmt::format("{} sends {} packets a minute again over PCIe", name_of(gpu),
                                       findings::three_digits(a_minute));
  candidate.finding.fix =
      "the administrator: reseat the card or its riser; a slower generation set in the BIOS "
      "helps until then";
  candidate.finding.evidence.push_back(evidence_of(kReplays, a_minute));
  into.push_back(std::move(candidate));
}

void look_at_links(const Facts& facts, Candidates& into) {
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

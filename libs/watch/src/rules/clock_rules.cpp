#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/monitor_metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "facts.hpp"
#include "standing/kinds.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::percent;
using findings::Severity;
namespace metric = findings::metric;

struct Braked {
  double share = 0;            // of the window
  std::optional<double> lost;  // of the speed, at most
};

Braked braked(const GpuState& gpu, Brake brake) {
  const auto covered = gpu.recent.total([](const GpuBucket& each) { return each.covered_ns; });
  const auto held = gpu.recent.total(
      [&](const GpuBucket& each) { return each.braked_ns[static_cast<std::size_t>(brake)]; });
  if (covered <= 0) return {};
  Braked found;
  found.share = std::min(1.0, static_cast<double>(held) / static_cast<double>(covered));
  const Cell clock = gpu.recent.over(GpuValue::clock_share);
  if (clock.known()) found.lost = std::min(found.share, std::max(0.0, 1 - clock.mean()));
  return found;
}

std::string cost_in_words(const Braked& found) {
  constexpr double kSeen = 0.005;
  if (!found.lost) return "";
  if (*found.lost < kSeen) return ", at no cost that is seen";
  return fmt::format(", which costs up to {} of its speed", percent(*found.lost));
}

void add_evidence(const Braked& found, const GpuState& gpu, findings::Finding& finding) {
  finding.evidence.push_back(evidence_of(metric::kBrakedShare, found.share));
  if (found.lost) finding.evidence.push_back(evidence_of(metric::kClockLost, *found.lost));
  if (!gpu.recent.over(GpuValue::temperature).known()) return;
  finding.evidence.push_back(
      evidence_of(metric::kTemperature, estimate(gpu.recent, GpuValue::temperature)));
}

void thermal_rule(const GpuState& gpu, const Facts& facts, Candidates& into) {
  const Braked found = braked(gpu, Brake::thermal);
  if (found.share < facts.over(facts.targets.thermal_share, kind::kThermal, gpu.key)) return;
  Candidate candidate = on_gpu(kind::kThermal, gpu, facts);
  candidate.finding.severity =
      std::max(Severity::low, findings::severity_of_excess(found.lost.value_or(0)));
  candidate.finding.what = fmt::format("{} slows down because of heat for {} of the time{}",
                                       name_of(gpu), percent(found.share), cost_in_words(found));
  candidate.finding.fix =
      "the administrator: check fans, dust, airflow and the room's temperature; until then a "
      "lower power limit (nvidia-smi -pl) costs less than throttling does";
  add_evidence(found, gpu, candidate.finding);
  into.push_back(std::move(candidate));
}

void hardware_rule(const GpuState& gpu, const Facts& facts, Candidates& into) {
  const Braked found = braked(gpu, Brake::hardware);
  if (found.share < facts.over(facts.targets.hardware_share, kind::kHardwareSlowdown, gpu.key)) {
    return;
  }
  Candidate candidate = on_gpu(kind::kHardwareSlowdown, gpu, facts);
  candidate.finding.severity =
      std::max(Severity::medium, findings::severity_of_excess(found.lost.value_or(0)));
  candidate.finding.what =
      fmt::format("The hardware slows {} down for {} of the time{}: power supply or heat",
                  name_of(gpu), percent(found.share), cost_in_words(found));
  candidate.finding.fix =
      "the administrator: check the power cables and supplies, then cooling (nvidia-smi -q -d "
      "PERFORMANCE names the reason)";
  add_evidence(found, gpu, candidate.finding);
  into.push_back(std::move(candidate));
}

// Large cards reach their limit at full load: that alone is no fault.
Severity severity_of_cap(const Braked& found) {
  constexpr double kCosts = 0.25, kCostsMuch = 0.40;
  const double lost = found.lost.value_or(0);
  if (lost >= kCostsMuch) return Severity::medium;
  return lost >= kCosts ? Severity::low : Severity::info;
}

void power_rule(const GpuState& gpu, const Facts& facts, Candidates& into) {
  const Braked found = braked(gpu, Brake::power_cap);
  if (found.share < facts.over(facts.targets.power_cap_share, kind::kPowerCap, gpu.key)) return;
  Candidate candidate = on_gpu(kind::kPowerCap, gpu, facts);
  candidate.finding.severity = severity_of_cap(found);
  const bool usual = candidate.finding.severity == Severity::info;
  candidate.finding.what =
      fmt::format("{} is at its power limit for {} of the time{}{}", name_of(gpu),
                  percent(found.share), cost_in_words(found), usual ? "; usual at full load" : "");
  candidate.finding.fix =
      usual ? "nothing, unless the limit was lowered (nvidia-smi -q -d POWER)"
            : "raise the power limit where the machine allows it (nvidia-smi -pl)";
  add_evidence(found, gpu, candidate.finding);
  into.push_back(std::move(candidate));
}

}  // namespace

void clock_rules(const Facts& facts, Candidates& into) {
  for (const GpuState& gpu : facts.window.gpus()) {
    if (!is_judged(gpu)) continue;
    thermal_rule(gpu, facts, into);
    hardware_rule(gpu, facts, into);
    power_rule(gpu, facts, into);
  }
}

}  // namespace batchscope::watch

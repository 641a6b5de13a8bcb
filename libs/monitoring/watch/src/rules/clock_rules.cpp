#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::Metric;
using findings::percent;
using findings::Severity;

constexpr Metric kClockShare{"clock_share",
                             "SM clock while busy, as a share of the highest clock."};
constexpr Metric kTemperature{"temperature", "Mean temperature of the GPU.", "celsius"};
constexpr Metric kBrakedShare{"throttled_share", "Share of the window with a throttled clock."};
constexpr Metric kClockLost{
    "clock_lost", "Largest possible loss of speed: 1 - clock_share, for the throttled time."};

// Of the speed, lost at a power limit.
constexpr double kCapCosts = 0.25;

constexpr Kind kHardwareSlowdown{
    Row("monitor.hardware-slowdown", "The hardware throttles a GPU",
        Prose("The hardware itself throttled the clock for at least {%} of the window: an external "
              "power brake, or heat beyond the usual limit.",
              &Targets::hardware_share),
        "Check power cables and supplies, then cooling.",
        Prose("medium; high if it costs more than {%} of the speed", findings::kHighExcess),
        metrics(&kClockShare, &kTemperature, &kBrakedShare, &kClockLost)),
    60, Role::none,
    ids("monitor.straggler", "monitor.power-cap", "monitor.low-use", "monitor.small-batch"),
    ids("monitor.small-batch", "monitor.synchronisation", "monitor.low-use", "monitor.straggler")};

constexpr Kind kThermal{
    Row("monitor.thermal", "A GPU is too hot and slows down",
        Prose("Heat throttled the clock for at least {%} of the window. The cost is at most the "
              "throttled time, and at most the gap between the mean clock and the highest.",
              &Targets::thermal_share),
        "Check fans, dust, airflow and the room. Until then, lower the power limit.",
        Prose("low; medium above {%}, high above {%} of the speed", findings::kMediumExcess,
              findings::kHighExcess),
        kHardwareSlowdown.evidence),
    80, Role::none, kHardwareSlowdown.explains_here, kHardwareSlowdown.explains_elsewhere};

constexpr Kind kPowerCap{
    Row("monitor.power-cap", "A GPU is at its power limit",
        Prose("The power limit throttled the clock for at least {%} of the window. This is normal "
              "at full load; small cards then run at half of their highest clock.",
              &Targets::power_cap_share),
        "Nothing, unless somebody lowered the limit: then raise it.",
        Prose("info; low if it costs at least {%} of the clock", kCapCosts),
        kHardwareSlowdown.evidence),
    270};

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
  if (*found.lost < kSeen) return ", without a measurable cost";
  return fmt::format(", which costs up to {} of its speed", percent(*found.lost));
}

// Cards reach their limit at full load, small ones at half of their highest clock: that alone is no
// fault. Whether somebody lowered it nobody says.
Severity severity_of_cap(const Braked& found) {
  return found.lost.value_or(0) >= kCapCosts ? Severity::low : Severity::info;
}

using Tell = void (*)(const std::string& gpu, const Braked& found, findings::Finding& finding);

// As `tell` says it of the window, and in the end of all the time.
RuleHit reported_by(Tell tell, const Kind& kind, const GpuState& gpu, const Braked& found,
                    const RuleContext& facts) {
  RuleHit candidate = on_gpu(kind, gpu, facts);
  findings::Finding bare = candidate.finding;
  if (gpu.recent.over(GpuValue::temperature).known()) {
    bare.evidence.push_back(evidence_of(kTemperature, estimate(gpu.recent, GpuValue::temperature)));
  }
  std::vector<double> shares{found.share};
  if (found.lost) shares.push_back(*found.lost);
  const auto reported = [bare, tell, gpu = name_of(gpu)](std::span<const double> of_time) {
    const Braked braked{of_time[0], of_time.size() > 1 ? std::optional(of_time[1]) : std::nullopt};
    findings::Finding finding = bare;
    tell(gpu, braked, finding);
    if (braked.lost) {
      finding.evidence.insert(finding.evidence.begin(), evidence_of(kClockLost, *braked.lost));
    }
    finding.evidence.insert(finding.evidence.begin(), evidence_of(kBrakedShare, braked.share));
    return finding;
  };
  candidate.tell_with(std::move(shares), reported);
  return candidate;
}

void tell_of_heat(const std::string& gpu, const Braked& found, findings::Finding& finding) {
  finding.severity = std::max(Severity::low, findings::severity_of_excess(found.lost.value_or(0)));
  finding.what = fmt::format("{} is too hot: heat throttles its clock {} of the time{}", gpu,
                             percent(found.share), cost_in_words(found));
  finding.fix =
      "administrator: check fans, dust, airflow and the room's temperature; until then, lower the "
      "power limit (nvidia-smi -pl), which costs less than throttling";
}

void tell_of_hardware(const std::string& gpu, const Braked& found, findings::Finding& finding) {
  finding.severity =
      std::max(Severity::medium, findings::severity_of_excess(found.lost.value_or(0)));
  finding.what = fmt::format("The hardware throttles {} {} of the time{}: power supply or heat",
                             gpu, percent(found.share), cost_in_words(found));
  finding.fix =
      "administrator: check the power cables and supplies, then the cooling (nvidia-smi -q -d "
      "PERFORMANCE names the reason)";
}

void tell_of_power(const std::string& gpu, const Braked& found, findings::Finding& finding) {
  finding.severity = severity_of_cap(found);
  const bool usual = finding.severity == Severity::info;
  finding.what =
      fmt::format("{} is at its power limit {} of the time{}{}", gpu, percent(found.share),
                  cost_in_words(found), usual ? "; this is normal at full load" : "");
  finding.fix = usual ? "do nothing, unless somebody lowered the limit (nvidia-smi -q -d POWER)"
                      : "this is normal for small cards at full load; if somebody lowered the "
                        "limit (nvidia-smi -q -d POWER), raise it (nvidia-smi -pl)";
}

void brake_rule(Brake brake, const Kind& kind, double least_share, Tell tell, const GpuState& gpu,
                const RuleContext& facts, RuleHits& into) {
  const Braked found = braked(gpu, brake);
  if (found.share < facts.over(least_share, kind, gpu.key)) return;
  into.push_back(reported_by(tell, kind, gpu, found, facts));
}

void look_at_clocks(const RuleContext& facts, RuleHits& into) {
  for (const GpuState& gpu : facts.window.gpus()) {
    if (!is_judged(gpu)) continue;
    const Targets& targets = facts.targets;
    brake_rule(Brake::thermal, kThermal, targets.thermal_share, tell_of_heat, gpu, facts, into);
    brake_rule(Brake::hardware, kHardwareSlowdown, targets.hardware_share, tell_of_hardware, gpu,
               facts, into);
    brake_rule(Brake::power_cap, kPowerCap, targets.power_cap_share, tell_of_power, gpu, facts,
               into);
  }
}

}  // namespace

Rules clock_rules() {
  return {look_at_clocks, {&kHardwareSlowdown, &kThermal, &kPowerCap}};
}

}  // namespace batchscope::watch

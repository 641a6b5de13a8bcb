#include <fmt/format.h>

#include <algorithm>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/attribution/launching_operators.hpp"
#include "batchscope/base/capped_sum.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules/rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::Attribution;
using attribution::DeviceTime;
using attribution::Total;
using findings::Finding;
using findings::percent;
using findings::Severity;

constexpr findings::Metric kDeviceBusy{"device_busy", "Share of the device's time busy."};

constexpr double kHealthyBusy = 0.90;

constexpr Kind kHealthy{Row(
    "trace.healthy", "The device is busy",
    Prose("The device is busy at least {%} of the time, and no finding would gain {%} of the time.",
          kHealthyBusy, kMediumGain),
    "Optimise the kernels that take most of the time.", "info", metrics(&kDeviceBusy))};

std::string name_of(const TraceFacts& facts, int64_t device) {
  const trace::DeviceInfo* const info = facts.trace.device_info(device);
  const std::string_view word = facts.words.device;
  if (info == nullptr || info->name.empty()) return fmt::format("{} {}", word, device);
  return fmt::format("{} {} ({})", word, device, info->name);
}

bool worse(const Finding& a, const Finding& b) {
  if (a.severity != b.severity) return a.severity > b.severity;
  const double first = a.gain ? a.gain->high : 0;
  const double second = b.gain ? b.gain->high : 0;
  return first > second;
}

void add_healthy(const TraceFacts& facts, std::vector<Finding>& into) {
  const bool ill = std::any_of(into.begin(), into.end(), [](const Finding& finding) {
    return finding.severity >= Severity::medium ||
           (finding.gain && finding.gain->high >= kMediumGain);
  });
  if (ill || facts.attribution.devices.empty()) return;
  double least = 1;
  for (const DeviceTime& device : facts.attribution.devices) {
    least = std::min(least, device.parts.busy_share());
  }
  if (least < kHealthyBusy) return;
  Finding& finding = into.emplace_back(finding_of(kHealthy, ""));
  finding.evidence.push_back(findings::evidence_of(kDeviceBusy, least));
  finding.what = fmt::format("healthy: the device is busy {} of the time", percent(least));
}

bool is_of_another_device(const Finding& a, const Finding& b) {
  if (a.id != b.id || a.table.empty() || b.table.empty() || a.table == b.table) return false;
  return a.evidence.empty() || b.evidence.empty() ||
         a.evidence.front().metric == b.evidence.front().metric;
}

// What holds of several devices alike is told once, of the one that it is worst on.
std::vector<Finding> reported_once(const std::vector<Finding>& sorted) {
  std::vector<Finding> kept;
  for (const Finding& finding : sorted) {
    const auto same = std::find_if(kept.begin(), kept.end(), [&](const Finding& other) {
      return is_of_another_device(other, finding);
    });
    if (same == kept.end()) {
      kept.push_back(finding);
    } else {
      same->what += fmt::format("; also {}", finding.table);
      if (finding.gain) same->what += fmt::format(" ({})", findings::percent_range(*finding.gain));
    }
  }
  return kept;
}

std::vector<Finding> run_rules(const TraceFacts& facts) {
  std::vector<Finding> found;
  for (size_t i = 0; i < facts.attribution.devices.size(); ++i) {
    const DeviceTime& time = facts.attribution.devices[i];
    const DeviceFacts device{facts, time, facts.kernels[i],
                             fmt::format("{} {}", facts.words.device, time.id)};
    if (is_too_little_to_judge(device)) continue;
    idle_rules(device, found);
    unseen_rules(device, found);
    copy_rules(device, found);
    communication_rules(device, found);
    kernel_rules(device, found);
  }
  memory_rules(facts, found);
  recording_rules(facts, found);
  unseen_rules(facts, found);
  say_without_torch(facts, found);
  add_healthy(facts, found);
  std::stable_sort(found.begin(), found.end(), worse);
  return reported_once(found);
}

attribution::Span span_of(const std::vector<attribution::Step>& steps) {
  if (steps.empty()) return {};
  return {steps.front().start_ns, steps.back().end_ns};
}

// A step that the recorder marked: a name each, and nothing that somebody calls.
bool is_step(const Total& total) {
  return total.kind != trace::ActivityKind::kernel && attribution::is_recorded_step(total.name);
}

// The names with the longest self time; the others in one, so that shares add up.
void keep(const Total& total, size_t most, std::vector<Total>& kept) {
  if (kept.size() < most) {
    kept.push_back(total);
    return;
  }
  if (kept.size() == most) {
    kept.push_back({});
    kept.back().name = "other";
    kept.back().kind = total.kind;
  }
  Total& other = kept.back();
  other.calls += total.calls;
  other.total_ns = base::capped_sum(other.total_ns, total.total_ns);
  other.self_ns = base::capped_sum(other.self_ns, total.self_ns);
  other.calls_in_steps += total.calls_in_steps;
  other.in_steps_ns = base::capped_sum(other.in_steps_ns, total.in_steps_ns);
}

std::string nothing_to_gain(const TraceFacts& facts) {
  const bool is_little = std::any_of(
      facts.attribution.devices.begin(), facts.attribution.devices.end(), [&](const auto& device) {
        return is_too_little_to_judge({facts, device, facts.kernels.front(), ""});
      });
  if (is_little) return "This is too short to judge: record a few complete steps.";
  const std::string why = why_nothing_is_stated(facts);
  return why.empty() ? "No finding would gain 5 % of the time." : why;
}

std::string answer(const TraceFacts& facts, const std::vector<Finding>& found) {
  std::string text = what_is_captured(facts.attribution);
  for (const DeviceTime& device : facts.attribution.devices) {
    constexpr size_t kMost = 4;
    if (&device - facts.attribution.devices.data() == kMost) {
      text += fmt::format("{} more devices are not shown here. ",
                          facts.attribution.devices.size() - kMost);
      break;
    }
    text += fmt::format("{} is busy {} of {}. ", name_of(facts, device.id),
                        percent(device.parts.busy_share()), time_reported(facts, device));
  }
  text += what_is_excluded(facts.attribution);
  const Finding* const best = most_to_gain(found);
  if (best == nullptr) return text + nothing_to_gain(facts);
  // What is larger comes first, though nobody knows how to gain it.
  const std::string held = what_is_held(facts, best->gain->high);
  if (!held.empty()) text += held + " ";
  return text + fmt::format("{}. Possible gain: {} of the time.", first_sentence(*best),
                            findings::percent_range(*best->gain));
}

}  // namespace

const Finding* most_to_gain(const std::vector<Finding>& sorted) {
  const auto best = std::find_if(sorted.begin(), sorted.end(), [](const Finding& finding) {
    return finding.gain && finding.severity >= Severity::low;
  });
  return best == sorted.end() ? nullptr : &*best;
}

TraceSummary summarise(const trace::Trace& trace, const SummaryOptions& options) {
  const attribution::TraceIndex index(trace);
  TraceSummary summary;
  summary.source = trace.source;
  summary.rank = trace.rank;
  summary.world_size = trace.world_size;
  summary.settings = trace.settings;
  summary.kinds.insert(trace.activities.kind.begin(), trace.activities.kind.end());
  summary.read = trace.read;
  summary.devices = trace.devices;
  summary.attribution = attribution::attribute(index, options.attribution);
  const std::vector<Total> totals = attribution::totals(index, span_of(summary.attribution.steps));
  summary.memory = attribution::memory_of(trace, summary.attribution.steps);
  summary.collectives = attribution::collectives(index, summary.attribution.devices);
  TraceFacts facts{
      trace, summary.attribution, totals, summary.memory, vendor_of(trace), host_facts(trace), {}};
  summary.device_word = facts.words.device;
  const std::vector<uint32_t> operators = attribution::launching_operators(index);
  const std::vector<NamePrecision> names = precisions_of(trace.names);
  for (const DeviceTime& device : summary.attribution.devices) {
    facts.kernels.push_back(kernel_facts(trace, device.id, operators, names));
  }
  summary.findings = run_rules(facts);
  if (summary.attribution.devices.empty()) {
    summary.host = attribution::host_time(index, summary.attribution.steps);
    host_rules(facts, *summary.host, summary.findings);
    std::stable_sort(summary.findings.begin(), summary.findings.end(), worse);
  }
  summary.message = summary.host ? host_answer(facts, *summary.host, summary.findings)
                                 : answer(facts, summary.findings);
  for (const Total& total : totals) {
    if (is_step(total)) continue;
    keep(total, options.most_names,
         occupies_device(total.kind) ? summary.kernels : summary.operators);
  }
  if (!options.keep_pieces) {
    for (DeviceTime& device : summary.attribution.devices) device.pieces = {};
  }
  return summary;
}

std::vector<const Kind*> healthy_kinds() {
  return {&kHealthy};
}

}  // namespace batchscope::advice

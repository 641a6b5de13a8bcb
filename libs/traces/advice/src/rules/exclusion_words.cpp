// What of the recorded steps does not count, in words.

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/counted.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::Attribution;
using attribution::ExcludedInterval;
using attribution::ExclusionReason;

std::string_view what_it_did(ExclusionReason reason) {
  switch (reason) {
    case ExclusionReason::compilation:
      return "compilation";
    case ExclusionReason::capture:
      return "graph capture";
    case ExclusionReason::loading:
      return "kernel loading";
    case ExclusionReason::no_work:
    case ExclusionReason::no_record:
      break;
  }
  return "";
}

// "14", "3.2".
std::string times(double value) {
  return fmt::format("{:.{}f}", value, value < 10 ? 1 : 0);
}

std::vector<int64_t> steps_of(const Attribution& attribution, ExclusionReason reason) {
  std::vector<int64_t> steps;
  for (const ExcludedInterval& each : attribution.exclusions) {
    if (each.reason == reason) steps.push_back(each.step);
  }
  return steps;
}

int64_t unrecorded_ns(const Attribution& attribution) {
  int64_t ns = 0;
  for (const ExcludedInterval& each : attribution.exclusions) {
    if (each.reason == ExclusionReason::no_record) ns += each.wall_ns();
  }
  return ns;
}

}  // namespace

std::string step_numbers(std::vector<int64_t> steps) {
  constexpr size_t kMost = 4;
  if (steps.size() == 1) return fmt::format("step {}", steps.front());
  if (steps.size() <= kMost) return "steps " + findings::list(steps);
  const size_t more = steps.size() - kMost + 1;
  steps.resize(kMost - 1);
  return fmt::format("steps {} and {} more", fmt::join(steps, ", "), more);
}

std::string steps_reported(const Attribution& attribution) {
  const auto excluded = std::ranges::count_if(
      attribution.exclusions,
      [](const ExcludedInterval& each) { return each.reason != ExclusionReason::no_record; });
  const std::string all = base::counted(attribution.steps.size() + size_t(excluded), "step");
  return excluded == 0 ? all : fmt::format("{} of {}", attribution.steps.size(), all);
}

std::string what_is_excluded(const Attribution& attribution) {
  std::string text;
  for (const ExcludedInterval& each : attribution.exclusions) {
    const std::string_view did = what_it_did(each.reason);
    if (did.empty()) continue;
    text += fmt::format("Excluded: step {}, {} times as long as the typical step ({}). ", each.step,
                        times(each.times_typical), did);
  }
  const std::vector<int64_t> unseen = steps_of(attribution, ExclusionReason::no_work);
  if (!unseen.empty()) {
    text +=
        fmt::format("Excluded: {} (almost no device work in the trace). ", step_numbers(unseen));
  }
  const std::vector<int64_t> pauses = steps_of(attribution, ExclusionReason::no_record);
  if (!pauses.empty()) {
    text +=
        fmt::format("Excluded: a pause of {} after {} (nothing recorded). ",
                    findings::milliseconds_of(unrecorded_ns(attribution)), step_numbers(pauses));
  }
  return text;
}

}  // namespace batchscope::advice

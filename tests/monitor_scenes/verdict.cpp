#include "monitor_scenes/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "batchscope/stats/rng.hpp"
#include "batchscope/watch/watch.hpp"
#include "monitor_scenes/simulation.hpp"

namespace batchscope::monitor_scenes {
namespace {

using findings::Severity;
using watch::ActiveFinding;

std::string in_words(const std::vector<ActiveFinding>& active) {
  std::string text;
  for (const ActiveFinding& each : active) {
    text += "\n    " + std::string(to_string(each.finding.severity)) + " " + each.finding.id +
            ": " + each.finding.what;
  }
  return text.empty() ? "\n    nothing" : text;
}

bool is_named(const Family& family, const std::vector<ActiveFinding>& active) {
  return !active.empty() && std::find(family.right.begin(), family.right.end(),
                                      active.front().finding.id) != family.right.end();
}

bool is_reported(const std::optional<double>& value, const std::vector<ActiveFinding>& all) {
  constexpr double kMargin = 0.05;
  if (!value) return true;
  return !all.empty() && !all.front().finding.evidence.empty() &&
         std::abs(all.front().finding.evidence.front().estimate.value - *value) <= kMargin;
}

}  // namespace

Verdict judge(const Family& family, uint64_t seed) {
  stats::Rng rng(stats::mix_seed(seed, 7));
  const Script script = family.draw(rng);
  watch::Watch watch;
  const Listener listener{[&](const telemetry::Sample& sample) { watch.add(sample); },
                          [&](const telemetry::TrainingStep& step) { watch.add(step); }};
  play(script, seed, listener);
  const std::vector<ActiveFinding> active = watch.active(), all = watch.all();
  const bool alarmed = std::any_of(all.begin(), all.end(), [](const ActiveFinding& each) {
    return each.finding.severity >= Severity::medium;
  });
  Verdict verdict;
  const bool named = is_named(family, active) && is_reported(script.reported, all);
  if (family.nature == Nature::faulty) verdict.right = named;
  if (family.nature == Nature::healthy) verdict.right = !alarmed;
  if (family.nature == Nature::marginal) verdict.right = named || !alarmed;
  verdict.reported = in_words(family.nature == Nature::faulty ? active : all);
  return verdict;
}

}  // namespace batchscope::monitor_scenes

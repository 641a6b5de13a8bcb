#include "batchscope/watch/watch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "batchscope/base/algorithms.hpp"
#include "rules/rules.hpp"
#include "tracking/finding_tracker.hpp"
#include "window/window.hpp"

namespace batchscope::watch {
namespace {

const std::vector<Rules>& all_rules() {
  static const std::vector<Rules> kRules =
      base::mapped(kAllRules, [](const auto rules) { return rules(); });
  return kRules;
}

}  // namespace

findings::Catalogue kinds(const Targets& targets) {
  findings::Catalogue kinds;
  for (const Rules& rules : all_rules()) {
    for (const Kind* const each : rules.kinds) kinds.push_back(each->kind(targets));
  }
  return kinds;
}

// The window is full after its parts, each of whole intervals.
double min_detection_seconds(const WatchOptions& options, double interval_seconds) {
  constexpr double kParts = kBuckets, kRounding = 1e-6;
  if (!(interval_seconds > 0)) return options.window_seconds + options.raise_seconds;
  const double part = options.window_seconds / kParts;
  const double samples = std::max(1.0, std::ceil(part / interval_seconds - kRounding));
  return kParts * samples * interval_seconds + options.raise_seconds;
}

struct Watch::State {
  State(Targets of, const WatchOptions& options)
      : targets(of),
        window(static_cast<int64_t>(options.window_seconds * 1e9)),
        tracker(options),
        event_ns(static_cast<int64_t>(options.event_seconds * 1e9)) {}

  void judge() {
    const std::optional<Window> left = window.without_pauses();
    const RuleContext facts{window,   left ? *left : window, targets,
                            event_ns, window.has_trained(),  tracker};
    RuleHits found;
    for (const Rules& rules : all_rules()) {
      if (rules.look != nullptr) rules.look(facts, found);
    }
    tracker.update(window.now_ns(), std::move(found));
    window.settle_busy(
        [this](const GpuState& gpu, int64_t time_ns) { return low_use_at(gpu, time_ns, tracker); });
  }

  Targets targets;
  Window window;
  FindingTracker tracker;
  int64_t event_ns;
};

Watch::Watch(Targets targets, WatchOptions options)
    : state_(std::make_unique<State>(targets, options)) {}
Watch::~Watch() = default;
Watch::Watch(Watch&&) noexcept = default;
Watch& Watch::operator=(Watch&&) noexcept = default;

void Watch::add(const telemetry::Sample& sample) {
  if (state_->window.add(sample)) state_->judge();
}

void Watch::add(const telemetry::TrainingStep& step) {
  state_->window.add(step);
}

std::vector<ActiveFinding> Watch::active() const {
  return state_->tracker.active();
}

std::vector<ActiveFinding> Watch::take_changes() {
  return state_->tracker.take_changes();
}

std::vector<ActiveFinding> Watch::all() const {
  return state_->tracker.all();
}

}  // namespace batchscope::watch

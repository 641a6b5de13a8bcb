#include "batchscope/training/step_watch.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/watch/loop_end.hpp"
#include "rules/rule.hpp"
#include "series/machine_window.hpp"
#include "series/step_window.hpp"
#include "source.hpp"
#include "tracking/finding_tracker.hpp"

namespace batchscope::training {
namespace {

constexpr std::size_t kTypicalOf = 64;

std::vector<std::unique_ptr<Rule>> all_rules() {
  return base::mapped(kAllRules, [](const auto row) { return row().make(); });
}

Throughput throughput_of(const Source& source) {
  Throughput all;
  all.steps = source.totals.steps;
  const auto& facts = source.window.facts();
  if (facts.empty()) return all;
  all.last_step = facts.back().step;
  const std::vector<StepFact> recent(
      facts.end() - static_cast<std::ptrdiff_t>(std::min(kTypicalOf, facts.size())), facts.end());
  all.steps_per_second = 1 / source.window.typical_seconds(kTypicalOf);
  if (const auto batch = median_batch(recent)) {
    all.samples_per_second = *batch * *all.steps_per_second;
  }
  const Totals& totals = source.totals;
  all.overall_steps_per_second = static_cast<double>(totals.steps) / totals.seconds;
  if (totals.samples > 0) {
    all.overall_samples_per_second = totals.samples / totals.seconds_of_samples;
  }
  return all;
}

}  // namespace

findings::Catalogue kinds(const StepOptions& options) {
  findings::Catalogue kinds;
  for (const auto row : kAllRules) {
    for (const Kind* const each : row().kinds) kinds.push_back(each->kind(options));
  }
  return kinds;
}

std::string RuleContext::key(std::string_view name) const {
  return source + '\n' + std::string(name);
}

findings::Finding RuleContext::finding(const Kind& kind, findings::Severity severity) const {
  findings::Finding finding;
  finding.id = kind.id;
  finding.severity = severity;
  finding.status = findings::Status::measured;
  finding.table = source;
  finding.doc = findings::doc_link(kind.id);
  return finding;
}

struct StepWatch::State {
  explicit State(StepOptions of) : options(of), tracker(of.remembered) {}

  RuleContext scene_of(const std::string& name, const Source& source) {
    return {options, name, source.window, machine, tracker};
  }

  void restart(const std::string& name, Source& source) {
    if (source.window.count() == 0) return;
    RuleContext scene = scene_of(name, source);
    for (const auto& rule : source.rules) rule->restart(scene);
    source.window.restart();
  }

  Source& source_of(const std::string& name) {
    if (!sources.contains(name) && sources.size() >= options.most_sources) {
      const auto silent =
          std::min_element(sources.begin(), sources.end(), [](const auto& a, const auto& b) {
            return a.second.window.last().time_ns < b.second.window.last().time_ns;
          });
      restart(silent->first, silent->second);
      sources.erase(silent);
    }
    Source& source = sources[name];
    if (source.rules.empty()) source.rules = all_rules();
    return source;
  }

  // Of what has ended, and until when.
  std::optional<int64_t> ended_ns(const std::string& name) const {
    const auto found = sources.find(name);
    if (found == sources.end() || found->second.window.count() == 0) return std::nullopt;
    const StepFact& last = found->second.window.last();
    const double since = (static_cast<double>(now_ns) - static_cast<double>(last.time_ns)) / 1e9;
    const double most =
        watch::seconds_before_a_loop_has_ended(found->second.longest_gap_seconds, last.seconds);
    return since > most ? std::optional(last.time_ns) : std::nullopt;
  }

  StepOptions options;
  int64_t now_ns = 0;  // of the last sample
  MachineWindow machine;
  FindingTracker tracker;
  std::map<std::string, Source> sources;
};

StepWatch::StepWatch(StepOptions options) : state_(std::make_unique<State>(options)) {}
StepWatch::~StepWatch() = default;
StepWatch::StepWatch(StepWatch&&) noexcept = default;
StepWatch& StepWatch::operator=(StepWatch&&) noexcept = default;

void StepWatch::add(const telemetry::TrainingStep& reported) {
  if (!std::isfinite(reported.seconds) || reported.seconds < 0) return;
  telemetry::TrainingStep step = reported;
  Source& source = state_->source_of(step.source);
  const auto& facts = source.window.facts();
  const std::optional<int64_t> number = source.numbers.next(step);
  if (!number) state_->restart(step.source, source);
  step.step = number.value_or(step.step);
  if (!facts.empty()) {
    const auto gap = static_cast<double>(step.time_ns) - static_cast<double>(facts.back().time_ns);
    source.longest_gap_seconds = std::max(source.longest_gap_seconds, gap / 1e9);
  }
  source.totals.add(step);
  const bool is_timed = !step.profiled && step.seconds > 0;
  is_timed ? source.window.add(step) : source.window.pass_over(step);
  RuleContext scene = state_->scene_of(step.source, source);
  for (const auto& rule : source.rules) {
    if (is_timed || !rule->judges_times()) rule->see(step, scene);
  }
}

void StepWatch::add(const telemetry::Sample& sample) {
  state_->machine.add(sample);
  state_->now_ns = sample.time_ns;
}

std::vector<watch::ActiveFinding> StepWatch::active() const {
  std::vector<watch::ActiveFinding> all = state_->tracker.active();
  std::erase_if(all, [&](const watch::ActiveFinding& one) {
    return state_->ended_ns(one.finding.table).has_value();
  });
  return all;
}
std::vector<watch::ActiveFinding> StepWatch::take_changes() {
  return state_->tracker.take_changes();
}
std::vector<watch::ActiveFinding> StepWatch::all() const {
  std::vector<watch::ActiveFinding> all = state_->tracker.all();
  for (watch::ActiveFinding& one : all) {
    const auto ended_ns = state_->ended_ns(one.finding.table);
    if (one.ended_ns || !ended_ns) continue;
    one.ended_ns = std::max(one.since_ns, *ended_ns);
    if (!one.episodes.empty()) one.episodes.back().ended_ns = one.ended_ns;
  }
  return all;
}

std::vector<std::string> StepWatch::sources() const {
  std::vector<std::string> names;
  for (const auto& [name, source] : state_->sources) names.push_back(name);
  return names;
}

std::optional<Throughput> StepWatch::throughput(std::string_view source) const {
  const auto found = state_->sources.find(std::string(source));
  if (found == state_->sources.end()) return std::nullopt;
  return throughput_of(found->second);
}

}  // namespace batchscope::training

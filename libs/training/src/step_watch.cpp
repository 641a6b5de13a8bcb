#include "batchscope/training/step_watch.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "batchscope/findings/catalogue.hpp"
#include "rules/rule.hpp"
#include "series/machine_window.hpp"
#include "series/step_window.hpp"
#include "source.hpp"
#include "standing/standings.hpp"

namespace batchscope::training {
namespace {

constexpr std::size_t kTypicalOf = 64;

std::vector<std::unique_ptr<Rule>> all_rules() {
  std::vector<std::unique_ptr<Rule>> rules;
  rules.push_back(loss_rule());
  rules.push_back(loss_trend_rule());
  rules.push_back(step_time_rule());
  rules.push_back(slow_steps_rule());
  rules.push_back(loading_rule());
  rules.push_back(learning_rate_rule());
  return rules;
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

std::string Scene::key(std::string_view name) const {
  return source + '\n' + std::string(name);
}

findings::Finding Scene::finding(std::string_view id, findings::Severity severity) const {
  findings::Finding finding;
  finding.id = id;
  finding.severity = severity;
  finding.status = findings::Status::measured;
  finding.table = source;
  finding.doc = findings::doc_link(id);
  return finding;
}

struct StepWatch::State {
  explicit State(StepOptions of) : options(of), standings(of.remembered) {}

  Scene scene_of(const std::string& name, const Source& source) {
    return {options, name, source.window, machine, standings};
  }

  void restart(const std::string& name, Source& source) {
    if (source.window.facts().empty()) return;
    Scene scene = scene_of(name, source);
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

  StepOptions options;
  MachineWindow machine;
  Standings standings;
  std::map<std::string, Source> sources;
};

StepWatch::StepWatch(StepOptions options) : state_(std::make_unique<State>(options)) {}
StepWatch::~StepWatch() = default;
StepWatch::StepWatch(StepWatch&&) noexcept = default;
StepWatch& StepWatch::operator=(StepWatch&&) noexcept = default;

void StepWatch::add(const telemetry::TrainingStep& told) {
  if (!std::isfinite(told.seconds) || told.seconds <= 0) return;
  telemetry::TrainingStep step = told;
  Source& source = state_->source_of(step.source);
  const auto& facts = source.window.facts();
  const std::optional<int64_t> number = source.numbers.next(step);
  if (!number) state_->restart(step.source, source);
  step.step = number.value_or(step.step);
  source.totals.add(step);
  step.profiled ? source.window.pass_over() : source.window.add(step);
  if (facts.empty()) return;
  Scene scene = state_->scene_of(step.source, source);
  for (const auto& rule : source.rules) {
    if (!step.profiled || !rule->judges_times()) rule->see(step, scene);
  }
}

void StepWatch::add(const telemetry::Sample& sample) {
  state_->machine.add(sample);
}

std::vector<watch::Standing> StepWatch::standing() const {
  return state_->standings.standing();
}
std::vector<watch::Standing> StepWatch::take_changes() {
  return state_->standings.take_changes();
}
std::vector<watch::Standing> StepWatch::all() const {
  return state_->standings.all();
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

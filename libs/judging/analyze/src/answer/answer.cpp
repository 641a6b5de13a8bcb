#include "answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "advice/longer_visits.hpp"
#include "advice/recommendation_words.hpp"
#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/diagnostic.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/findings/by_group.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/wording.hpp"
#include "compared_pair.hpp"
#include "warnings/warnings.hpp"

namespace batchscope::analyze {
namespace {

using findings::Answer;
using findings::Comparison;
using findings::Confidence;

constexpr std::size_t kMostPairs = 3;

bool leads(const Comparison& comparison, bool several_runs) {
  if (several_runs) return !comparison.axis_id;
  return comparison.axis_id == schema::AxisId::model ||
         comparison.axis_id == schema::AxisId::engine;
}

std::vector<ComparedPair> pairs_of(const Question& question) {
  std::vector<ComparedPair> pairs;
  for (const Comparison& each : question.summary.comparisons) {
    if (!leads(each, question.views.size() > 1)) continue;
    const auto same = std::find_if(pairs.begin(), pairs.end(),
                                   [&](const ComparedPair& pair) { return pair.holds(each); });
    if (same == pairs.end()) {
      pairs.push_back(ComparedPair{{&each}});
    } else {
      same->all.push_back(&each);
    }
  }
  return pairs;
}

// A setting that a run of several engines recommends, the engine among it.
void put_setting(const Question& question, Answer& answer) {
  const auto& picks = question.summary.recommendations;
  if (question.views.size() != 1 || picks.size() != 1 || !picks.front().feasible) return;
  if (answer.confidence == Confidence::cannot_tell) return;
  if (confidence_of(picks.front()) == Confidence::cannot_tell) return;
  const Answer setting = setting_answer(question);
  answer.setting = setting.setting;
  answer.config = setting.config;
  answer.throughput_per_s = setting.throughput_per_s;
  answer.latency = setting.latency;
}

NextStep next_for_pair(const ComparedPair& pair, const Answer& answer, const Question& question) {
  if (auto step = go_on(question)) return *std::move(step);
  if (answer.confidence == Confidence::shown) return show_it(question);
  if (question.views.size() > 1) {
    return {"Measure both in one run, block by block: differences between runs then cancel."};
  }
  if (pair.is_alike_but_for_means()) {
    return measure_longer(question, longer_visit_s(question.views.front()));
  }
  return measure_more(question, pair.blocks_needed());
}

Answer answer_for_pair(const ComparedPair& pair, const Question& question) {
  const Comparison& main = pair.largest();
  Answer answer;
  answer.kind = findings::AnswerKind::comparison;
  answer.confidence = pair.confidence();
  answer.headline = pair.headline();
  answer.sure = pair.sure();
  const findings::Estimate& ratio = pair.ratio();
  findings::Estimate gain{ratio.value - 1, std::nullopt};
  if (ratio.ci) gain.ci = stats::Interval{ratio.ci->low - 1, ratio.ci->high - 1};
  answer.gain = gain;
  answer.gain_level = question.options.level;
  answer.against = main.base;
  put_setting(question, answer);
  NextStep next = next_for_pair(pair, answer, question);
  set_next(std::move(next), answer);
  return answer;
}

void put_gate(const findings::Gate& gate, const Question& question, Answer& answer) {
  answer.kind = findings::AnswerKind::comparison;
  answer.headline = base::without_period(gate.message);
  const bool open = gate.outcome == findings::Outcome::inconclusive;
  answer.confidence = open ? Confidence::cannot_tell : Confidence::shown;
  answer.sure =
      fmt::format("{}, tested against a margin of {}",
                  gate.checks.size() == 1 ? std::string("one comparison")
                                          : fmt::format("{} comparisons", gate.checks.size()),
                  findings::percent(gate.margin.value_or(0)));
  const NextStep next = open ? NextStep{gate.advice} : show_it(question);
  set_next(next, answer);
}

// Which of two models, engines or runs takes less time; absent where none were compared. What a
// gate on regressions says goes before.
std::optional<Answer> comparison_answer(const Question& question) {
  const std::vector<ComparedPair> pairs = pairs_of(question);
  const auto& gates = question.summary.gates;
  const auto gate = std::find_if(gates.begin(), gates.end(), [](const findings::Gate& each) {
    return each.name == findings::GateName::regression;
  });
  if (pairs.empty() && gate == gates.end()) return std::nullopt;
  Answer answer = pairs.empty() ? Answer() : answer_for_pair(pairs.front(), question);
  if (pairs.size() > 1) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(kMostPairs, pairs.size()); ++i) {
      parts.push_back(pairs[i].headline());
      answer.confidence = std::max(answer.confidence, pairs[i].confidence());
    }
    answer.headline = base::join(parts, ". ");
    answer.several = true;
  }
  if (gate != gates.end()) put_gate(*gate, question, answer);
  return answer;
}

findings::Answer nothing() {
  findings::Answer answer;
  answer.headline = "No measurements";
  answer.sure = "there is no visit";
  return answer;
}

findings::Answer answer_to(const Question& question) {
  if (question.views.empty() || question.summary.groups.empty()) return nothing();
  if (auto compared = comparison_answer(question)) return *std::move(compared);
  return question.summary.recommendations.empty() ? nothing() : setting_answer(question);
}

std::string slow_words(const findings::Summary& summary) {
  // The largest comes first.
  const auto slow = std::find_if(
      summary.findings.begin(), summary.findings.end(), [](const findings::Finding& finding) {
        return finding.id == findings::kDeparture && finding.status == findings::Status::proven &&
               finding.severity > findings::Severity::info;
      });
  if (slow == summary.findings.end()) return "";
  const std::string cause = slow->cause.empty() ? "" : "; cause: " + slow->cause;
  return base::in_one_line(label_of(*slow, summary.groups),
                           base::without_period(slow->what) + cause);
}

// What a machine under load shows need not hold on a quiet one.
void put_machine(const MachineReading& machine, findings::Answer& answer) {
  answer.fitness = machine.fitness;
  answer.machine = machine.words;
  const bool claims = answer.confidence == findings::Confidence::shown ||
                      answer.confidence == findings::Confidence::verified;
  if (!machine.mostly || !claims) return;
  answer.sure += "; measured under load";
  answer.machine += "; use --wait-for-quiet 60s";
}

}  // namespace

findings::Answer answer_of(const std::vector<tables::RunView>& views,
                           const findings::Summary& summary, const Options& options) {
  const MachineReading machine = machine_of(views);
  findings::Answer answer = answer_to({views, summary, options, machine});
  put_machine(machine, answer);
  if (answer.kind == findings::AnswerKind::setting) answer.slow = slow_words(summary);
  return answer;
}

}  // namespace batchscope::analyze

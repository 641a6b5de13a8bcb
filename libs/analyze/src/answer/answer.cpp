#include "answer.hpp"

#include <algorithm>

#include "batchscope/base/remark.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/findings/by_group.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "comparison_answer.hpp"
#include "setting_answer.hpp"
#include "warnings/machine.hpp"

namespace batchscope::analyze {
namespace {

findings::Answer nothing() {
  findings::Answer answer;
  answer.headline = "Nothing was measured";
  answer.sure = "there is no visit to judge by";
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

}  // namespace

findings::Answer answer_of(const std::vector<tables::RunView>& views,
                           const findings::Summary& summary, const Options& options) {
  const MachineReading machine = machine_of(views);
  findings::Answer answer = answer_to({views, summary, options, machine});
  answer.fitness = machine.fitness;
  answer.machine = machine.words;
  if (answer.kind == findings::AnswerKind::setting) answer.slow = slow_words(summary);
  return answer;
}

}  // namespace batchscope::analyze

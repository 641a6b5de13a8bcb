#include "answer.hpp"

#include <algorithm>

#include "batchscope/base/remark.hpp"
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

}  // namespace

findings::Answer answer_of(const std::vector<tables::RunView>& views,
                           const findings::Summary& summary, const Options& options) {
  const MachineReading machine = machine_of(views);
  findings::Answer answer = answer_to({views, summary, options, machine});
  answer.fitness = machine.fitness;
  answer.machine = machine.words;
  return answer;
}

void add_slow_size(const findings::Summary& summary, findings::Answer& answer) {
  constexpr std::size_t kMostLines = 6;
  if (answer.kind != findings::AnswerKind::setting || answer.lines.size() >= kMostLines) return;
  // The largest comes first.
  const auto slow = std::find_if(
      summary.findings.begin(), summary.findings.end(), [](const findings::Finding& finding) {
        return finding.id == findings::kDeparture && finding.status == findings::Status::proven &&
               finding.severity > findings::Severity::info;
      });
  if (slow == summary.findings.end()) return;
  std::string line = slow->what;
  const std::string cause = slow->cause.empty() ? "" : "; cause: " + slow->cause;
  if (line.ends_with('.')) line.pop_back();
  const auto next =
      std::find_if(answer.lines.begin(), answer.lines.end(),
                   [](const std::string& each) { return each.starts_with("Next: "); });
  const std::string table = label_of(*slow, summary.groups);
  answer.lines.insert(next, "Proven slow: " + base::in_one_line(table, line + cause) + ".");
}

}  // namespace batchscope::analyze

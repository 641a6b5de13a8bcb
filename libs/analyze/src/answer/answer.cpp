#include "answer.hpp"

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

}  // namespace batchscope::analyze

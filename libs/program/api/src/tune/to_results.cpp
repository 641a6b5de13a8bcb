#include "to_results.hpp"

#include "search_answer.hpp"

namespace batchscope::api {

findings::Tuning reported(const Program& program, const tune::TunePlan& plan,
                          const std::filesystem::path& file, const schema::RunFile& run) {
  findings::Tuning tuning = tune::tuning_of(tune::tuned_of(run, plan));
  tuning.run = file.string();
  const auto& notes = run.header.notes;
  tuning.warnings.insert(tuning.warnings.begin(), notes.begin(), notes.end());
  for (const schema::Event& event : run.events) {
    if (event.kind != schema::EventKind::warning || event.where.config) continue;
    tuning.warnings.push_back(base::in_one_line("", event.what, event.fix));
  }
  tuning.answer = answer_of_search(program, run, tuning, tuning.run);
  return tuning;
}

}  // namespace batchscope::api

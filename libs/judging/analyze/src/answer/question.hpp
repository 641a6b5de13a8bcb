#pragma once

#include <vector>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/tables/run_view.hpp"
#include "warnings/warnings.hpp"

namespace batchscope::analyze {

// What an answer is made of.
struct Question {
  const std::vector<tables::RunView>& views;
  const findings::Summary& summary;
  const Options& options;
  const MachineReading& machine;

  const schema::Header& header() const { return views.front().run->header; }
  // Measured with repeats in fresh processes, so that the visits can show something.
  bool is_repeated() const;
};

// What is known of the latency of the configuration.
findings::AnsweredLatency latency_of(const findings::ConfigRow& row);
// The same of visits that took no part in choosing it; absent where there are none.
std::optional<findings::AnsweredLatency> fresh_latency_of(const schema::RunConfig& config,
                                                          const Question& question);

// What to do next, and the command for it.
struct NextStep {
  std::string words{};
  std::string command{};
  bool is_page = false;  // as Answer::next_is_page
};
void set_next(NextStep step, findings::Answer& answer);
// Whatever the answer: a run that was not finished is gone on with.
std::optional<NextStep> go_on(const Question& question);
// A report of what is shown.
NextStep show_it(const Question& question);
// More blocks, about as many as are needed; where no practical number is enough, a quieter machine.
NextStep measure_more(const Question& question, std::optional<int> blocks_needed);
// The same again in longer visits.
NextStep measure_longer(const Question& question, int visit_s);
// The same again with these sizes too.
std::string measure_sizes(const Question& question, const std::vector<int64_t>& sizes);
// The same again, held against fresh visits.
std::string verify_again(const Question& question);

}  // namespace batchscope::analyze

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "advice/longer_visits.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/timing/evidence.hpp"
#include "batchscope/timing/visits.hpp"
#include "question.hpp"

namespace batchscope::analyze {
namespace {

using findings::shell_command;

bool is_of(const Question& question, schema::Origin origin) {
  return question.header().origin == origin;
}

std::string run_again(const Question& question, const std::vector<int64_t>& sizes,
                      std::optional<int> blocks) {
  return shell_command(question.options.commands.again({question.header(), sizes, blocks}));
}

// What so many blocks cost, s: by what visits cost so far, where they are timed for no longer.
double cost_s(const Question& question, int blocks, double visit_s) {
  const schema::RunFile& run = *question.views.front().run;
  std::map<int, std::pair<double, int>> by_config;
  for (const schema::Visit& visit : run.visits) {
    auto& [sum, n] = by_config[visit.config];
    sum +=
        static_cast<double>(visit.wall_ns) / 1e9 + std::max(0.0, visit_s - timing::timed_s(visit));
    ++n;
  }
  double block = 0;
  for (const auto& [config, cost] : by_config) block += cost.first / cost.second;
  return blocks * block;
}

// Enough for what is asked, where the run would end at its own budget before; a search has its own
// part of it.
std::optional<int> budget_for(const Question& question, double seconds) {
  constexpr double kReserve = 2;  // visits may turn out longer than they were
  const schema::MeasurementPlan& plan = question.header().plan;
  const double now = plan.budget_s;
  const double search = is_of(question, schema::Origin::tune) ? now : 0;
  const double needed = search + kReserve * seconds / schema::share_of_main_part(plan);
  if (needed <= now) return std::nullopt;
  return static_cast<int>(std::ceil(needed));
}

std::string about(double seconds) {
  return "about " + base::format_seconds(seconds);
}

// A search that its budget ended has it once more.
bool is_unfinished(const Question& question) {
  if (question.views.size() != 1 || is_of(question, schema::Origin::api)) return false;
  const auto& end = question.views.front().run->end;
  if (!end || end->reason == schema::EndReason::interrupted) return true;
  return is_of(question, schema::Origin::tune) && end->reason == schema::EndReason::budget;
}

std::vector<int64_t> with_those_measured(const Question& question,
                                         const std::vector<int64_t>& sizes) {
  std::set<int64_t> all(sizes.begin(), sizes.end());
  const auto& configs = question.views.front().run->configs;
  for (const schema::RunConfig& config : configs) all.insert(config.shape.batch_size);
  return {all.begin(), all.end()};
}

}  // namespace

void set_next(NextStep step, findings::Answer& answer) {
  answer.next = std::move(step.words);
  answer.command = std::move(step.command);
  answer.next_is_page = step.is_page;
}

std::optional<NextStep> go_on(const Question& question) {
  if (!is_unfinished(question)) return std::nullopt;
  const auto& names = question.options.names;
  const findings::Words words =
      question.options.commands.resume({question.header(), names.empty() ? "" : names.front()});
  return NextStep{"The run did not finish; resume it.", shell_command(words)};
}

NextStep show_it(const Question& question) {
  return {"See the whole run on one page.",
          shell_command(question.options.commands.report(std::vector(question.options.names))),
          true};
}

NextStep measure_more(const Question& question, std::optional<int> blocks_needed) {
  if (is_of(question, schema::Origin::imported)) {
    // The model is a name in a table, not one that could be run.
    return {"A recorded table tells no more than this: measure the model itself, with repeats."};
  }
  if (is_of(question, schema::Origin::api)) {
    return {"Run the program again for the sizes in question: only fresh processes can tell."};
  }
  if (blocks_needed) {
    // Fewer prove nothing, however little they scatter.
    const int blocks = std::max(*blocks_needed, static_cast<int>(timing::kPairsToProve));
    const double seconds = cost_s(question, blocks, 0);
    const findings::Again again{question.header(), {}, blocks, {}, budget_for(question, seconds)};
    return {fmt::format("Measure about {} blocks ({}): enough, if the difference is as large as it "
                        "looks.",
                        blocks, about(seconds)),
            shell_command(question.options.commands.again(again))};
  }
  const std::string fix = question.machine.fix;
  return {fix.empty() ? "Measure on a quieter machine, or with pinned cores."
                      : fmt::format("Make the machine quieter: {}.", fix),
          shell_command(question.options.commands.check_machine())};
}

NextStep measure_longer(const Question& question, int visit_s) {
  if (is_of(question, schema::Origin::api)) {
    return {fmt::format("Run the program again with visits of {} s.", visit_s)};
  }
  const int blocks =
      std::max(question.header().plan.blocks, static_cast<int>(timing::kPairsToProve));
  const double seconds = cost_s(question, blocks, visit_s);
  const findings::Again again{question.header(), {}, {}, visit_s, budget_for(question, seconds)};
  return {fmt::format("Measure longer visits ({}).", about(seconds)),
          shell_command(question.options.commands.again(again))};
}

std::string measure_sizes(const Question& question, const std::vector<int64_t>& sizes) {
  return run_again(question, with_those_measured(question, sizes), std::nullopt);
}

std::string verify_again(const Question& question) {
  return shell_command(question.options.commands.diagnose(question.header()));
}

}  // namespace batchscope::analyze

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/timing/evidence.hpp"
#include "question.hpp"
#include "run_cost.hpp"

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

// Enough for what is asked, where the run would end at its own budget before; a search has its own
// part of it.
std::optional<int> budget_for(const Question& question, const RunCost& cost) {
  constexpr double kReserve = 2;  // visits may turn out longer than they were
  const schema::MeasurementPlan& plan = question.header().plan;
  const double now = plan.budget_s;
  const double of_main = cost.main_s / schema::share_of_main_part(plan);
  const double needed =
      kReserve * (schema::shares_budget(plan) ? std::max(of_main, cost.all_s) : of_main);
  if (needed <= now) return std::nullopt;
  return static_cast<int>(std::ceil(needed));
}

// What to do: where most visits were disturbed, with a quiet machine first.
std::string on_a_quiet_machine(const Question& question, const std::string& what) {
  const auto& machine = question.machine;
  if (!machine.mostly) return base::capitalised(what);
  return machine.fix.empty()
             ? "On a quieter machine, " + what
             : fmt::format("Make the machine quieter ({}). Then {}", machine.fix, what);
}

// A diagnosis goes on for as long as it has something to find out, within the budget.
std::string about(const Question& question, const RunCost& cost, std::optional<int> budget_s) {
  const schema::MeasurementPlan& plan = question.header().plan;
  const std::string words = "about " + base::format_seconds(cost.all_s);
  const bool bounded = plan.diagnose && (budget_s || plan.budget_fixed) && !plan.diagnose_budget_s;
  if (!bounded) return words;
  return words + ", at most " + base::format_seconds(budget_s ? *budget_s : plan.budget_s);
}

// A search that its budget ended has it once more.
bool is_unfinished(const Question& question) {
  if (question.views.size() != 1 || is_of(question, schema::Origin::api)) return false;
  const auto& end = question.views.front().run->end;
  if (!end || end->reason == schema::EndReason::interrupted) return true;
  return is_of(question, schema::Origin::tune) && end->reason == schema::EndReason::budget;
}

// What failed whenever it was tried would again.
std::vector<int64_t> with_those_measured(const Question& question,
                                         const std::vector<int64_t>& sizes) {
  std::set<int64_t> all(sizes.begin(), sizes.end());
  const auto& view = question.views.front();
  for (const schema::RunConfig& config : view.run->configs) all.insert(config.shape.batch_size);
  for (const int64_t size : sizes_that_failed(view)) all.erase(size);
  return {all.begin(), all.end()};
}

// Blocks that the run measured: of a search those of its comparison.
int blocks_made(const Question& question) {
  const auto purpose =
      is_of(question, schema::Origin::tune) ? schema::Purpose::verify : schema::Purpose::measure;
  std::map<int, int> made;
  for (const schema::Visit& visit : question.views.front().run->visits) {
    if (visit.purpose == purpose) ++made[visit.config];
  }
  int most = 0;
  for (const auto& [config, n] : made) most = std::max(most, n);
  return most;
}

// Fewer than are needed to prove anything prove nothing, however little they scatter; and a few
// more than there were tell no more than those did.
int worth_measuring(const Question& question, int wanted) {
  const int made = blocks_made(question);
  return std::max({wanted, static_cast<int>(timing::kPairsToProve), made + (made + 1) / 2});
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
  const findings::CommandLine words =
      question.options.commands.resume({question.header(), names.empty() ? "" : names.front()});
  return NextStep{"The run did not finish: resume it.", shell_command(words)};
}

NextStep show_it(const Question& question) {
  return {"Show the full run on one page.",
          shell_command(question.options.commands.report(std::vector(question.options.names))),
          true};
}

NextStep measure_more(const Question& question, std::optional<int> blocks_needed) {
  if (is_of(question, schema::Origin::imported)) {
    // The model is a name in a table, not one that could be run.
    return {"A recorded table has no repeats in fresh processes: measure the model itself."};
  }
  if (is_of(question, schema::Origin::api)) {
    return {"Run the program again for each size, in a fresh process."};
  }
  if (blocks_needed) {
    const int blocks = worth_measuring(question, *blocks_needed);
    const RunCost cost = cost_again(*question.views.front().run, blocks, 0);
    const auto budget_s = budget_for(question, cost);
    const findings::Again again{question.header(),      {}, blocks, {}, budget_s,
                                question.machine.mostly};
    const std::string what =
        fmt::format("measure about {} ({}) to settle it, if the difference is real.",
                    base::counted(blocks, "block"), about(question, cost, budget_s));
    return {on_a_quiet_machine(question, what),
            shell_command(question.options.commands.again(again))};
  }
  const std::string fix = question.machine.fix;
  return {fix.empty() ? "Measure on a quieter machine, or with pinned cores."
                      : fmt::format("Make the machine quieter: {}.", fix),
          shell_command(question.options.commands.check_machine())};
}

NextStep measure_longer(const Question& question, int visit_s) {
  if (is_of(question, schema::Origin::api)) {
    return {fmt::format("Run the program again with visits of {} s each.", visit_s)};
  }
  if (visit_s <= question.header().plan.min_visit_s) {
    return {"No practical length of visits would settle it: use the simplest setting."};
  }
  const int blocks =
      std::max(question.header().plan.blocks, static_cast<int>(timing::kPairsToProve));
  const RunCost cost = cost_again(*question.views.front().run, blocks, visit_s);
  const auto budget_s = budget_for(question, cost);
  const findings::Again again{question.header(), {},       {},
                              visit_s,           budget_s, question.machine.mostly};
  return {on_a_quiet_machine(question, fmt::format("measure longer visits ({}).",
                                                   about(question, cost, budget_s))),
          shell_command(question.options.commands.again(again))};
}

std::string measure_sizes(const Question& question, const std::vector<int64_t>& sizes) {
  return run_again(question, with_those_measured(question, sizes), std::nullopt);
}

std::string verify_again(const Question& question) {
  return shell_command(question.options.commands.diagnose(question.header()));
}

}  // namespace batchscope::analyze

#include "stage_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/schema/visit.hpp"
#include "batchscope/timing/evidence.hpp"

namespace batchscope::study {
namespace {

double seconds(int64_t ns) {
  return static_cast<double>(ns) * 1e-9;
}

bool cost_a_visit(const schema::Event& event) {
  return schema::is_failure(event) && event.where.config && event.where.block;
}

// Those of its configurations that the run has.
std::set<int> configs_of(const schema::RunFile& run, const measure::Stage& stage) {
  std::set<int> configs(stage.again.begin(), stage.again.end());
  for (const schema::RunConfig& added : stage.added) {
    const auto found = std::find(run.configs.begin(), run.configs.end(), added);
    if (found != run.configs.end()) configs.insert(static_cast<int>(found - run.configs.begin()));
  }
  return configs;
}

std::set<int> given_up(const schema::RunFile& run) {
  std::map<int, int> failures;
  for (const schema::Event& event : run.events) {
    if (cost_a_visit(event)) ++failures[*event.where.config];
  }
  std::set<int> configs;
  for (const auto& [config, count] : failures) {
    if (count >= timing::kFailuresToGiveUp) configs.insert(config);
  }
  return configs;
}

// Its blocks, begun or whole, each with the configurations that were tried.
std::map<int, std::set<int>> tried_by_block(const schema::RunFile& run,
                                            const measure::Stage& stage) {
  std::map<int, std::set<int>> blocks;
  for (const schema::Visit& visit : run.visits) {
    if (visit.purpose == stage.purpose) blocks[visit.block].insert(visit.config);
  }
  // In a stage of controls the others are measured as in the main part.
  for (const schema::Visit& visit : run.visits) {
    const auto block = blocks.find(visit.block);
    if (block != blocks.end()) block->second.insert(visit.config);
  }
  for (const schema::Event& event : run.events) {
    const auto block = cost_a_visit(event) ? blocks.find(*event.where.block) : blocks.end();
    if (block != blocks.end()) block->second.insert(*event.where.config);
  }
  return blocks;
}

double spent_s(const schema::RunFile& run, const std::map<int, std::set<int>>& blocks,
               schema::Purpose purpose) {
  double sum = spent_on_s(run, {purpose});
  for (const schema::Event& event : run.events) {
    if (event.where.block && blocks.contains(*event.where.block)) sum += seconds(event.wall_ns);
  }
  return sum;
}

double block_cost_s(const schema::RunFile& run, const measure::Stage& stage) {
  double sum = 0, known = 0;
  int count = 0;
  std::vector<schema::RunConfig> configs = stage.added;
  for (const int index : stage.again) configs.push_back(run.configs[static_cast<size_t>(index)]);
  for (const schema::RunConfig& config : configs) {
    const double cost = visit_cost_s(run, config);
    known += cost;
    count += cost > 0 ? 1 : 0;
  }
  // What was never visited costs as much as the others.
  if (count > 0) sum = known / count * static_cast<double>(configs.size());
  return sum;
}

schema::Event reported(std::string message, double needed, const BudgetShare& purse) {
  constexpr double kSpare = 1.1;
  schema::Event event;
  event.kind = schema::EventKind::warning;
  event.what = std::move(message);
  event.fix = fmt::format("use --diagnose=budget={:.0f}s",
                          std::ceil(kSpare * (purse.spent_s + needed) / purse.share));
  return event;
}

}  // namespace

double visit_cost_s(const schema::RunFile& run, const schema::RunConfig& config) {
  for (auto visit = run.visits.rbegin(); visit != run.visits.rend(); ++visit) {
    const bool timed = visit->purpose != schema::Purpose::diagnostic;
    if (timed && run.configs[static_cast<std::size_t>(visit->config)] == config) {
      return seconds(visit->wall_ns);
    }
  }
  return 0;
}

int full_blocks(const schema::RunFile& run, const measure::Stage& stage) {
  std::set<int> wanted = configs_of(run, stage);
  for (const int config : given_up(run)) wanted.erase(config);
  const auto blocks = tried_by_block(run, stage);
  return static_cast<int>(std::count_if(blocks.begin(), blocks.end(), [&](const auto& block) {
    const std::set<int>& tried = block.second;
    return std::includes(tried.begin(), tried.end(), wanted.begin(), wanted.end());
  }));
}

double spent_on_s(const schema::RunFile& run, std::initializer_list<schema::Purpose> purposes) {
  double sum = 0;
  for (const schema::Visit& visit : run.visits) {
    if (base::contains(purposes, visit.purpose)) sum += seconds(visit.wall_ns);
  }
  return sum;
}

void take_off(const schema::RunFile& run, measure::Stage& stage) {
  stage.budget_s -= spent_s(run, tried_by_block(run, stage), stage.purpose);
  stage.blocks -= full_blocks(run, stage);
}

double needed_s(const schema::RunFile& run, const measure::Stage& stage) {
  const auto blocks = tried_by_block(run, stage);
  std::size_t visits = 0;
  for (const auto& [block, tried] : blocks) visits += tried.size();
  const auto all = static_cast<double>(stage.again.size() + stage.added.size());
  if (visits > 0) {
    const double each = spent_s(run, blocks, stage.purpose) / static_cast<double>(visits);
    return stage.blocks * all * each;
  }
  return stage.blocks * block_cost_s(run, stage);
}

std::size_t size_of(const measure::Stage& stage) {
  return stage.added.size() + stage.again.size();
}

std::optional<schema::Event> too_small_a_budget(const schema::RunFile& run,
                                                const measure::Stage& stage,
                                                const BudgetShare& purse) {
  const int made = full_blocks(run, stage);
  if (made >= stage.blocks) return std::nullopt;
  const double needed = needed_s(run, stage);
  return reported(
      fmt::format("the diagnosis budget was enough for {} of {} of {} (about {:.0f} s)", made,
                  base::counted(stage.blocks, "block"), purse.what, std::ceil(needed)),
      needed, purse);
}

std::optional<schema::Event> left_out_for_budget(const schema::RunFile& run,
                                                 const measure::Stage& stage,
                                                 const measure::Stage& wanted,
                                                 const BudgetShare& purse) {
  const double needed = needed_s(run, wanted);
  return reported(
      fmt::format("the diagnosis budget was enough for {} of the {} of {} (about {:.0f} s)",
                  size_of(stage), base::counted(size_of(wanted), "configuration"), purse.what,
                  std::ceil(needed)),
      needed, purse);
}

}  // namespace batchscope::study

#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>

#include "batchscope/measure/session.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::study {

// Wall time of the latest timed visit of the configuration; 0: none was made.
double visit_cost_s(const schema::RunFile& run, const schema::RunConfig& config);

// The blocks of this stage that hold all of its configurations: what is compared in them is whole.
// A visit that failed counts, and one that was not made any more because its configuration was
// given up.
int full_blocks(const schema::RunFile& run, const measure::Stage& stage);

// Of all visits that were made for one of these.
double spent_on_s(const schema::RunFile& run, std::initializer_list<schema::Purpose> purposes);

// Takes off the stage what an interrupted run had made of it: its whole blocks, and the time of all
// its visits.
void take_off(const schema::RunFile& run, measure::Stage& stage);

// Seconds that all blocks of the stage take, by what its visits took so far, else by those of the
// same configurations.
double needed_s(const schema::RunFile& run, const measure::Stage& stage);

// What a part of the diagnosis may spend, for messages.
struct BudgetShare {
  std::string what;    // "the verification"
  double share = 1;    // of the budget for diagnosis
  double spent_s = 0;  // of that share, before this part
};

// Says that the budget was not enough for the stage, and what would be; nothing where the stage is
// whole.
std::optional<schema::Event> too_small_a_budget(const schema::RunFile& run,
                                                const measure::Stage& stage,
                                                const BudgetShare& purse);

// How many configurations it visits a block.
std::size_t size_of(const measure::Stage& stage);

// The same where the stage was made smaller than what is wanted, to fit the budget.
std::optional<schema::Event> left_out_for_budget(const schema::RunFile& run,
                                                 const measure::Stage& stage,
                                                 const measure::Stage& wanted,
                                                 const BudgetShare& purse);

}  // namespace batchscope::study

#include "batchscope/capacity/max_batch_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "batchscope/base/file.hpp"
#include "fake_machine.hpp"

namespace batchscope::capacity {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_F(MaxBatchRun, FindsSoaksAndTellsTheLaw) {
  Machine machine;
  schema::RunFile run = new_run(plan_of());
  search(machine, run, plan_of());
  const FoundBatch found = found_batches(run, plan_of()).front();
  EXPECT_EQ(found.largest, 90);
  EXPECT_EQ(found.above->batch_size, 91);
  EXPECT_EQ(found.safe, 85);
  EXPECT_EQ(found.safe_bytes, kLimit / 100 * 95);
  EXPECT_EQ(found.soak->limit_bytes, found.safe_bytes);
  ASSERT_TRUE(found.memory);
  EXPECT_NEAR(found.memory->slope_bytes, 10 * kMiB, 1);
  EXPECT_EQ(run.end->reason, schema::EndReason::search_done);
  EXPECT_EQ(sink_.begun, 1);
  // Every try stands there before it is made, and after it.
  ASSERT_EQ(sink_.probes.size() % 2, 0U);
  for (std::size_t i = 0; i < sink_.probes.size(); i += 2) {
    EXPECT_TRUE(sink_.probes[i].outcome.empty());
    EXPECT_EQ(sink_.probes[i].batch_size, sink_.probes[i + 1].batch_size);
    EXPECT_FALSE(sink_.probes[i + 1].outcome.empty());
  }
}

// Tries of a second each, and a soak that would last for seven minutes.
TEST_F(MaxBatchRun, ABudgetHoldsWithinATry) {
  Machine machine;
  machine.soak_s = 420;
  schema::RunFile run = new_run(plan_of());
  run.header.plan.timeout_s = 600;
  run.header.plan.budget_s = 60;
  search(machine, run, plan_of());
  EXPECT_EQ(run.end->reason, schema::EndReason::budget);
  double spent_s = 0;
  for (const schema::Probe& probe : run.probes) {
    spent_s += static_cast<double>(probe.wall_ns) / 1e9;
  }
  EXPECT_NEAR(spent_s, 60, 1e-6);
  EXPECT_EQ(run.probes.back().outcome, ProbeOutcome::interrupted);
  const FoundBatch found = found_batches(run, plan_of()).front();
  EXPECT_EQ(found.largest, 90);
  EXPECT_FALSE(found.safe);
  EXPECT_FALSE(found.complete);
}

// As everywhere: the median, of two the middle between them.
TEST_F(MaxBatchRun, AProbeKeepsTheTypicalIteration) {
  Machine machine;
  machine.first_ns = 3'000'000;
  schema::RunFile run = new_run(plan_of());
  search(machine, run, plan_of());
  EXPECT_EQ(sink_.probes.at(1).iterations, 3);
  EXPECT_EQ(sink_.probes.at(1).iteration_ns, 2'000'000);
}

TEST_F(MaxBatchRun, CutOffAnywhereItComesToTheSame) {
  Machine full;
  schema::RunFile run = new_run(plan_of());
  search(full, run, plan_of());
  const std::vector<schema::Probe> lines = sink_.probes;
  for (std::size_t cut = 0; cut < lines.size(); ++cut) {
    std::filesystem::remove_all(folder_);
    schema::RunFile torn = new_run(plan_of());
    torn.report.valid_bytes = 1;
    torn.probes.assign(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(cut));
    Machine machine;
    search(machine, torn, plan_of());
    const FoundBatch found = found_batches(torn, plan_of()).front();
    EXPECT_EQ(found.largest, 90) << cut;
    EXPECT_EQ(found.safe, 85) << cut;
    EXPECT_EQ(open().find(ceiling_key(torn.header, torn.configs[0]), kLimit)->batch_size, 91);
  }
  EXPECT_EQ(sink_.begun, 1);
}

TEST_F(MaxBatchRun, ATryThatEndedTheSearchIsACeilingWhenMemoryMayHaveBeenWhy) {
  schema::Probe unfinished;
  unfinished.batch_size = 64;
  unfinished.limit_bytes = kLimit;
  unfinished.boot_id = "a";
  unfinished.oom_kills = 3;
  for (const bool killed : {true, false}) {
    std::filesystem::remove_all(folder_);
    schema::RunFile run = new_run(plan_of());
    run.report.valid_bytes = 1;
    run.probes = {unfinished};
    Machine machine;
    machine.kills = killed ? 4 : 3;
    search(machine, run, plan_of());
    const FoundBatch found = found_batches(run, plan_of()).front();
    EXPECT_EQ(found.largest, killed ? 63 : 90);
    EXPECT_THAT(found.above->message, HasSubstr(killed ? "the search was killed" : "as the test"));
    EXPECT_EQ(found.above->outcome == ProbeOutcome::believed_out_of_memory, killed);
    // Nobody saw it die: other runs are not bound by it.
    const auto known = open().find(ceiling_key(run.header, run.configs[0]), kLimit);
    EXPECT_EQ(known ? known->batch_size : 0, killed ? 0 : 91);
  }
}

TEST_F(MaxBatchRun, SomebodyElsesKillIsNotBelievedAgainstThePeaks) {
  Machine full;
  schema::RunFile run = new_run(plan_of());
  search(full, run, plan_of());
  const auto is_start = [](const schema::Probe& each) {
    return each.batch_size == 24 && each.outcome.empty();
  };
  const auto cut = std::find_if(sink_.probes.begin(), sink_.probes.end(), is_start);
  ASSERT_NE(cut, sink_.probes.end());
  const std::vector<schema::Probe> until(sink_.probes.begin(), cut + 1);
  for (const bool twice : {false, true}) {
    std::filesystem::remove_all(folder_);
    schema::RunFile torn = new_run(plan_of());
    torn.report.valid_bytes = 1;
    torn.probes = until;
    if (twice) {
      torn.probes.push_back(until.back());
      torn.probes.back().oom_kills = 1;
    }
    Machine machine;
    machine.kills = 2;
    search(machine, torn, plan_of());
    const FoundBatch found = found_batches(torn, plan_of()).front();
    EXPECT_EQ(found.largest, twice ? 23 : 90);
    EXPECT_EQ(found.above->outcome == ProbeOutcome::believed_out_of_memory, twice);
    schema::RunFile later = new_run(plan_of());
    search(machine, later, plan_of());
    EXPECT_EQ(found_batches(later, plan_of()).front().largest, 90);
  }
}

TEST_F(MaxBatchRun, AnotherBootIsTakenForMemory) {
  schema::RunFile run = new_run(plan_of());
  run.report.valid_bytes = 1;
  schema::Probe unfinished;
  unfinished.batch_size = 8;
  unfinished.limit_bytes = kLimit;
  unfinished.boot_id = "b";
  unfinished.oom_kills = 0;
  run.probes = {unfinished};
  Machine machine;
  search(machine, run, plan_of());
  EXPECT_EQ(found_batches(run, plan_of()).front().largest, 7);
}

TEST_F(MaxBatchRun, LaterRunsNeverCrossWhatDied) {
  Machine machine;
  schema::RunFile first = new_run(plan_of());
  search(machine, first, plan_of());
  machine.tried.clear();
  machine.each = kMiB;  // even if it would fit by now
  schema::RunFile later = new_run(plan_of());
  search(machine, later, plan_of());
  EXPECT_EQ(found_batches(later, plan_of()).front().largest, 90);
  EXPECT_EQ(found_batches(later, plan_of()).front().bound, MaxBatchBound::ceiling);
  EXPECT_THAT(machine.tried, Not(testing::Contains(testing::Ge(91))));
  // A larger limit is another question, a smaller one is not.
  const schema::MaxBatchSettings larger = plan_of(2 * kLimit), smaller = plan_of(kLimit / 2);
  schema::RunFile more = new_run(larger), less = new_run(smaller);
  search(machine, less, smaller);
  EXPECT_EQ(found_batches(less, smaller).front().largest, 90);
  search(machine, more, larger);
  EXPECT_GT(found_batches(more, larger).front().largest, 91);
  OomLimits ceilings = open();
  EXPECT_TRUE(ceilings.forget(ceiling_key(later.header, later.configs[0])));
  machine.each = 10 * kMiB;
  machine.base = 50 * kMiB;
  schema::RunFile anew = new_run(plan_of());
  search(machine, anew, plan_of());
  EXPECT_EQ(found_batches(anew, plan_of()).front().largest, 95);
}

TEST_F(MaxBatchRun, AProcessThatTheKernelKilledRanOutOfMemory) {
  Machine machine;
  machine.crash_from = 40;
  schema::RunFile run = new_run(plan_of());
  search(machine, run, plan_of());
  const FoundBatch found = found_batches(run, plan_of()).front();
  EXPECT_EQ(found.largest, 39);
  EXPECT_EQ(found.bound, MaxBatchBound::out_of_memory);
}

// Of a machine-wide count that rises while a worker ends by itself nothing follows.
TEST_F(MaxBatchRun, ACrashIsNoWantOfMemoryBecauseTheKernelKilledAnother) {
  Machine machine;
  machine.crash_from = 40;
  machine.crash_of_its_own = true;
  schema::RunFile run = new_run(plan_of());
  search(machine, run, plan_of());
  const FoundBatch found = found_batches(run, plan_of()).front();
  EXPECT_EQ(found.largest, 39);
  EXPECT_NE(found.bound, MaxBatchBound::out_of_memory);
  EXPECT_TRUE(std::none_of(run.probes.begin(), run.probes.end(), [](const schema::Probe& probe) {
    return probe.outcome == ProbeOutcome::out_of_memory;
  }));
}

TEST_F(MaxBatchRun, WhereNothingFitsItTellsByHowMuch) {
  Machine machine;
  machine.base = 3 * kLimit;
  schema::RunFile run = new_run(plan_of());
  search(machine, run, plan_of());
  const FoundBatch found = found_batches(run, plan_of()).front();
  EXPECT_EQ(found.largest, 0);
  ASSERT_TRUE(found.need);
  EXPECT_EQ(found.need->peak_bytes, 3 * kLimit + 10 * kMiB);
  EXPECT_EQ(machine.tried, (std::vector<int64_t>{1, 1}));
}

TEST_F(MaxBatchRun, AStopIsNotTakenForAKill) {
  Machine machine;
  machine.kill_after = 4;
  schema::RunFile run = new_run(plan_of());
  search(machine, run, plan_of());
  EXPECT_EQ(run.end->reason, schema::EndReason::interrupted);
  EXPECT_FALSE(found_batches(run, plan_of()).front().complete);
  machine.kill_after = -1;
  ++machine.kills;  // of somebody else's process, while this one was not running
  search(machine, run, plan_of());
  EXPECT_EQ(found_batches(run, plan_of()).front().largest, 90);
}

TEST_F(MaxBatchRun, APlanSurvivesItsHeader) {
  schema::MaxBatchSettings plan = plan_of();
  plan.margin = 0.1;
  plan.soak_s = 2.5;
  plan.max_batch_size = 77;
  plan.limit_held = false;
  schema::Header header;
  write_max_batch_plan(plan, header);
  const auto read = read_max_batch_plan(header);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->margin, 0.1);
  EXPECT_EQ(read->soak_s, 2.5);
  EXPECT_EQ(read->max_batch_size, 77);
  EXPECT_EQ(read->limit_bytes, kLimit);
  EXPECT_EQ(read->limit_of, "--memory-limit");
  EXPECT_EQ(read->machine_bytes, 4 * kLimit);
  EXPECT_FALSE(read->limit_held);
  EXPECT_FALSE(read_max_batch_plan(schema::Header{}));
}

TEST_F(MaxBatchRun, CeilingsOutliveTornLinesAndStrangers) {
  const auto path = folder_ / "state" / "ceilings.jsonl";
  OomLimits ceilings = open();
  ASSERT_TRUE(ceilings.add({"k", 64, 1000, "then"}));
  const std::string text = *base::read_file(path);
  ASSERT_TRUE(base::write_file_atomically(path, "[1]\nno json\n{\"key\":7}\n" + text + "{\"ke"));
  OomLimits again = open();
  EXPECT_EQ(again.find("k", 1000)->batch_size, 64);
  EXPECT_FALSE(again.find("k", 1001));
  EXPECT_FALSE(again.find("other", 1));
  ASSERT_TRUE(again.add({"k", 32, 500, "later"}));
  EXPECT_EQ(open().find("k", 500)->batch_size, 32);
  EXPECT_EQ(open().find("k", 800)->batch_size, 64);
  ASSERT_TRUE(again.forget("k"));
  EXPECT_FALSE(open().find("k", 1));
}

}  // namespace
}  // namespace batchscope::capacity

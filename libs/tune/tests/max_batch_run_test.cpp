#include "batchscope/tune/max_batch_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "batchscope/base/file.hpp"

namespace batchscope::tune {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int64_t kMiB = 1 << 20;
constexpr int64_t kLimit = 1000 * kMiB;

// A machine on which a batch takes 100 MiB + 10 MiB a sample.
struct Machine {
  int64_t base = 100 * kMiB, each = 10 * kMiB;
  std::optional<int64_t> crash_from;  // sizes whose process the kernel kills without a limit's help
  int kill_after = -1;                // visits, after which the search is stopped
  bool crash_of_its_own = false;      // while the kernel kills somebody else's
  int64_t kills = 0;
  std::string boot = "a";
  std::vector<int64_t> tried;
  std::stop_source stop;
};

class MachineExecutor final : public measure::VisitExecutor {
 public:
  MachineExecutor(Machine& machine, std::optional<int64_t> limit)
      : machine_(machine), limit_(limit.value_or(INT64_MAX)) {}

  base::Result<measure::VisitOutcome> visit(const measure::VisitRequest& request,
                                            std::stop_token) override {
    if (machine_.kill_after == std::ssize(machine_.tried)) {
      return base::Error{base::ErrorKind::interrupted, "", "", ""};
    }
    const int64_t size = request.run.shape.batch_size;
    machine_.tried.push_back(size);
    if (machine_.crash_from && size >= *machine_.crash_from) {
      ++machine_.kills;
      auto crashed = failure("crash");
      crashed.killed_for_unknown = !machine_.crash_of_its_own;
      return measure::VisitOutcome(std::move(crashed));
    }
    const int64_t peak = machine_.base + machine_.each * size;
    if (peak > limit_) return measure::VisitOutcome(failure("out-of-memory"));
    schema::Visit visit;
    visit.warmup_ns = {1'000'000};
    visit.samples_ns.assign(static_cast<std::size_t>(request.timed.fixed.value_or(20)), 1'000'000);
    visit.memory.peak_group_bytes = peak;
    visit.wall_ns = 1'000'000'000;
    return measure::VisitOutcome(visit);
  }

 private:
  static measure::VisitFailure failure(std::string kind) {
    measure::VisitFailure failed;
    failed.event.kind = std::move(kind);
    failed.event.message = "as the test has it";
    failed.wall_ns = 1'000'000'000;
    return failed;
  }

  Machine& machine_;
  int64_t limit_;
};

// Keeps the lines as the file would.
class LinesSink final : public measure::RunSink {
 public:
  base::Result<void> begin(const schema::Header&, std::span<const schema::RunConfig>) override {
    ++begun;
    return {};
  }
  base::Result<void> config(int, const schema::RunConfig&) override { return {}; }
  base::Result<void> visit(const schema::Visit&) override { return {}; }
  base::Result<void> event(const schema::Event&) override { return {}; }
  base::Result<void> outputs(const schema::OutputDifference&) override { return {}; }
  base::Result<void> probe(const schema::Probe& probe) override {
    probes.push_back(probe);
    return {};
  }
  base::Result<void> end(const schema::End&) override { return {}; }

  std::vector<schema::Probe> probes;
  int begun = 0;
};

MaxBatchPlan plan_of(int64_t limit = kLimit) {
  MaxBatchPlan plan;
  plan.limit_bytes = limit;
  plan.machine_bytes = 4 * kLimit;
  plan.limit_of = "--memory-limit";
  return plan;
}

schema::RunFile new_run(const MaxBatchPlan& plan) {
  schema::RunFile run;
  run.header.created = "2026-01-02T03:04:05Z";
  run.header.plan.budget_s = 3600;
  run.configs.emplace_back();
  run.configs.back().engine = "synthetic";
  run.configs.back().model = "m";
  write_max_batch_plan(plan, run.header);
  return run;
}

class MaxBatchRun : public testing::Test {
 protected:
  MaxBatchRun() {
    folder_ = std::filesystem::temp_directory_path() /
              ("max-batch-" + std::to_string(std::random_device{}()));
  }
  ~MaxBatchRun() override { std::filesystem::remove_all(folder_); }

  Ceilings open() {
    auto ceilings = Ceilings::open(folder_ / "state" / "ceilings.jsonl");
    EXPECT_TRUE(ceilings);
    return *std::move(ceilings);
  }

  void search(Machine& machine, schema::RunFile& run, const MaxBatchPlan& plan) {
    const MaxBatchCollaborators::MakeExecutor make = [&](std::optional<int64_t> limit, double) {
      return std::make_unique<MachineExecutor>(machine, limit);
    };
    Ceilings ceilings = open();
    const auto kills = [&] { return device::OomKills{machine.boot, machine.kills}; };
    const MaxBatchCollaborators with{make, sink_, ceilings, kills, nullptr, {}};
    const auto done = find_max_batches({}, plan, with, run);
    EXPECT_TRUE(done);
  }

  std::filesystem::path folder_;
  LinesSink sink_;
};

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
  EXPECT_EQ(run.end->reason, "search-done");
  EXPECT_EQ(sink_.begun, 1);
  // Every try stands there before it is made, and after it.
  ASSERT_EQ(sink_.probes.size() % 2, 0U);
  for (std::size_t i = 0; i < sink_.probes.size(); i += 2) {
    EXPECT_TRUE(sink_.probes[i].outcome.empty());
    EXPECT_EQ(sink_.probes[i].batch_size, sink_.probes[i + 1].batch_size);
    EXPECT_FALSE(sink_.probes[i + 1].outcome.empty());
  }
}

TEST_F(MaxBatchRun, CutOffAnywhereItComesToTheSame) {
  Machine whole;
  schema::RunFile run = new_run(plan_of());
  search(whole, run, plan_of());
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
    EXPECT_EQ(found.above->outcome == kBelievedOutOfMemory, killed);
    // Nobody saw it die: other runs are not bound by it.
    const auto known = open().find(ceiling_key(run.header, run.configs[0]), kLimit);
    EXPECT_EQ(known ? known->batch_size : 0, killed ? 0 : 91);
  }
}

TEST_F(MaxBatchRun, SomebodyElsesKillIsNotBelievedAgainstThePeaks) {
  Machine whole;
  schema::RunFile run = new_run(plan_of());
  search(whole, run, plan_of());
  const auto is_start = [](const schema::Probe& each) {
    return each.batch_size == 8 && each.outcome.empty();
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
    EXPECT_EQ(found.largest, twice ? 7 : 90);
    EXPECT_EQ(found.above->outcome == kBelievedOutOfMemory, twice);
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
  const MaxBatchPlan larger = plan_of(2 * kLimit), smaller = plan_of(kLimit / 2);
  schema::RunFile more = new_run(larger), less = new_run(smaller);
  search(machine, less, smaller);
  EXPECT_EQ(found_batches(less, smaller).front().largest, 90);
  search(machine, more, larger);
  EXPECT_GT(found_batches(more, larger).front().largest, 91);
  Ceilings ceilings = open();
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
    return probe.outcome == to_string(ProbeOutcome::out_of_memory);
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
  EXPECT_EQ(run.end->reason, "interrupted");
  EXPECT_FALSE(found_batches(run, plan_of()).front().complete);
  machine.kill_after = -1;
  ++machine.kills;  // of somebody else's process, while this one was not running
  search(machine, run, plan_of());
  EXPECT_EQ(found_batches(run, plan_of()).front().largest, 90);
}

TEST_F(MaxBatchRun, APlanSurvivesItsHeader) {
  MaxBatchPlan plan = plan_of();
  plan.margin = 0.1;
  plan.soak_s = 2.5;
  plan.at_most = 77;
  plan.held = false;
  schema::Header header;
  write_max_batch_plan(plan, header);
  const auto read = read_max_batch_plan(header);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->margin, 0.1);
  EXPECT_EQ(read->soak_s, 2.5);
  EXPECT_EQ(read->at_most, 77);
  EXPECT_EQ(read->limit_bytes, kLimit);
  EXPECT_EQ(read->limit_of, "--memory-limit");
  EXPECT_EQ(read->machine_bytes, 4 * kLimit);
  EXPECT_FALSE(read->held);
  EXPECT_FALSE(read_max_batch_plan(schema::Header{}));
}

TEST_F(MaxBatchRun, CeilingsOutliveTornLinesAndStrangers) {
  const auto path = folder_ / "state" / "ceilings.jsonl";
  Ceilings ceilings = open();
  ASSERT_TRUE(ceilings.add({"k", 64, 1000, "then"}));
  const std::string text = *base::read_file(path);
  ASSERT_TRUE(base::write_file_atomically(path, "[1]\nno json\n{\"key\":7}\n" + text + "{\"ke"));
  Ceilings again = open();
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
}  // namespace batchscope::tune

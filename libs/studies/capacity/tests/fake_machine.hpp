#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "batchscope/capacity/max_batch_run.hpp"

namespace batchscope::capacity {

inline constexpr int64_t kMiB = 1 << 20;
inline constexpr int64_t kLimit = 1000 * kMiB;

// A machine on which a batch takes 100 MiB + 10 MiB a sample.
struct Machine {
  int64_t first_ns = 1'000'000;  // of the timed iterations of a visit
  int64_t base = 100 * kMiB, each = 10 * kMiB;
  std::optional<int64_t> crash_from;  // sizes whose process the kernel kills without a limit's help
  int kill_after = -1;                // visits, after which the search is stopped
  bool crash_of_its_own = false;      // while the kernel kills somebody else's
  // An accelerator of so many bytes, of which the allocator keeps whatever it once had, and loses
  // some between what it hands out.
  std::optional<int64_t> device_bytes;
  int64_t lost = 0;
  int64_t soak_extra = 0;  // that a soak takes on top
  double soak_s = 1;       // that it lasts
  std::vector<double> timeouts_s;
  int64_t kills = 0;
  std::string boot = "a";
  std::vector<int64_t> tried, held_back;
  std::stop_source stop;
};

class MachineExecutor final : public measure::VisitExecutor {
 public:
  MachineExecutor(Machine& machine, std::optional<int64_t> limit, double timeout_s)
      : machine_(machine), limit_(limit.value_or(INT64_MAX)), timeout_s_(timeout_s) {
    machine_.timeouts_s.push_back(timeout_s);
  }

  base::Result<measure::VisitOutcome> visit(const measure::VisitRequest& request,
                                            std::stop_token) override {
    if (machine_.kill_after == std::ssize(machine_.tried)) {
      return base::Error{base::ErrorKind::interrupted, "", "", ""};
    }
    const int64_t size = request.run.shape.batch_size;
    machine_.tried.push_back(size);
    machine_.held_back.push_back(request.held_back_bytes);
    if (machine_.crash_from && size >= *machine_.crash_from) {
      ++machine_.kills;
      auto crashed = failure(schema::EventKind::crash);
      crashed.killed_for_unknown = !machine_.crash_of_its_own;
      return measure::VisitOutcome(std::move(crashed));
    }
    const int64_t extra = request.timed.fixed ? 0 : machine_.soak_extra;
    const int64_t peak = machine_.base + machine_.each * size + extra;
    const int64_t room = machine_.device_bytes.value_or(limit_) - request.held_back_bytes;
    if (peak + machine_.lost > room)
      return measure::VisitOutcome(failure(schema::EventKind::out_of_memory));
    const double lasts_s = request.timed.fixed ? 1 : machine_.soak_s;
    if (lasts_s > timeout_s_) {
      auto cut = failure(schema::EventKind::timeout);
      cut.wall_ns = std::llround(1e9 * timeout_s_);
      return measure::VisitOutcome(cut);
    }
    schema::Visit visit;
    visit.warmup_ns = {1'000'000};
    visit.samples_ns.assign(static_cast<std::size_t>(request.timed.fixed.value_or(20)), 1'000'000);
    visit.samples_ns.front() = machine_.first_ns;
    if (machine_.device_bytes) {
      visit.memory.peak_allocated_bytes = peak;
      visit.memory.peak_reserved_bytes = std::min(2 * peak, room);
    } else {
      visit.memory.peak_group_bytes = peak;
    }
    visit.wall_ns = std::llround(1e9 * lasts_s);
    return measure::VisitOutcome(visit);
  }

 private:
  static measure::VisitFailure failure(schema::EventKind kind) {
    measure::VisitFailure failed;
    failed.event = {{"as the test has it", {}, ""}, kind};
    failed.wall_ns = 1'000'000'000;
    return failed;
  }

  Machine& machine_;
  int64_t limit_;
  double timeout_s_;
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

inline schema::MaxBatchSettings plan_of(int64_t limit = kLimit) {
  schema::MaxBatchSettings plan;
  plan.limit_bytes = limit;
  plan.machine_bytes = 4 * kLimit;
  plan.limit_of = "--memory-limit";
  return plan;
}

inline schema::RunFile new_run(const schema::MaxBatchSettings& plan) {
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

  OomLimits open() {
    auto ceilings = OomLimits::open(folder_ / "state" / "ceilings.jsonl");
    EXPECT_TRUE(ceilings);
    return *std::move(ceilings);
  }

  void search(Machine& machine, schema::RunFile& run, const schema::MaxBatchSettings& plan) {
    const MaxBatchCollaborators::MakeExecutor make = [&](std::optional<int64_t> limit,
                                                         double timeout_s) {
      return std::make_unique<MachineExecutor>(machine, limit, timeout_s);
    };
    OomLimits ceilings = open();
    const auto kills = [&] { return host::OomKills{machine.boot, machine.kills}; };
    const MaxBatchCollaborators with{make, sink_, ceilings, kills, nullptr, {}};
    const auto done = find_max_batches({}, plan, with, run);
    EXPECT_TRUE(done);
  }

  std::filesystem::path folder_;
  LinesSink sink_;
};

}  // namespace batchscope::capacity

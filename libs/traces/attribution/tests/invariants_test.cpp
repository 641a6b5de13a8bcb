#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "batchscope/attribution/attribution.hpp"
#include "batchscope/trace/reader.hpp"
#include "trace_simulator/families.hpp"

namespace batchscope::attribution {
namespace {

using trace_simulator::Act;
using trace_simulator::Case;
using trace_simulator::draw_case;
using trace_simulator::Effort;
using trace_simulator::families;
using trace_simulator::Family;
using trace_simulator::HostKind;
using trace_simulator::HostThread;
using trace_simulator::Instruction;
using trace_simulator::KinetoText;
using trace_simulator::Program;
using trace_simulator::Random;
using trace_simulator::simulate;
using trace_simulator::Workload;

constexpr uint64_t kFirstInvariantSeed = 2000;
constexpr uint64_t kSeeds = 3;

KinetoText text_of(const Case& drawn) {
  return kineto_text(drawn.program, simulate(drawn.program), drawn.style);
}

trace::Trace read(const std::string& text, int threads = 1) {
  auto trace = trace::TraceReader({.threads = threads}).parse(text, "made");
  EXPECT_TRUE(trace);
  return trace ? *std::move(trace) : trace::Trace{};
}

// Some of every family.
class Invariant : public testing::Test {
 protected:
  template <class Check>
  static void for_all(Check check) {
    for (const Family& family : families()) {
      for (uint64_t seed = kFirstInvariantSeed; seed < kFirstInvariantSeed + kSeeds; ++seed) {
        SCOPED_TRACE(std::string(family.name) + ", seed " + std::to_string(seed));
        check(draw_case(family, seed));
      }
    }
  }
};

// Alike but for a shift of time.
void expect_same(const Attribution& a, const Attribution& b, int64_t shift_ns = 0) {
  ASSERT_EQ(a.devices.size(), b.devices.size());
  for (size_t i = 0; i < a.devices.size(); ++i) {
    std::vector<Piece> moved = a.devices[i].pieces;
    for (Piece& piece : moved) {
      piece.start_ns += shift_ns;
      piece.end_ns += shift_ns;
    }
    EXPECT_TRUE(moved == b.devices[i].pieces);
    EXPECT_EQ(a.devices[i].parts, b.devices[i].parts);
    EXPECT_EQ(a.devices[i].orphans, b.devices[i].orphans);
    ASSERT_EQ(a.devices[i].largest_gaps.size(), b.devices[i].largest_gaps.size());
    for (size_t gap = 0; gap < a.devices[i].largest_gaps.size(); ++gap) {
      EXPECT_EQ(a.devices[i].largest_gaps[gap].cause, b.devices[i].largest_gaps[gap].cause);
    }
  }
  ASSERT_EQ(a.steps.size(), b.steps.size());
  for (size_t i = 0; i < a.steps.size(); ++i) EXPECT_EQ(a.steps[i].devices, b.steps[i].devices);
}

TEST_F(Invariant, PartsSumToTheWallExactly) {
  for_all([](const Case& drawn) {
    const Attribution found = attribute(read(text_of(drawn).full()));
    for (const DeviceTime& device : found.devices) {
      EXPECT_EQ(device.parts.wall_ns(), device.wall_ns());
      for (size_t i = 1; i < device.pieces.size(); ++i) {
        EXPECT_EQ(device.pieces[i].start_ns, device.pieces[i - 1].end_ns);
        EXPECT_GT(device.pieces[i].end_ns, device.pieces[i].start_ns);
      }
      for (const Gap& gap : device.largest_gaps) {
        EXPECT_EQ(gap.parts.idle_ns(), gap.end_ns - gap.start_ns);
      }
    }
    for (const Step& step : found.steps) {
      for (const TimeParts& parts : step.devices) EXPECT_EQ(parts.wall_ns(), step.wall_ns());
    }
  });
}

TEST_F(Invariant, TheOrderOfEventsSaysNothing) {
  for_all([](const Case& drawn) {
    KinetoText text = text_of(drawn);
    const Attribution before = attribute(read(text.full()));
    Random random(1);
    for (size_t i = text.events.size(); i > 1; --i) {
      const int other = random.full(0, static_cast<int>(i) - 1);
      std::swap(text.events[i - 1], text.events[static_cast<size_t>(other)]);
    }
    expect_same(before, attribute(read(text.full())));
  });
}

TEST_F(Invariant, TheTimeOfDaySaysNothing) {
  for_all([](Case drawn) {
    const Attribution before = attribute(read(text_of(drawn).full()));
    constexpr int64_t kShift = -987'654'321'000;
    drawn.style.begin_ns += kShift;
    expect_same(before, attribute(read(text_of(drawn).full())), kShift);
  });
}

bool is_operator(const std::string& name) {
  return name.starts_with("aten::") || name.ends_with("Backward0");
}

// Kernels but for collectives, operators, and Python's functions but for the loader's.
void rename(Program& program) {
  for (HostThread& thread : program.threads) {
    for (Instruction& step : thread.script) {
      const bool loads = step.name.find("dataloader") != std::string::npos;
      if (is_operator(step.name)) step.name = "my::op" + std::to_string(step.name.size());
      if (step.act == Act::open && step.kind == HostKind::python && !loads) step.name = "f";
      for (auto& work : step.work) {
        const bool is_copy = work.kind != trace_simulator::DeviceKind::kernel;
        if (!is_copy && !work.is_collective) work.name = "k" + std::to_string(work.name.size());
      }
    }
  }
}

TEST_F(Invariant, NamesOfOperatorsKernelsAndFunctionsSayNothing) {
  for_all([](Case drawn) {
    const Attribution before = attribute(read(text_of(drawn).full()));
    rename(drawn.program);
    expect_same(before, attribute(read(text_of(drawn).full())));
  });
}

TEST_F(Invariant, NumbersOfProcessesAndThreadsSayNothing) {
  for_all([](Case drawn) {
    const Attribution before = attribute(read(text_of(drawn).full()));
    drawn.style.process += 12'345;
    for (HostThread& thread : drawn.program.threads) thread.id = 900'000 - thread.id;
    expect_same(before, attribute(read(text_of(drawn).full())));
  });
}

// What a reader makes of a row, whatever numbers it gave to names.
std::vector<std::string> rows_of(const trace::Trace& trace) {
  std::vector<std::string> rows;
  for (size_t row = 0; row < trace.activities.size(); ++row) {
    const trace::Activity each = trace.activities.row(row);
    const trace::Track& track = trace.tracks[each.track];
    rows.push_back(std::to_string(each.start_ns) + ' ' + std::to_string(each.duration_ns) + ' ' +
                   std::to_string(each.correlation) + ' ' + std::string(trace.name_of(row)) + ' ' +
                   std::string(to_string(each.kind)) + ' ' + std::to_string(track.process) + ' ' +
                   std::to_string(track.thread) + ' ' + std::to_string(track.device) + ' ' +
                   std::to_string(track.stream) + ' ' + track.name);
  }
  return rows;
}

// Several blocks of a megabyte, so that threads have something to share.
TEST(ReadersThreads, AnyNumberReadsTheSame) {
  Random random(7);
  Workload workload;
  workload.steps = 60;
  workload.operators = 40;
  Case drawn;
  drawn.program = make_program(workload, random);
  const std::string text = text_of(drawn).full();
  ASSERT_GT(text.size(), size_t{8} << 20);
  const trace::Trace first = read(text, 1);
  const std::vector<std::string> rows = rows_of(first);
  const Attribution before = attribute(first);
  for (const int threads : {2, 3, 4}) {
    const trace::Trace trace = read(text, threads);
    EXPECT_EQ(trace.read, first.read);
    EXPECT_TRUE(rows_of(trace) == rows) << threads << " threads";
    expect_same(before, attribute(trace));
  }
}

// The last thing that is done for a sample, in each step.
void load_longer(Program& program, int64_t ns) {
  for (HostThread& thread : program.threads) {
    Instruction* last = nullptr;
    for (Instruction& step : thread.script) {
      if (step.act == Act::spend && step.effort == Effort::loading) last = &step;
      if (last == nullptr || step.act != Act::call) continue;
      last->ns += ns;
      last = nullptr;
    }
  }
}

TEST(Loader, TimeThatIsAddedUnderItIsAllThatChanges) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Workload workload;
    workload.trains = random.chance(0.5);
    workload.loading = trace_simulator::Loading::in_thread;
    workload.batch_us = random.uniform(2000, 6000);
    workload.waiting = trace_simulator::Waiting::device;  // so that the device idles under it
    Case drawn;
    drawn.program = make_program(workload, random);
    const DeviceTime before = attribute(read(text_of(drawn).full())).devices.at(0);
    const int64_t added = random.full(1'000, 20'000'000);
    load_longer(drawn.program, added);
    const DeviceTime after = attribute(read(text_of(drawn).full())).devices.at(0);
    TimeParts expected = before.parts;
    expected[Part::data_loading] += added * workload.steps;
    EXPECT_EQ(after.parts, expected);
  }
}

}  // namespace
}  // namespace batchscope::attribution

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

#include "batchscope/trace/reader.hpp"
#include "scores.hpp"
#include "trace_simulator/families.hpp"

namespace batchscope::attribution {
namespace {

using trace_simulator::Case;
using trace_simulator::DeviceTruth;
using trace_simulator::draw_case;
using trace_simulator::families;
using trace_simulator::Family;
using trace_simulator::kCauses;
using trace_simulator::kineto_text;
using trace_simulator::simulate;
using trace_simulator::Timeline;
using trace_simulator::truth_of;
using trace_simulator::World;

// 25 families of 21 are 525 traces. Not the seeds that the rules were made with.
constexpr int kTracesOfAFamily = 21;
constexpr uint64_t kFirstTruthSeed = 1000;

// Of a trace that idles less, a share says little; it counts by its time alone.
constexpr double kIdles = 0.02;

struct FamilyScore {
  Score all;
  int traces = 0;
  int that_idle = 0;
  double sum_of_shares = 0;
  double worst = 1;
  uint64_t worst_seed = 0;
  int64_t wall_ns = 0;
  double least_busy = 1;        // in truth
  double least_found_busy = 1;  // in what is tested

  double mean() const { return that_idle > 0 ? sum_of_shares / that_idle : 1; }
};

void score_case(const Family& family, uint64_t seed, FamilyScore& into) {
  const Case drawn = draw_case(family, seed);
  const Timeline line = simulate(drawn.program);
  const std::vector<DeviceTruth> truths = truth_of(drawn.program, line, has_steps(drawn));
  const auto trace = trace::TraceReader({.threads = 1})
                         .parse(kineto_text(drawn.program, line, drawn.style).full(), "made");
  ASSERT_TRUE(trace);
  const Attribution found = attribute(*trace);
  ASSERT_EQ(found.devices.size(), truths.size());
  Score score;
  int64_t wall_ns = 0;
  for (size_t i = 0; i < truths.size(); ++i) {
    score += score_of(truths[i], found.devices[i], drawn.style);
    wall_ns += truths[i].end_ns - truths[i].start_ns;
    into.least_busy = std::min(into.least_busy, truths[i].busy_share());
    into.least_found_busy = std::min(into.least_found_busy, found.devices[i].parts.busy_share());
  }
  into.wall_ns += wall_ns;
  into.all += score;
  ++into.traces;
  if (static_cast<double>(score.idle_ns) < kIdles * static_cast<double>(wall_ns)) return;
  ++into.that_idle;
  into.sum_of_shares += score.share();
  if (score.share() > into.worst) return;
  into.worst = score.share();
  into.worst_seed = seed;
}

double percent(int64_t part, int64_t full) {
  return full > 0 ? 100 * static_cast<double>(part) / static_cast<double>(full) : 0;
}

void print_head() {
  std::printf("%-22s %6s %6s %6s %6s %5s", "family", "idle", "right", "mean", "worst", "seed");
  for (size_t i = 0; i < kCauses; ++i) {
    const auto cause = static_cast<trace_simulator::Cause>(i);
    std::printf(" %16s", std::string(trace_simulator::to_string(cause)).c_str());
  }
  std::printf("\n%52s  milliseconds, in truth and as found\n", "");
}

void print_row(const std::string& name, const FamilyScore& row) {
  std::printf("%-22s %5.1f%% %5.1f%% %5.1f%% %5.1f%% %5d", name.c_str(),
              percent(row.all.idle_ns, row.wall_ns), 100 * row.all.share(), 100 * row.mean(),
              100 * row.worst, static_cast<int>(row.worst_seed));
  for (size_t i = 0; i < kCauses; ++i) {
    std::printf(" %7.1f /%7.1f", static_cast<double>(row.all.truth[i]) / 1e6,
                static_cast<double>(row.all.found[i]) / 1e6);
  }
  std::printf("\n");
}

void add(FamilyScore& to, const FamilyScore& more) {
  to.all += more.all;
  to.traces += more.traces;
  to.that_idle += more.that_idle;
  to.sum_of_shares += more.sum_of_shares;
  to.wall_ns += more.wall_ns;
  if (more.worst > to.worst) return;
  to.worst = more.worst;
  to.worst_seed = more.worst_seed;
}

TEST(Truth, IdleTimeHasItsTrueCause) {
  print_head();
  FamilyScore all;
  for (const Family& family : families()) {
    SCOPED_TRACE(family.name);
    FamilyScore row;
    for (int i = 0; i < kTracesOfAFamily; ++i) {
      score_case(family, kFirstTruthSeed + static_cast<uint64_t>(i), row);
      if (HasFatalFailure()) return;
    }
    print_row(std::string(family.name), row);
    EXPECT_GE(row.all.share(), 0.95);
    // What the device and what launching takes cannot always be told apart where it is a
    // microsecond or two.
    EXPECT_GE(row.mean(), 0.935);
    // Of two threads that share a device a trace does not tell which of them it waits for.
    EXPECT_GE(row.worst, family.name == "shared device" ? 0.63 : 0.82) << row.worst_seed;
    if (family.is_healthy) {
      // The steps begin with loading that nothing hides yet.
      EXPECT_GE(row.least_busy, 0.90);
      EXPECT_GE(row.least_found_busy, 0.90);
    }
    add(all, row);
  }
  print_row("all", all);
  EXPECT_GE(all.traces, 500);
  EXPECT_GE(all.all.share(), 0.994);
  EXPECT_GE(all.mean(), 0.98);
}

// The truth itself is held against what it is made of: it adds up to the idle time, and in loops
// that have one cause the idle time is gone in a world without that.
struct Removal {
  const char* family;
  trace_simulator::Cause cause;
  World without;
  double at_least;  // of the cause's time
};

class TruthItself : public testing::TestWithParam<Removal> {};

TEST_P(TruthItself, IsGoneWithoutItsCause) {
  const Removal& removal = GetParam();
  const auto family = std::find_if(families().begin(), families().end(),
                                   [&](const Family& each) { return each.name == removal.family; });
  ASSERT_NE(family, families().end());
  int64_t blamed = 0;
  int64_t gone = 0;
  for (uint64_t seed = kFirstTruthSeed; seed < kFirstTruthSeed + 20; ++seed) {
    const Case drawn = draw_case(*family, seed);
    const Timeline line = simulate(drawn.program);
    for (const DeviceTruth& truth : truth_of(drawn.program, line)) {
      EXPECT_EQ(truth.idle_ns(), idle_ns(drawn.program, line, World{}, truth.device));
      blamed += truth[removal.cause];
      gone += truth.idle_ns() - idle_ns(drawn.program, line, removal.without, truth.device);
    }
  }
  EXPECT_GT(blamed, 10'000'000);
  EXPECT_GE(static_cast<double>(gone), removal.at_least * static_cast<double>(blamed));
}

INSTANTIATE_TEST_SUITE_P(
    Families, TruthItself,
    testing::Values(Removal{"loads in its thread", trace_simulator::Cause::loading,
                            World{.loading_takes_time = false}, 0.95},
                    Removal{"slow workers", trace_simulator::Cause::loading,
                            World{.loading_takes_time = false}, 0.95},
                    Removal{"host work", trace_simulator::Cause::host_work,
                            World{.host_work_takes_time = false}, 0.95},
                    Removal{"pauses", trace_simulator::Cause::host_work,
                            World{.host_work_takes_time = false}, 0.95},
                    Removal{"waits often", trace_simulator::Cause::synchronisation,
                            World{.calls_wait = false}, 0.95},
                    Removal{"allocates", trace_simulator::Cause::synchronisation,
                            World{.calls_wait = false}, 0.95},
                    // Some of it is between what was launched ahead.
                    Removal{"launches", trace_simulator::Cause::launching,
                            World{.launching_takes_time = false}, 0.8}),
    [](const auto& each) {
      std::string name = each.param.family;
      std::replace(name.begin(), name.end(), ' ', '_');
      return name;
    });

}  // namespace
}  // namespace batchscope::attribution

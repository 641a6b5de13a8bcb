#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/trace/reader.hpp"
#include "trace_simulator/families.hpp"
#include "trace_simulator/truth.hpp"

namespace batchscope::advice {
namespace {

using findings::Finding;
using findings::Severity;
using trace_simulator::Case;
using trace_simulator::Cause;
using trace_simulator::DeviceTruth;
using trace_simulator::families;
using trace_simulator::Family;

// Not the seeds that the rules were made with.
constexpr uint64_t kFirstSeed = 5000;

struct Judged {
  std::vector<DeviceTruth> truths;
  TraceSummary summary;
};

Judged judged(const Family& family, uint64_t seed) {
  const Case drawn = draw_case(family, seed);
  const trace_simulator::Timeline line = simulate(drawn.program);
  const std::string text = kineto_text(drawn.program, line, drawn.style).full();
  const auto trace = trace::TraceReader({.threads = 1}).parse(text, "made");
  if (!trace) return {};
  return {truth_of(drawn.program, line, drawn.style.writes_steps()), summarise(*trace)};
}

bool alarms(const Finding& finding) {
  return finding.severity >= Severity::medium;
}

std::string reported(const TraceSummary& summary) {
  std::string all = summary.message;
  for (const Finding& finding : summary.findings) all += "\n  " + finding.id + ": " + finding.what;
  return all;
}

// Of a device that is busy for more than 95 % of its time. Communication that nothing hides keeps
// a device busy too, and has a finding of its own.
TEST(SimulatedTraces, HealthyOnesRaiseNoAlarm) {
  constexpr int kOfAFamily = 100;
  int traces = 0, alarmed = 0;
  std::string first;
  for (const Family& family : families()) {
    if (!family.is_healthy || family.name == "exposed communication") continue;
    for (int i = 0; i < kOfAFamily; ++i) {
      const Judged one = judged(family, kFirstSeed + static_cast<uint64_t>(i));
      ASSERT_FALSE(one.truths.empty()) << family.name;
      ++traces;
      const auto& found = one.summary.findings;
      if (std::none_of(found.begin(), found.end(), alarms)) continue;
      ++alarmed;
      first +=
          std::string(family.name) + " " + std::to_string(i) + ": " + reported(one.summary) + "\n";
    }
  }
  RecordProperty("traces", traces);
  RecordProperty("alarmed", alarmed);
  ASSERT_GE(traces, 500);
  EXPECT_LE(alarmed, traces / 50) << alarmed << " of " << traces << ":\n" << first;
}

struct Kind {
  Cause cause;
  std::string_view finding;
};
constexpr std::array<Kind, 4> kKinds{{{Cause::loading, "trace.data-loading"},
                                      {Cause::host_work, "trace.host-work"},
                                      {Cause::synchronisation, "trace.synchronisation"},
                                      {Cause::launching, "trace.launch-bound"}}};

double share(const DeviceTruth& truth, Cause cause) {
  const int64_t wall = truth.end_ns - truth.start_ns;
  return wall > 0 ? static_cast<double>(truth[cause]) / static_cast<double>(wall) : 0;
}

struct Tally {
  int there = 0, missed = 0;   // causes that take a fifth of the time; without an alarm
  int alarms = 0, untrue = 0;  // that blame what does not even take a fiftieth
  int too_high = 0;            // gains whose upper end no mending could bring
  std::string examples;
};

void add(const Judged& one, const Kind& kind, const std::string& name, Tally& tally) {
  double largest = 0;
  for (const DeviceTruth& truth : one.truths) {
    largest = std::max(largest, share(truth, kind.cause));
  }
  const auto& all = one.summary.findings;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Finding& each) { return each.id == kind.finding; });
  const bool alarmed = found != all.end() && alarms(*found);
  const bool is_there = largest >= 0.20;
  const bool missed = is_there && !alarmed;
  const bool untrue = alarmed && largest < 0.02;
  const bool too_high =
      found != all.end() && found->gain && found->gain->high > 1.1 * largest + 0.03;
  tally.there += is_there ? 1 : 0;
  tally.missed += missed ? 1 : 0;
  tally.alarms += alarmed ? 1 : 0;
  tally.untrue += untrue ? 1 : 0;
  tally.too_high += too_high ? 1 : 0;
  if (!missed && !untrue && !too_high) return;
  tally.examples += name + ", " + std::string(kind.finding) + " in truth " +
                    std::to_string(largest) + ": " + reported(one.summary) + "\n";
}

TEST(SimulatedTraces, WhatIsReportedIsTrueAndWhatIsTrueIsReported) {
  constexpr int kOfAFamily = 20;
  Tally tally;
  for (const Family& family : families()) {
    for (int i = 0; i < kOfAFamily; ++i) {
      const Judged one = judged(family, kFirstSeed + static_cast<uint64_t>(i));
      ASSERT_FALSE(one.truths.empty()) << family.name;
      const std::string name = std::string(family.name) + " " + std::to_string(i);
      for (const Kind& kind : kKinds) add(one, kind, name, tally);
    }
  }
  RecordProperty("there", tally.there);
  RecordProperty("missed", tally.missed);
  RecordProperty("alarms", tally.alarms);
  RecordProperty("untrue", tally.untrue);
  RecordProperty("too_high", tally.too_high);
  ASSERT_GE(tally.there, 200);
  EXPECT_LE(tally.missed, tally.there / 50) << tally.examples;
  EXPECT_LE(tally.untrue, tally.alarms / 100) << tally.examples;
  EXPECT_LE(tally.too_high, tally.alarms / 20) << tally.examples;
}

}  // namespace
}  // namespace batchscope::advice

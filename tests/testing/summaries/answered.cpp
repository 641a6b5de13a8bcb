#include "testing/summaries/answered.hpp"

#include <string>

#include "testing/summaries/fixtures.hpp"

namespace batchscope::fixtures {
namespace {

using findings::Answer;
using findings::Estimate;
using findings::Summary;

Answer batch_4(const Summary& summary) {
  const findings::ConfigRow& row = summary.groups.front().rows[2];
  Answer answer;
  answer.kind = findings::AnswerKind::setting;
  answer.confidence = findings::Confidence::verified;
  answer.fitness = findings::MachineFitness::quiet;
  answer.headline = "Use batch 4";
  answer.setting = "batch 4";
  answer.config = row.config;
  answer.throughput_per_s = row.throughput_per_s;
  answer.latency = findings::AnsweredLatency{.typical_ms = row.time_ms,
                                             .p95_ms = {134.2, stats::Interval{132.9, 136.1}},
                                             .p99_ms = {141.0, {}}};
  answer.gain = Estimate{0.112, stats::Interval{0.09, 0.135}};
  answer.against = "batch 1";
  answer.sure = "6 fresh visits of each show it";
  answer.machine = "load below 0.1 CPUs";
  answer.next = "Set batch 4 where the model is served.";
  return answer;
}

}  // namespace

Summary answered() {
  Summary summary = one_group();
  summary.answer = batch_4(summary);
  findings::Finding& dominated = summary.findings.front();
  dominated.evidence.front() = {
      "excess_over_split", {0.1214, stats::Interval{0.10, 0.14}}, "ratio"};
  return summary;
}

Summary hopeless() {
  Summary summary = one_group();
  summary.recommendations.clear();
  summary.words.clear();
  summary.findings.clear();
  findings::Group& group = summary.groups.front();
  group.best_sizes.clear();
  group.knee.reset();
  for (findings::ConfigRow& row : group.rows) {
    row.verdict = findings::Verdict::untestable;
    for (Estimate* each : {&row.time_ms, &row.per_sample_ms, &row.throughput_per_s}) {
      each->ci = stats::Interval{0.2 * each->value, 5 * each->value};
    }
  }
  // Two visits have an interval as wide as anything.
  group.rows.front().n = 2;
  summary.answer.kind = findings::AnswerKind::setting;
  summary.answer.confidence = findings::Confidence::cannot_tell;
  summary.answer.fitness = findings::MachineFitness::disturbed;
  summary.answer.headline = "Cannot tell which batch size is best";
  summary.answer.sure = "the intervals are wider than any difference";
  summary.answer.machine = "other processes were busy in 9 of 12 visits";
  summary.answer.next = "Measure again on a quiet machine";
  summary.answer.command = "measure distilbert 1 2 4 8";
  return summary;
}

Summary compared() {
  Summary summary = three_groups();
  summary.answer.kind = findings::AnswerKind::comparison;
  summary.answer.confidence = findings::Confidence::shown;
  summary.answer.fitness = findings::MachineFitness::quiet;
  summary.answer.headline = "bf16 takes 44 % less time than fp32";
  summary.answer.gain = Estimate{-0.44, stats::Interval{-0.45, -0.43}};
  summary.answer.against = "fp32";
  summary.answer.sure = "12 pairs of visits";
  findings::Gate gate;
  gate.margin = 0.03;
  summary.gates = {gate};
  return summary;
}

}  // namespace batchscope::fixtures

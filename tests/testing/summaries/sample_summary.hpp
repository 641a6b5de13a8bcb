#pragma once

#include "batchscope/findings/summary.hpp"
#include "testing/runs/sample_run.hpp"

namespace batchscope::findings {

inline ConfigRow sample_row() {
  ConfigRow row;
  row.config = schema::sample_mix_config();
  row.time_ms = {200, stats::Interval{190, 210}};
  row.per_sample_ms = {50, stats::Interval{47.5, 52.5}};
  row.mean_ms = {202, stats::Interval{191, 213}};
  row.slow_share = 0.01;
  row.throughput_per_s = {20, std::nullopt};
  row.expected_ms = 201.2;
  row.efficiency = Estimate{1.006, stats::Interval{0.9, 1.1}};
  row.jump = Estimate{0.625, std::nullopt};
  row.relative_slowdown = Estimate{1.39, std::nullopt};
  row.prepare_ms = 3;
  row.fragmentation = 0.25;
  row.minor_faults_per_iteration = 400;
  row.system_time_share = 0.1;
  row.loss = 0.5;
  row.tokens = TokenFacts{90, 120, 0.25, {450, stats::Interval{440, 460}}};
  row.skipped_steps = 2;
  row.n = 12;
  row.n_iterations = 240;
  row.phases = {{"forward", 190, 180.5, 0.95}, {"other", 10, std::nullopt, 0.05}};
  row.memory.peak_rss_bytes = 5;
  row.distribution.p90_ms = Estimate{210, std::nullopt};
  row.distribution.p95_ms = Estimate{215, stats::Interval{212, 219}};
  row.distribution.p99_ms = Estimate{220, std::nullopt};
  row.distribution.p50_ms = Estimate{199, stats::Interval{198, 200}};
  row.verdict = Verdict::proven;
  row.departs = Deviation::slower;
  return row;
}

inline Diagnostics sample_diagnostics() {
  Diagnostics diagnostics;
  diagnostics.tracer = "kineto";
  diagnostics.sizes = {
      {4, 10.5, 11.5, 1, 0, 9, 0.5, 2, 3, {{"cycles", 1e6}}, 2, 1.25, 1e9, 0.5, 0.75, 0}};
  diagnostics.operations = {
      {"aten::addmm", "operator", {OperationCost{12, 6.5}, std::nullopt}, 0.25}};
  diagnostics.primitives = {{"brgemm", "matmul", {OperationCost{24, 5}}, 0}};
  diagnostics.absent = {{"counters", "not permitted"}};
  return diagnostics;
}

inline Group sample_group(const ConfigRow& row) {
  Group group;
  group.key = schema::without_batch_size(row.config);
  group.label = "distilbert";
  group.rows = {row};
  group.best_sizes = {4};
  group.knee = 4;
  group.saturation = 4;
  group.smallest_provable_excess = 0.045;
  group.good_sizes = {4};
  group.untested_sizes = {2};
  group.set_aside = {{row.config, LeftOutReason::out_of_memory}};
  group.suggested_controls = {3, 5};
  group.diagnostics = sample_diagnostics();
  group.law = TimeLaw{"affine", "1 ms", {1, 2}, 0.01, 4};
  group.memory_laws = {{MemoryPeak::allocated,
                        3e8,
                        1e6,
                        0.2,
                        4,
                        {{4, 5e7}},
                        1 << 30,
                        "--memory-limit",
                        700,
                        "286 MiB + 977 KiB a sample"}};
  return group;
}

inline Finding sample_finding(const ConfigRow& row) {
  Finding finding;
  finding.id = "scaling.dominated";
  finding.table = "bf16, 2 threads";
  finding.severity = Severity::high;
  finding.status = Status::proven;
  finding.where = row.config;
  finding.batch_sizes = {4};
  finding.evidence = {{"relative_slowdown", {1.39, stats::Interval{1.3, 1.5}}, "ratio"}};
  finding.what = "Batch size 4 is slower per sample.";
  finding.cause = "page faults";
  finding.fix = "set GLIBC_TUNABLES";
  finding.doc = "batchscope help scaling.dominated";
  finding.p_value = 0.001;
  finding.gain = stats::Interval{0.1, 0.2};
  finding.gain_unit = "ratio";
  return finding;
}

// The same, elsewhere than in a run.
inline Finding sample_finding_at(Place place) {
  Finding finding;
  finding.id = "scaling.dominated";
  finding.where = std::move(place);
  finding.what = "Something is slow here.";
  return finding;
}

inline Answer sample_answer(const schema::RunConfig& config) {
  Answer answer;
  answer.kind = AnswerKind::setting;
  answer.confidence = Confidence::verified;
  answer.fitness = MachineFitness::quiet;
  answer.headline = "Use batch 4";
  answer.setting = "batch 4";
  answer.config = config;
  answer.throughput_per_s = Estimate{20, stats::Interval{19, 21}};
  answer.latency = AnsweredLatency{
      {200, stats::Interval{190, 210}}, {215, stats::Interval{212, 219}}, {220, std::nullopt}};
  answer.gain = Estimate{0.12, stats::Interval{0.1, 0.14}};
  answer.against = "batch 1";
  answer.sure = "in 12 fresh visits that took no part in choosing it";
  answer.machine = "quiet";
  answer.next = "See it on one page.";
  answer.command = "batchscope report run.jsonl -o report.html";
  put_lines(answer);
  return answer;
}

inline Tuning sample_tuning(const schema::RunConfig& config) {
  TunedPoint point;
  point.config = config;
  point.setting = "batch 4, bf16, cpu, 2 threads, torch";
  point.throughput_per_s = 20;
  point.time_ms = point.mean_ms = point.latency_ms = 200;
  point.memory_bytes = 1 << 20;
  point.visits = 16;
  TunedPoint other = point;
  other.feasible = false;
  other.left_out = "engine b does not compute what a does";
  Tuning tuning;
  tuning.run = "tune.jsonl";
  tuning.objective = Objective::cost;
  tuning.latency_of = LatencyStatistic::p90;
  tuning.latency_budget_ms = 250;
  tuning.memory_limit_bytes = 1 << 30;
  tuning.price_per_hour = 0.5;
  tuning.points = {point, other};
  tuning.pick = tuning.standard = 0;
  tuning.unconfirmed_best = 1;
  tuning.visits_needed = 40;
  tuning.fresh = FreshFigures{18, 210, 222, 215, 12};
  tuning.latency_front = tuning.memory_front = {0};
  tuning.contrasts = {{config,
                       "the default",
                       {0.2, stats::Interval{0.1, 0.3}},
                       12,
                       {0.2, stats::Interval{0.1, 0.4}}}};
  tuning.latency = LatencyCheck{
      LatencyStatistic::p99, LatencyStatistic::p90, 210, stats::Interval{205, 215}, 60, 368, true};
  tuning.verified = true;
  tuning.good_sizes = {2, 4};
  tuning.cost_per_million = 6.9;
  tuning.points_measured = 2;
  tuning.points_total = 12;
  tuning.visits = 20;
  tuning.message = "Use batch 4.";
  tuning.verdict = "Verified.";
  tuning.advice = {"Another learning rate."};
  tuning.warnings = {"1 point is not chosen from"};
  tuning.share_of_best = 0.99;
  tuning.best = config;
  tuning.answer = sample_answer(config);
  return tuning;
}

inline Gate sample_gate(const schema::RunConfig& config) {
  Gate gate;
  gate.name = GateName::regression;
  gate.margin = 0.03;
  gate.message = "Cannot tell";
  gate.advice = "Measure about 30 blocks.";
  GateCheck check;
  check.name = "batch 4: new against old";
  check.message = "new takes 2 % more time than old";
  check.config = config;
  check.slowdown = Estimate{0.02, stats::Interval{-0.01, 0.05}};
  check.at_best = -0.02;
  check.smallest_shown = 0.06;
  check.detectable = 0.07;
  check.n = 12;
  check.needed = 30;
  gate.checks = {check};
  return gate;
}

inline LoaderRow sample_loader(const schema::RunConfig& config) {
  const StepTime step{10, {12, stats::Interval{11, 13}}, {2, stats::Interval{1, 3}}};
  LoaderRow row;
  row.config = config;
  row.n = 12;
  row.iteration_ms = step.iteration_ms;
  row.handover_ms = 1;
  row.samples = 1000;
  row.copies = schema::BatchCopies{300'000, 900'000, 200'000};
  row.begun = schema::WorkerMemory{200'000'000, 30'000'000};
  row.ended = schema::WorkerMemory{210'000'000, 90'000'000};
  row.steps = {step};
  row.between = {step};
  row.shortest_step_ms = Estimate{11, stats::Interval{10, 12}};
  return row;
}

// One of everything that a summary can hold.
inline Summary sample_summary() {
  const ConfigRow row = sample_row();
  Summary summary;
  summary.groups = {sample_group(row)};
  summary.findings = {sample_finding(row), sample_finding_at(TraceStep{3, 120}),
                      sample_finding_at(GpuMoment{2, {}, 1}),
                      sample_finding_at(ProcessMoment{4711, "python3", {}}),
                      sample_finding_at(MachineMoment{})};
  Comparison comparison;
  comparison.axis = "precision";
  comparison.base = "fp32";
  comparison.other = "bf16";
  comparison.config = row.config;
  comparison.ratio = {0.5, stats::Interval{0.4, 0.6}};
  comparison.base_ms = 20;
  comparison.other_ms = 10;
  comparison.margin = 0.03;
  comparison.test = ComparisonTest::paired;
  comparison.losses = LossPair{8, 0.6929, 0.6931};
  comparison.outputs = schema::OutputDifference{1, 0, 0.9999, 1e-5, 768};
  comparison.other_config = row.config;
  comparison.slow_visits = SlowVisits{0, 12, 2, 12, 0.6};
  comparison.by_mean = MeanRatio{{0.55, stats::Interval{0.5, 0.6}}, true};
  InputRun input;
  input.path = "run.jsonl";
  input.half_width = 0.02;
  summary.comparisons = {comparison};
  summary.gates = {sample_gate(row.config)};
  summary.inputs = {input};
  summary.words = {"Batch size 4 is best."};
  summary.warnings = {"noisy \xFF"};
  Recommendation recommendation;
  recommendation.config = row.config;
  recommendation.gain = Estimate{0.12, std::nullopt};
  recommendation.ties = {8};
  recommendation.good_sizes = {4, 8};
  recommendation.untested_sizes = {16};
  recommendation.larger_sizes = {16, 32};
  recommendation.left_out = {{row.config, LeftOutReason::latency}};
  recommendation.gain_against = "batch_size 1";
  Recommendation open = recommendation;
  open.undecided = true;
  open.gain.reset();
  open.unconfirmed_best = row.config;
  open.blocks_needed = 40;
  open.open_gain = Estimate{0.04, stats::Interval{-0.12, 0.24}};
  summary.recommendations = {recommendation, open};
  summary.tunings = {sample_tuning(row.config)};
  summary.loaders = {sample_loader(row.config)};
  summary.answer = sample_answer(row.config);
  return summary;
}

}  // namespace batchscope::findings

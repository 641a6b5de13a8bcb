#include "testing/summaries/fixtures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::fixtures {
namespace {

using findings::CommandLine;
using findings::ConfigRow;
using findings::Estimate;
using findings::Group;
using findings::Measurement;
using findings::Summary;

// An interval that is symmetric in logarithms, as those of the analysis are; none without noise.
Estimate around(double value, double relative) {
  if (relative == 0) return {value, {}};
  return {value, stats::Interval{value * std::exp(-relative), value * std::exp(relative)}};
}

findings::Distribution distribution(double median, double noise) {
  findings::Distribution result;
  result.median_ms = median;
  result.q1_ms = median * (1 - 0.7 * noise);
  result.q3_ms = median * (1 + 0.8 * noise);
  result.whisker_low_ms = median * (1 - 1.9 * noise);
  result.whisker_high_ms = median * (1 + 2.6 * noise);
  result.min_ms = result.whisker_low_ms;
  result.max_ms = median * (1 + 9 * noise);
  result.mild_outliers = 2;
  result.extreme_outliers = 1;
  result.points_ms = {median * (1 + 3.1 * noise), median * (1 + 3.4 * noise), result.max_ms};
  result.p50_ms = around(median, noise / 3);
  result.p90_ms = around(median * (1 + 1.6 * noise), noise / 2);
  return result;
}

ConfigRow make_row(const schema::RunConfig& key, int64_t size, double time, double noise) {
  const auto count = static_cast<double>(size);
  ConfigRow row;
  row.config = key;
  row.config.shape.batch_size = size;
  row.time_ms = around(time, noise);
  row.per_sample_ms = around(time / count, noise);
  row.throughput_per_s = around(1000 * count / time, noise);
  row.batches_per_s = 1000 / time;
  row.verdict = noise == 0 ? findings::Verdict::suspect : findings::Verdict::ok;
  row.n = noise == 0 ? 1 : 12;
  row.n_iterations = noise == 0 ? 1 : 60;
  row.time_mean_ms = time * 1.004;
  if (noise > 0) row.distribution = distribution(time, noise);
  return row;
}

struct Point {
  int64_t size;
  double time;
};

Group make_group(const schema::RunConfig& key, std::string label, const std::vector<Point>& points,
                 double noise) {
  Group group;
  group.key = key;
  group.key.shape.batch_size = 0;
  group.label = std::move(label);
  group.base_batch_size = points.front().size;
  const double base = points.front().time / static_cast<double>(points.front().size);
  for (const Point& point : points) {
    ConfigRow row = make_row(group.key, point.size, point.time, noise);
    row.config_index = static_cast<int>(group.rows.size());
    const double expected = base * static_cast<double>(point.size);
    const double own = group.rows.empty() ? 0 : noise;  // the base against itself is exactly one
    row.expected_ms = expected;
    row.efficiency = around(expected / point.time, own);
    row.relative_slowdown = around(point.time / expected, own);
    if (!group.rows.empty()) {
      const Point& before = points[group.rows.size() - 1];
      row.jump = around(point.time / before.time / static_cast<double>(point.size) *
                            static_cast<double>(before.size),
                        own);
    }
    group.rows.push_back(std::move(row));
    group.good_sizes.push_back(point.size);
  }
  return group;
}

schema::RunConfig distilbert() {
  schema::RunConfig config;
  config.engine = "torch";
  config.model = "distilbert";
  config.shape = {0, 64};
  config.threads = 2;
  return config;
}

findings::InputRun vm_run() {
  findings::InputRun run;
  run.path = "results/batch_profile.jsonl";
  run.created = "2026-03-01T12:00:00Z";
  run.host = "vm-17";
  run.cpu = "AMD EPYC 7B13, 2 cores";
  run.end_reason = schema::EndReason::blocks_done;
  run.blocks = 12;
  run.wall_s = 68.2;
  run.iteration_share = 0.715;
  run.half_width = 0.013;
  return run;
}

// Shares that sum to one, "other" the rest.
void add_phases(ConfigRow& row, const std::vector<std::pair<std::string, double>>& shares) {
  double rest = 1;
  for (const auto& [name, share] : shares) {
    row.phases.push_back({name, share * row.time_mean_ms, {}, share});
    rest -= share;
  }
  row.phases.push_back({"other", rest * row.time_mean_ms, {}, rest});
}

void add_cpu_facts(Group& group) {
  for (ConfigRow& row : group.rows) {
    const auto size = static_cast<double>(row.config.shape.batch_size);
    add_phases(row, {{"h2d", 0.004}, {"forward", 0.962}, {"d2h", 0.012}, {"sync", 0.002}});
    row.prepare_ms = 0.21 + 0.02 * size;
    row.memory.peak_rss_bytes = static_cast<int64_t>((540 + 9.5 * size) * 1048576);
    row.minor_faults_per_iteration = size >= 8 ? 31250.4 : 2.5;
    row.system_time_share = size >= 8 ? 0.081 : 0.004;
  }
}

schema::RunConfig at_batch(schema::RunConfig key, int64_t batch_size) {
  key.shape.batch_size = batch_size;
  return key;
}

findings::Finding dominated(const schema::RunConfig& key) {
  findings::Finding finding;
  finding.id = "scaling.dominated";
  finding.severity = findings::Severity::medium;
  finding.status = findings::Status::proven;
  finding.where = at_batch(key, 8);
  finding.batch_sizes = {8};
  finding.what = "Batch 8 takes 12 % longer than two batches of 4 one after the other.";
  finding.evidence = {{"excess over 4 + 4", around(1.12, 0.02), "ratio"},
                      {"minor faults", {31250, {}}, "an iteration"}};
  finding.p_value = 0.00002;
  finding.cause = "not examined";
  finding.gain = stats::Interval{0.09, 0.125};
  finding.gain_unit = "ratio";
  finding.fix = "Send batches of 4 instead of 8.";
  finding.doc = "batchscope help scaling.dominated";
  return finding;
}

findings::Finding departs(const schema::RunConfig& key) {
  findings::Finding finding;
  finding.id = "scaling.departure";
  finding.where = at_batch(key, 4);
  finding.batch_sizes = {2, 4};
  finding.what = "One of batch 2 and 4 departs from the law of the other sizes.";
  finding.evidence = {{"residual at 4", around(0.94, 0.05), "ratio"}};
  finding.p_value = 0.081;
  finding.fix = "Measure batch 3 and 6 too.";
  return finding;
}

}  // namespace

Summary seed_table() {
  schema::RunConfig key = distilbert();
  key.engine = "imported";
  key.shape.seq_len.reset();
  Summary summary;
  findings::InputRun run;
  run.path = "run.jsonl";
  summary.inputs = {run};
  summary.groups = {make_group(key, "distilbert fp32 cpu",
                               {{1, 50.30}, {2, 140.09}, {4, 175.25}, {8, 504.16}}, 0)};
  Group& group = summary.groups.front();
  group.rows.front().verdict = findings::Verdict::untestable;
  group.departure_verdict = "untestable";
  group.best_sizes = {4};
  group.suggested_controls = {3, 6};
  summary.words = {"Batch 2 takes 39 % longer per sample than batch 1.",
                   "Batch 4 is the fastest per sample.",
                   "There are no repeats, so none of this can be told from noise."};
  return summary;
}

Summary one_group() {
  Summary summary;
  summary.inputs = {vm_run()};
  const schema::RunConfig key = distilbert();
  summary.groups = {make_group(key, "distilbert, 64 tokens, fp32, cpu, 2 threads",
                               {{1, 36.12}, {2, 67.31}, {4, 129.88}, {8, 291.4}}, 0.013)};
  Group& group = summary.groups.front();
  add_cpu_facts(group);
  group.rows.back().verdict = findings::Verdict::proven;
  group.rows.back().departs = findings::Deviation::slower;
  group.best_sizes = {4};
  group.knee = 4;
  group.saturation = 2;
  group.good_sizes = {1, 2, 4};
  group.suggested_controls = {3, 6};
  group.departure_verdict = "one of 2, 4";
  group.law = findings::TimeLaw{"affine", "4.9 ms + 31.2 ms x batch_size", {4.9, 31.2}, 0.121, 8};
  summary.findings = {dominated(key), departs(key)};
  findings::Recommendation recommendation;
  recommendation.config = group.rows[2].config;
  recommendation.throughput_per_s = 30.8;
  recommendation.latency_ms = 129.88;
  recommendation.gain = around(0.112, 0.2);
  recommendation.gain_against = "batch_size 1";
  recommendation.points_measured = recommendation.points_total = 4;
  recommendation.message = "Use batch 4.";
  summary.recommendations = {recommendation};
  summary.words = {"Bigger batches help up to 4.", "Batch 8 is slower than two batches of 4."};
  summary.warnings = {"block 3: the hypervisor gave 4 % of the CPU time to others"};
  return summary;
}

Summary three_groups() {
  Summary summary = one_group();
  const std::vector<Point> bf16 = {{1, 21.4}, {2, 37.2}, {4, 72.9}, {8, 140.3}};
  const std::vector<Point> fp16 = {{1, 44.8}, {2, 91.9}, {4, 190.2}, {8, 366.0}};
  schema::RunConfig key = distilbert();
  key.precision = schema::Precision::bf16;
  summary.groups.push_back(
      make_group(key, "distilbert, 64 tokens, bf16, cpu, 2 threads", bf16, 0.02));
  key.precision = schema::Precision::fp16;
  summary.groups.push_back(
      make_group(key, "distilbert, 64 tokens, fp16, cpu, 2 threads", fp16, 0.15));
  summary.groups[2].rows[1].verdict = findings::Verdict::suspect;
  add_cpu_facts(summary.groups[1]);
  add_cpu_facts(summary.groups[2]);
  findings::Comparison faster;
  faster.axis = "precision";
  faster.base = "fp32";
  faster.other = "bf16";
  faster.config = summary.groups[0].rows[2].config;
  faster.ratio = around(0.561, 0.018);
  faster.test = findings::ComparisonTest::paired;
  faster.n = 12;
  faster.p_value = 1e-9;
  faster.significant = true;
  faster.message = "bf16 is 44 % faster at batch 4, interval 43 to 45 %.";
  findings::Comparison unclear = faster;
  unclear.other = "fp16";
  unclear.ratio = around(1.24, 0.3);
  unclear.p_value = 0.31;
  unclear.significant = false;
  unclear.message = "fp16 and fp32 are not told apart at batch 1.";
  summary.comparisons = {faster, unclear};
  return summary;
}

Summary single_size() {
  Summary summary;
  summary.inputs = {vm_run()};
  summary.groups = {
      make_group(distilbert(), "distilbert, 64 tokens, fp32, cpu, 2 threads", {{4, 129.88}}, 0.01)};
  add_cpu_facts(summary.groups.front());
  summary.groups.front().departure_verdict = "untestable";
  return summary;
}

Summary many_sizes() {
  const std::vector<int64_t> sizes = {1,  2,  3,  4,   6,   8,   12,  16,  24,  32,
                                      48, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
  std::vector<Point> points;
  for (const int64_t size : sizes) {
    const double waves = std::ceil(static_cast<double>(size) / 16);
    points.push_back({size, 2.1 + 1.3 * waves + (size == 24 ? 1.9 : 0)});
  }
  schema::RunConfig key = distilbert();
  key.model = "resnet50";
  key.shape.seq_len.reset();
  key.device = "cuda:0";
  key.precision = schema::Precision::fp16;
  Summary summary;
  summary.inputs = {vm_run()};
  summary.groups = {make_group(key, "resnet50, fp16, cuda:0", points, 0.01)};
  for (ConfigRow& row : summary.groups.front().rows) {
    const auto size = static_cast<double>(row.config.shape.batch_size);
    add_phases(row, {{"h2d", 0.05 + 0.0001 * size}, {"forward", 0.8}, {"d2h", 0.03}});
    row.memory.peak_rss_bytes = int64_t{2400} * 1048576;
    row.memory.peak_allocated_bytes = static_cast<int64_t>((98 + 23.5 * size) * 1048576);
    row.memory.peak_reserved_bytes = static_cast<int64_t>((120 + 26.0 * size) * 1048576);
    row.fragmentation = 0.1;
    if (row.config.shape.batch_size != 24) continue;
    row.verdict = findings::Verdict::proven;
    row.departs = findings::Deviation::faster;
  }
  summary.groups.front().best_sizes = {768, 1024};
  return summary;
}

const std::string& hostile_name() {
  static const std::string name =
      std::string(
          "\x1b[31mred\x1b]0;title\x07|<script>alert(1)</script>`reboot`$(reboot)'\"\\n\n") +
      "\x01\x7f\xc2\x9b"
      "31m{/Bold x}^2_3@@\xe2\x80\xaetxt\xff" +
      std::string(300, 'A') + "\r\t;end";
  return name;
}

Summary hostile() {
  Summary summary = one_group();
  const std::string& name = hostile_name();
  summary.inputs.front().path = name;
  summary.inputs.front().host = name;
  summary.inputs.front().cpu = name;
  for (Group& group : summary.groups) {
    group.label = name;
    group.key.model = name;
    group.departure_verdict = name;
    for (ConfigRow& row : group.rows) {
      row.config.model = name;
      row.config.device = name;
      for (findings::PhaseShare& phase : row.phases) {
        if (phase.name == "forward") phase.name = name;
      }
    }
  }
  for (findings::Finding& finding : summary.findings) {
    schema::RunConfig config = *config_of(finding.where);
    config.model = name;
    finding.where = config;
    finding.what = finding.fix = finding.cause = name;
  }
  summary.words = summary.warnings = {name};
  return summary;
}

findings::Commands commands() {
  const auto measure = [](const Measurement& wanted) {
    CommandLine words = {"measure", wanted.model};
    for (const int64_t size : wanted.batch_sizes) words.push_back(std::to_string(size));
    if (wanted.blocks) words.push_back("blocks=" + std::to_string(*wanted.blocks));
    words.insert(words.end(), {"into", wanted.run});
    return words;
  };
  return {.measure = measure,
          .diagnose = [](const schema::Header&) { return CommandLine{"diagnose"}; },
          .import_again =
              [](const std::string& run) {
                return CommandLine{"import", run};
              },
          .report = [](const std::vector<std::string>&) { return CommandLine{"report"}; }};
}

}  // namespace batchscope::fixtures

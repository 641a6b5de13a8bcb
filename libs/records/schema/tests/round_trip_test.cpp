#include <gmock/gmock.h>

#include "testing/runs/sample_run.hpp"

namespace batchscope::schema {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

RunFile parsed(const std::string& text) {
  auto run = parse_run_file(text, "run.jsonl");
  EXPECT_TRUE(run) << (run ? "" : to_string(run.error()));
  return run ? std::move(*run) : RunFile{};
}

void expect_machine(const Machine& machine, const Machine& expected) {
  EXPECT_EQ(machine.host, expected.host);
  EXPECT_EQ(machine.cpu, expected.cpu);
  EXPECT_EQ(machine.physical_cores, expected.physical_cores);
  EXPECT_EQ(machine.logical_cpus, expected.logical_cpus);
  EXPECT_EQ(machine.memory_bytes, expected.memory_bytes);
  EXPECT_EQ(machine.l3_bytes, expected.l3_bytes);
  EXPECT_EQ(machine.kernel, expected.kernel);
  EXPECT_EQ(machine.os, expected.os);
  EXPECT_EQ(machine.virtualised, expected.virtualised);
  EXPECT_EQ(machine.gpus, expected.gpus);
  EXPECT_EQ(machine.gpu_memory_bytes, expected.gpu_memory_bytes);
}

void expect_plan(const MeasurementPlan& plan, const MeasurementPlan& expected) {
  EXPECT_EQ(plan.isolation, expected.isolation);
  EXPECT_EQ(plan.sync, expected.sync);
  EXPECT_EQ(plan.blocks, expected.blocks);
  EXPECT_EQ(plan.blocks_fixed, expected.blocks_fixed);
  EXPECT_EQ(plan.iterations, expected.iterations);
  EXPECT_EQ(plan.warmup, expected.warmup);
  EXPECT_EQ(plan.target, expected.target);
  EXPECT_EQ(plan.min_iterations, expected.min_iterations);
  EXPECT_EQ(plan.min_visit_s, expected.min_visit_s);
  EXPECT_EQ(plan.timed_over_startup, expected.timed_over_startup);
  EXPECT_EQ(plan.budget_s, expected.budget_s);
  EXPECT_EQ(plan.budget_fixed, expected.budget_fixed);
  EXPECT_EQ(plan.timeout_s, expected.timeout_s);
  EXPECT_EQ(plan.only, expected.only);
  EXPECT_EQ(plan.memory_limit_bytes, expected.memory_limit_bytes);
  EXPECT_EQ(plan.memory_limit_kind, expected.memory_limit_kind);
  EXPECT_EQ(plan.latency_budget_s, expected.latency_budget_s);
  EXPECT_EQ(plan.current_batch_size, expected.current_batch_size);
}

TEST(RoundTrip, HeaderKeepsEveryField) {
  const Header expected = sample_header();
  const Header header = parsed(sample_text()).header;
  EXPECT_EQ(header.schema_version, kSchemaVersion);
  EXPECT_EQ(header.tool_version, expected.tool_version);
  EXPECT_EQ(header.created, expected.created);
  EXPECT_EQ(header.origin, expected.origin);
  EXPECT_EQ(header.versions, expected.versions);
  EXPECT_EQ(header.axes, expected.axes);
  EXPECT_EQ(header.command_line, expected.command_line);
  EXPECT_EQ(header.seed, expected.seed);
  EXPECT_EQ(header.notes, expected.notes);
  expect_machine(header.machine, expected.machine);
  expect_plan(header.plan, expected.plan);
  ASSERT_EQ(header.models.size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(header.models[i].name, expected.models[i].name);
    EXPECT_EQ(header.models[i].path, expected.models[i].path);
    EXPECT_EQ(header.models[i].inputs, expected.models[i].inputs);
    EXPECT_EQ(header.models[i].parameters, expected.models[i].parameters);
    EXPECT_EQ(header.models[i].hash, expected.models[i].hash);
    EXPECT_EQ(header.models[i].description, expected.models[i].description);
    EXPECT_EQ(header.models[i].engine, expected.models[i].engine);
  }
}

TEST(RoundTrip, ConfigKeepsEveryField) {
  const RunFile run = parsed(sample_text());
  ASSERT_EQ(run.configs.size(), 2U);
  EXPECT_EQ(run.configs[0], sample_config());
  EXPECT_EQ(run.configs[1], sample_mix_config());
}

void expect_phases(const std::vector<Phase>& phases, const std::vector<Phase>& expected) {
  ASSERT_EQ(phases.size(), expected.size());
  for (size_t i = 0; i < phases.size(); ++i) {
    EXPECT_EQ(phases[i].name, expected[i].name);
    EXPECT_EQ(phases[i].host_ns, expected[i].host_ns);
    EXPECT_EQ(phases[i].device_ns, expected[i].device_ns);
    EXPECT_EQ(phases[i].count, expected[i].count);
  }
}

void expect_measures(const Visit& visit, const Visit& expected) {
  EXPECT_EQ(visit.memory.peak_rss_bytes, expected.memory.peak_rss_bytes);
  EXPECT_EQ(visit.memory.peak_allocated_bytes, expected.memory.peak_allocated_bytes);
  EXPECT_EQ(visit.memory.peak_reserved_bytes, expected.memory.peak_reserved_bytes);
  EXPECT_EQ(visit.memory.device_allocations, expected.memory.device_allocations);
  EXPECT_EQ(visit.memory.peak_iterations_rss_bytes, expected.memory.peak_iterations_rss_bytes);
  EXPECT_EQ(visit.usage.minor_faults, expected.usage.minor_faults);
  EXPECT_EQ(visit.usage.major_faults, expected.usage.major_faults);
  EXPECT_EQ(visit.usage.user_ns, expected.usage.user_ns);
  EXPECT_EQ(visit.usage.system_ns, expected.usage.system_ns);
  EXPECT_EQ(visit.usage.voluntary_switches, expected.usage.voluntary_switches);
  EXPECT_EQ(visit.usage.involuntary_switches, expected.usage.involuntary_switches);
  EXPECT_EQ(visit.usage.wait_ns, expected.usage.wait_ns);
  EXPECT_EQ(visit.usage.wait_max_thread_ns, expected.usage.wait_max_thread_ns);
  EXPECT_EQ(visit.usage.steal_ratio, expected.usage.steal_ratio);
  EXPECT_EQ(visit.fitness.steal_ratio, expected.fitness.steal_ratio);
  EXPECT_EQ(visit.fitness.others_load, expected.fitness.others_load);
  EXPECT_EQ(visit.fitness.throttled_ns, expected.fitness.throttled_ns);
  EXPECT_EQ(visit.fitness.clock_ratio, expected.fitness.clock_ratio);
  EXPECT_EQ(visit.fitness.other_gpu_processes, expected.fitness.other_gpu_processes);
}

void expect_visit(const Visit& visit, const Visit& expected) {
  EXPECT_EQ(visit.config, expected.config);
  EXPECT_EQ(visit.block, expected.block);
  EXPECT_EQ(visit.order, expected.order);
  EXPECT_EQ(visit.attempt, expected.attempt);
  EXPECT_EQ(visit.purpose, expected.purpose);
  EXPECT_EQ(visit.warmup_ns, expected.warmup_ns);
  EXPECT_EQ(visit.samples_ns, expected.samples_ns);
  EXPECT_EQ(visit.iterations_per_sample, expected.iterations_per_sample);
  EXPECT_EQ(visit.tokens, expected.tokens);
  EXPECT_EQ(visit.instance_warmups, expected.instance_warmups);
  EXPECT_EQ(visit.instance_samples, expected.instance_samples);
  EXPECT_EQ(visit.loss, expected.loss);
  EXPECT_EQ(visit.diagnosis, expected.diagnosis);
  EXPECT_EQ(visit.losses, expected.losses);
  EXPECT_EQ(visit.skipped_steps, expected.skipped_steps);
  EXPECT_EQ(visit.collections, expected.collections);
  EXPECT_EQ(visit.compilation, expected.compilation);
  EXPECT_EQ(visit.clock, expected.clock);
  EXPECT_EQ(visit.load_ns, expected.load_ns);
  EXPECT_EQ(visit.wall_ns, expected.wall_ns);
  EXPECT_EQ(visit.reported_std_ns, expected.reported_std_ns);
  EXPECT_EQ(visit.reported_repeats, expected.reported_repeats);
  expect_phases(visit.phases, expected.phases);
  expect_measures(visit, expected);
}

TEST(RoundTrip, VisitKeepsEveryField) {
  const RunFile run = parsed(sample_text());
  ASSERT_EQ(run.visits.size(), 2U);
  expect_visit(run.visits[0], sample_visit());
}

TEST(RoundTrip, VisitsOfEveryPurposeStayOfIt) {
  const std::string newline = "\n";
  for (const Purpose purpose : {Purpose::measure, Purpose::control, Purpose::intervention,
                                Purpose::verify, Purpose::diagnostic}) {
    Visit visit = sample_visit();
    visit.purpose = purpose;
    const RunFile run = parsed(header_line({}) + newline + config_line(0, sample_config()) +
                               newline + visit_line(visit) + newline);
    ASSERT_EQ(run.visits.size(), 1U);
    EXPECT_EQ(run.visits[0].purpose, purpose);
  }
}

TEST(RoundTrip, WhatIsAbsentStaysAbsent) {
  Visit visit;
  visit.samples_ns = {1};
  RunConfig config;
  config.engine = "e";
  config.model = "m";
  const std::string newline = "\n";
  const RunFile run = parsed(header_line({}) + newline + config_line(0, config) + newline +
                             visit_line(visit) + newline);
  ASSERT_EQ(run.visits.size(), 1U);
  expect_visit(run.visits[0], visit);
  EXPECT_EQ(run.configs[0], config);
  EXPECT_FALSE(run.end);
  EXPECT_THAT(run.report.skipped, IsEmpty());
}

TEST(RoundTrip, EventAndEndKeepEveryField) {
  const RunFile run = parsed(sample_text());
  ASSERT_EQ(run.events.size(), 1U);
  const Event& event = run.events[0];
  EXPECT_EQ(event.kind, EventKind::timeout);
  EXPECT_EQ(event.what, "hung");
  EXPECT_EQ(event.fix, "wait longer");
  EXPECT_EQ(event.where.config, 0);
  EXPECT_EQ(event.where.block, 2);
  EXPECT_EQ(event.where.attempt, 1);
  EXPECT_EQ(event.wall_ns, 9'000);
  ASSERT_TRUE(run.end);
  EXPECT_EQ(run.end->reason, EndReason::budget);
  EXPECT_EQ(run.end->wall_s, 1.5);
  EXPECT_EQ(run.end->iteration_s, 1.25);
}

TEST(RoundTrip, OutputsKeepEveryField) {
  const RunFile run = parsed(sample_text());
  ASSERT_EQ(run.outputs.size(), 1U);
  EXPECT_EQ(run.outputs[0], (OutputDifference{1, 0, 0.9999, 1e-5, 768}));
  const std::string of_nobody = outputs_line({1, 7, 1, 0, 1});
  const RunFile skipped = parsed(sample_text() + of_nobody + std::string("\n"));
  EXPECT_EQ(skipped.outputs.size(), 1U);
  EXPECT_EQ(skipped.report.skipped_count, 1);
}

TEST(RoundTrip, ProbesKeepEveryField) {
  const RunFile run = parsed(sample_text());
  ASSERT_EQ(run.probes.size(), 2U);
  EXPECT_EQ(run.probes[0], begun_probe());
  EXPECT_EQ(run.probes[1], ended_probe());
  Probe of_nobody;
  of_nobody.config = 9;
  Probe of_nothing;
  of_nothing.batch_size = 0;
  const std::string more = probe_line(of_nobody) + "\n" + probe_line(of_nothing) + "\n";
  const RunFile skipped = parsed(sample_text() + more);
  EXPECT_EQ(skipped.probes.size(), 2U);
  EXPECT_EQ(skipped.report.skipped_count, 2);
}

// Each value of T is read from its own text.
template <class T>
void expect_words() {
  for (int i = 0; i < static_cast<int>(T::other); ++i) {
    const OpenEnum<T> word = static_cast<T>(i);
    EXPECT_NE(word.text(), "?");
    EXPECT_EQ(OpenEnum<T>(word.text()), static_cast<T>(i));
  }
}

TEST(OpenEnums, ReadWhatTheyWrite) {
  expect_words<Origin>();
  expect_words<EventKind>();
  expect_words<OperationKind>();
  expect_words<EndReason>();
  expect_words<Isolation>();
  expect_words<Sync>();
  expect_words<Automatic>();
  expect_words<ProbePurpose>();
  expect_words<ProbeOutcome>();
}

TEST(OpenEnums, KeepAWordThatIsNotKnown) {
  const OpenEnum<Origin> newer(std::string_view("hand"));
  EXPECT_EQ(newer.value(), Origin::other);
  EXPECT_EQ(newer.text(), "hand");
  EXPECT_NE(newer, Origin::profile);
  EXPECT_NE(newer, OpenEnum<Origin>(std::string_view("foot")));
  EXPECT_FALSE(newer.empty());
  EXPECT_TRUE(OpenEnum<Origin>().empty());
  EXPECT_EQ(OpenEnum<Origin>(std::string_view("other")).text(), "other");
}

TEST(RoundTrip, WordsOfALaterVersionStayAsTheyAre) {
  const std::string newline = "\n";
  Header header;
  header.origin = OpenEnum<Origin>(std::string_view("dream"));
  header.plan.isolation = OpenEnum<Isolation>(std::string_view("planet"));
  header.plan.sync = OpenEnum<Sync>(std::string_view("never"));
  header.plan.controls = OpenEnum<Automatic>(std::string_view("always"));
  const std::string line = header_line(header);
  EXPECT_NE(line.find(R"("origin":"dream")"), std::string::npos);
  Event event;
  event.kind = OpenEnum<EventKind>(std::string_view("yawn"));
  End end;
  end.reason = OpenEnum<EndReason>(std::string_view("tired"));
  Probe probe;
  probe.purpose = OpenEnum<ProbePurpose>(std::string_view("fun"));
  probe.outcome = OpenEnum<ProbeOutcome>(std::string_view("floats"));
  const RunFile run =
      parsed(line + newline + event_line(event) + newline + config_line(0, sample_config()) +
             newline + probe_line(probe) + newline + end_line(end) + newline);
  EXPECT_EQ(header_line(run.header), line);
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].kind, event.kind);
  EXPECT_EQ(end_line(run.end.value()), end_line(end));
  EXPECT_THAT(run.probes, ElementsAre(probe));
}

TEST(RoundTrip, WhatASearchWasToFindStandsAmongTheAxes) {
  Header header;
  header.origin = Origin::tune;
  header.axes = {{"batch_size", "1,2"}};
  header.tune = {Objective::cost, LatencyStatistic::p90, 1.5, 12, std::nullopt, 6};
  const std::string line = header_line(header);
  EXPECT_NE(line.find(R"("axes":{"batch_size":"1,2","latency_of":"p90","objective":"cost",)"
                      R"("points":"12","price_per_hour":"1.5","verify_blocks":"6"})"),
            std::string::npos)
      << line;
  const Header read = parsed(line + "\n").header;
  EXPECT_EQ(read.axes, header.axes);
  EXPECT_EQ(read.tune, header.tune);
}

TEST(RoundTrip, SettingsThatAreWrittenOtherwiseStayAsTheyAre) {
  Header header;
  header.origin = Origin::tune;
  header.axes = {{"objective", "beauty"},
                 {"latency_of", "p50"},
                 {"price_per_hour", "1.50"},
                 {"points", "many"}};
  const std::string line = header_line(header);
  const Header read = parsed(line + "\n").header;
  ASSERT_TRUE(read.tune);
  EXPECT_EQ(read.tune->objective.text(), "beauty");
  EXPECT_EQ(read.tune->price_per_hour, 1.5);
  EXPECT_EQ(read.tune->points, std::nullopt);
  EXPECT_EQ(header_line(read), line);
  header.axes.erase("latency_of");
  EXPECT_FALSE(parsed(header_line(header) + "\n").header.tune);
}

TEST(RoundTrip, TheSettingsOfASearchForTheLargestBatchStandThereToo) {
  Header header;
  header.origin = Origin::max_batch;
  header.max_batch = {0.05, 30, 64, int64_t{1} << 30, "the memory of cuda:0", false, 5};
  const std::string line = header_line(header);
  EXPECT_NE(line.find(R"("axes":{"limit_bytes":"1073741824","limit_held":"0",)"
                      R"("limit_of":"the memory of cuda:0","machine_bytes":"5","margin":"0.05",)"
                      R"("max_batch_size":"64","soak_s":"30"})"),
            std::string::npos)
      << line;
  const Header read = parsed(line + "\n").header;
  EXPECT_TRUE(read.axes.empty());
  EXPECT_EQ(read.max_batch, header.max_batch);
}

TEST(RoundTrip, LinesHoldNoNewlineAndSurviveBytesThatAreNoUtf8) {
  const Event event{{"bad \xFF\xFE\n byte", {}, ""}, EventKind::error};
  const std::string line = event_line(event);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const std::string newline = "\n";
  EXPECT_EQ(parsed(header_line({}) + newline + line + newline).events.size(), 1U);
}

}  // namespace
}  // namespace batchscope::schema

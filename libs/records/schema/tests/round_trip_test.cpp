#include <gmock/gmock.h>

#include "batchscope/schema/tables.hpp"
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

// The sample sets every field that a table has, so that one which is not carried shows.
void expect_all_fields(const std::string& line, const Table& table) {
  for (const Field& field : table.fields) {
    EXPECT_NE(line.find('"' + std::string(field.name) + "\":"), std::string::npos) << field.name;
    if (field.table != nullptr) expect_all_fields(line, field.table());
  }
}

TEST(RoundTrip, HeaderKeepsEveryField) {
  const std::string line = header_line(sample_header());
  expect_all_fields(line, table_of<Header>());
  const Header header = parsed(sample_text()).header;
  EXPECT_EQ(header_line(header), line);
  EXPECT_EQ(header.schema_version, kSchemaVersion);
}

TEST(RoundTrip, ConfigKeepsEveryField) {
  const RunFile run = parsed(sample_text());
  ASSERT_EQ(run.configs.size(), 2U);
  EXPECT_EQ(run.configs[0], sample_config());
  EXPECT_EQ(run.configs[1], sample_mix_config());
}

TEST(RoundTrip, VisitKeepsEveryField) {
  const std::string line = visit_line(sample_visit());
  expect_all_fields(line, table_of<Visit>());
  const RunFile run = parsed(sample_text());
  ASSERT_EQ(run.visits.size(), 2U);
  EXPECT_EQ(visit_line(run.visits[0]), line);
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
  EXPECT_EQ(visit_line(run.visits[0]), visit_line(visit));
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

TEST(RoundTrip, NodesAndPlacementsKeepEveryField) {
  expect_all_fields(node_line(0, sample_node()), table_of<NodeRecord>());
  expect_all_fields(place_line(sample_placement()), table_of<Placement>());
  const RunFile run = parsed(sample_text());
  Node other;
  other.name = "n2";
  EXPECT_THAT(run.nodes, ElementsAre(other, sample_node()));
  EXPECT_THAT(run.placements, ElementsAre(sample_placement()));
}

TEST(RoundTrip, APlacementNeedsItsNodeBeforeIt) {
  Placement elsewhere;
  elsewhere.node = 9;
  const std::string more = node_line(4, sample_node()) + "\n" + place_line(elsewhere) + "\n";
  const RunFile skipped = parsed(sample_text() + more);
  EXPECT_EQ(skipped.nodes.size(), 2U);
  EXPECT_EQ(skipped.placements.size(), 1U);
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

TEST(RoundTrip, WhatASearchWasToFindIsAmongTheAxes) {
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

TEST(RoundTrip, TheSettingsOfASearchForTheLargestBatchAreThereToo) {
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

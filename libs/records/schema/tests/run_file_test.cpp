#include "batchscope/schema/run_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include "batchscope/base/file.hpp"
#include "testing/runs/sample_run.hpp"

namespace batchscope::schema {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr std::string_view kHeader = R"({"type":"header","schema_version":1})";
constexpr std::string_view kConfig =
    R"({"type":"config","index":0,"engine":"e","model":"m","batch_size":1,"precision":"fp32"})";
constexpr std::string_view kVisit = R"({"type":"visit","config":0,"block":0,"samples_ns":[5]})";

std::string lines(const std::vector<std::string_view>& all) {
  std::string text;
  for (const std::string_view line : all) text.append(line).append("\n");
  return text;
}

RunFile parsed(const std::string& text) {
  auto run = parse_run_file(text, "run.jsonl");
  EXPECT_TRUE(run) << (run ? "" : to_string(run.error()));
  return run ? std::move(*run) : RunFile{};
}

base::Error refused(const std::string& text) {
  const auto run = parse_run_file(text, "run.jsonl");
  EXPECT_FALSE(run) << text;
  return run ? base::Error{} : run.error();
}

// What a reader says of a file in which one line follows a good start.
std::vector<std::string> skipped(std::string_view line) {
  const RunFile run = parsed(lines({kHeader, kConfig, line, kVisit}));
  EXPECT_EQ(run.visits.size(), 1U) << line;
  EXPECT_EQ(run.report.skipped_count, static_cast<int>(run.report.skipped.size()));
  return run.report.skipped;
}

TEST(Failures, AreWhatCostsAVisit) {
  Event event;
  for (const EventKind kind :
       {EventKind::out_of_memory, EventKind::crash, EventKind::timeout, EventKind::error}) {
    event.kind = kind;
    EXPECT_TRUE(is_failure(event));
  }
  for (const EventKind kind : {EventKind::warning, EventKind::other}) {
    event.kind = kind;
    EXPECT_FALSE(is_failure(event));
  }
}

TEST(RunFile, RefusesWhatIsNoRunFileWithPlaceAndFix) {
  for (const std::string& text :
       {std::string("\x7F"
                    "ELF\0\0\n",
                    7),
        std::string("batch,ms\n1,2\n"), std::string("{}\n"), lines({kConfig}),
        std::string("null\n"), std::string("[]\n"), std::string("no newline")}) {
    const base::Error error = refused(text);
    EXPECT_EQ(error.kind, base::ErrorKind::input);
    EXPECT_EQ(error.where, "run.jsonl:1");
    EXPECT_THAT(error.what, HasSubstr("is not a run file"));
    EXPECT_THAT(error.fix, HasSubstr("batchscope profile"));
  }
}

TEST(RunFile, RefusesAnEmptyFileAndATornHeader) {
  EXPECT_EQ(refused("").what, "is empty");
  EXPECT_EQ(refused("\n\n").what, "is empty");
  const base::Error torn = refused(std::string(kHeader.substr(0, 30)));
  EXPECT_THAT(torn.what, HasSubstr("header line is incomplete"));
  EXPECT_THAT(torn.fix, HasSubstr("with --on-existing overwrite"));
}

TEST(RunFile, RefusesANewerVersionByName) {
  const base::Error error = refused(lines({R"({"type":"header","schema_version":2,"seed":"?"})"}));
  EXPECT_EQ(error.where, "run.jsonl:1");
  EXPECT_THAT(error.what, HasSubstr("schema version 2"));
  EXPECT_THAT(error.fix, HasSubstr("update"));
}

// Of versions that did not keep it.
TEST(RunFile, GpusWithoutTheirMemoryAreRead) {
  const RunFile run =
      parsed(lines({R"({"type":"header","schema_version":1,"machine":{"gpus":["a","b"]}})"}));
  const Machine& machine = run.header.machine;
  EXPECT_THAT(machine.gpus, ElementsAre("a", "b"));
  EXPECT_THAT(machine.gpu_memory_bytes, IsEmpty());
}

TEST(RunFile, MemoryOfGpusIsANumberEach) {
  const auto with = [](const std::string& memory) {
    return R"({"type":"header","schema_version":1,"machine":{"gpu_memory_bytes":)" + memory +
           "}}\n";
  };
  EXPECT_THAT(parsed(with("[5,0]")).header.machine.gpu_memory_bytes, ElementsAre(5, 0));
  EXPECT_THAT(refused(with("[\"5\"]")).what, HasSubstr("gpu_memory_bytes"));
}

// Of versions that did not keep it.
TEST(RunFile, AnEventWithoutItsTimeTookNone) {
  const RunFile run = parsed(lines({std::string(kHeader), R"({"type":"event","kind":"crash"})"}));
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].wall_ns, 0);
}

// Their sums would overflow.
TEST(RunFile, PassesOverTimesAndNumbersThatNoRunHas) {
  const auto visit = [](std::string_view field) {
    return fmt::format(R"({{"type":"visit","config":0,"block":0,"samples_ns":[5],{}}})", field);
  };
  const auto reported = [&](std::string_view field) { return skipped(visit(field)); };
  EXPECT_THAT(reported(R"("load_ns":-9223372036854775808)"),
              ElementsAre(HasSubstr("load_ns is too small")));
  EXPECT_THAT(reported(R"("wall_ns":9223372036854775807)"),
              ElementsAre(HasSubstr("wall_ns is too large")));
  EXPECT_THAT(reported(R"("order":2147483647)"), ElementsAre(HasSubstr("order is too large")));
  EXPECT_THAT(reported(R"("attempt":2147483647)"), ElementsAre(HasSubstr("attempt is too large")));
  EXPECT_THAT(reported(R"("warmup_ns":[9223372036854775807,9223372036854775807])"),
              ElementsAre(HasSubstr("warmup_ns adds up to too long")));
  EXPECT_THAT(reported(R"("iterations_per_sample":9223372036854775807)"),
              ElementsAre(HasSubstr("samples_ns adds up to too long")));
  EXPECT_THAT(skipped(R"({"type":"event","kind":"crash","block":2147483647})"),
              ElementsAre(HasSubstr("block is too large")));
  EXPECT_THAT(skipped(R"({"type":"end","reason":"budget","wall_s":1e300})"),
              ElementsAre(HasSubstr("wall_s is too large")));
}

TEST(RunFile, RefusesAPlanThatNobodyCanCarryOut) {
  const auto what = [](std::string_view plan) {
    return refused(fmt::format(R"({{"type":"header","schema_version":1,"plan":{{{}}}}})", plan) +
                   "\n")
        .what;
  };
  EXPECT_THAT(what(R"("blocks":2147483647)"), HasSubstr("blocks is too large"));
  EXPECT_THAT(what(R"("budget_s":1e300)"), HasSubstr("budget_s is too large"));
  EXPECT_THAT(what(R"("iterations":0)"), HasSubstr("iterations is too small"));
}

TEST(RunFile, PassesOverASizeBeyondAnyModel) {
  const std::string config =
      R"({"type":"config","index":1,"engine":"e","model":"m","precision":"fp32","batch_size":)";
  EXPECT_THAT(skipped(config + "2147483648}"), ElementsAre(HasSubstr("batch_size is too large")));
  EXPECT_THAT(skipped(config + R"(1,"seq_len":2147483648})"),
              ElementsAre(HasSubstr("seq_len is too large")));
}

TEST(RunFile, PassesOverLengthsThatMakeNoFullBatches) {
  const std::string config =
      R"({"type":"config","index":1,"engine":"e","model":"m","precision":"fp32","batch_size":2,)";
  EXPECT_THAT(skipped(config + R"("length_mix":"m","lengths":[1,2,3]})"),
              ElementsAre(HasSubstr("lengths is not a multiple of the batch size")));
  EXPECT_THAT(skipped(config + R"("length_mix":"m"})"),
              ElementsAre(HasSubstr("lengths is not a multiple of the batch size")));
  EXPECT_THAT(skipped(config + R"("length_mix":"m","lengths":[1,0]})"),
              ElementsAre(HasSubstr("lengths holds one that is too small")));
  EXPECT_THAT(skipped(config + R"("lengths":[1,2]})"),
              ElementsAre(HasSubstr("length_mix is missing")));
  EXPECT_THAT(skipped(config + R"("length_mix":"m","seq_len":4,"lengths":[1,2]})"),
              ElementsAre(HasSubstr("seq_len cannot be combined with lengths")));
}

TEST(RunFile, PassesOverTokensThatCannotBe) {
  const std::string visit =
      R"({"type":"visit","config":0,"block":0,"purpose":"measure","samples_ns":[1],"tokens":)";
  EXPECT_THAT(skipped(visit + R"({"real":5,"padded":4,"iterations":1}})"),
              ElementsAre(HasSubstr("real is more than padded")));
  EXPECT_THAT(skipped(visit + R"({"real":5,"padded":6,"iterations":0}})"),
              ElementsAre(HasSubstr("iterations is too small")));
}

TEST(RunFile, RefusesAWrongHeaderByField) {
  EXPECT_THAT(refused(lines({R"({"type":"header"})"})).what,
              HasSubstr("schema_version is missing"));
  EXPECT_THAT(refused(lines({R"({"type":"header","schema_version":"1"})"})).what,
              HasSubstr("schema_version is not an integer"));
  EXPECT_THAT(refused(lines({R"({"type":"header","schema_version":0})"})).what,
              HasSubstr("too small"));
  EXPECT_THAT(
      refused(lines({R"({"type":"header","schema_version":1,"plan":{"blocks":"many"}})"})).what,
      HasSubstr("blocks is not an integer"));
  EXPECT_THAT(refused(lines({R"({"type":"header","schema_version":1,"models":[3]})"})).what,
              HasSubstr("models is not an array of objects"));
}

TEST(RunFile, RefusesTwoFilesJoined) {
  const base::Error error = refused(lines({kHeader, kConfig, kHeader}));
  EXPECT_EQ(error.where, "run.jsonl:3");
  EXPECT_THAT(error.what, HasSubstr("second header"));
}

TEST(RunFile, LeavesOutATornLastLineAndSaysWhereToCut) {
  const std::string full = lines({kHeader, kConfig, kVisit});
  const RunFile run = parsed(full + std::string(kVisit.substr(0, 40)));
  EXPECT_EQ(run.visits.size(), 1U);
  EXPECT_TRUE(run.report.torn_last_line);
  EXPECT_EQ(run.report.valid_bytes, static_cast<int64_t>(full.size()));
  EXPECT_FALSE(parsed(full).report.torn_last_line);
}

// A line was durable only with its '\n', and resuming cuts it: counting it would lose the visit.
TEST(RunFile, DoesNotCountALastLineThatLacksOnlyItsNewline) {
  const std::string full = lines({kHeader, kConfig, kVisit});
  const RunFile run = parsed(full + std::string(kVisit));
  EXPECT_EQ(run.visits.size(), 1U);
  EXPECT_EQ(run.report.valid_bytes, static_cast<int64_t>(full.size()));
}

TEST(RunFile, CountsUnknownTypes) {
  const RunFile run = parsed(lines({kHeader, R"({"type":"new"})", kConfig, R"({"type":"new"})",
                                    R"({"type":"other","x":[[{}]]})", kVisit}));
  EXPECT_THAT(run.report.unknown_types, ElementsAre(Pair("new", 2), Pair("other", 1)));
  EXPECT_EQ(run.visits.size(), 1U);
  EXPECT_EQ(run.report.skipped_count, 0);
}

TEST(RunFile, IgnoresUnknownFieldsBlankLinesAndCarriageReturns) {
  const RunFile run =
      parsed(lines({kHeader, "", kConfig, "  \r",
                    R"({"new":{"a":[1,"x"]},"type":"visit","config":0,"block":0,"samples_ns":[5]})"
                    "\r"}));
  EXPECT_EQ(run.visits.size(), 1U);
  EXPECT_THAT(run.report.skipped, IsEmpty());
}

TEST(RunFile, SkipsWrongLinesByNumberAndReason) {
  EXPECT_THAT(skipped("garbage"), ElementsAre("line 3: not a JSON object"));
  EXPECT_THAT(skipped("[1]"), ElementsAre("line 3: not a JSON object"));
  EXPECT_THAT(skipped("{}"), ElementsAre("line 3: no type"));
  EXPECT_THAT(skipped(R"({"type":7})"), ElementsAre("line 3: no type"));
  EXPECT_THAT(skipped(R"({"type":"visit","config":0,"block":0})"),
              ElementsAre("line 3: visit: samples_ns is missing"));
  EXPECT_THAT(skipped(R"({"type":"visit","config":9,"block":0,"samples_ns":[5]})"),
              ElementsAre("line 3: visit: no configuration 9 before it"));
  EXPECT_THAT(skipped(R"({"type":"event","kind":"crash","config":-1})"),
              ElementsAre("line 3: event: no configuration -1 before it"));
  EXPECT_THAT(skipped(R"({"type":"end"})"), ElementsAre("line 3: end: reason is missing"));
}

TEST(RunFile, SkipsAVisitWithAnyWrongField) {
  for (const std::string_view field : {R"("config":"0")",
                                       R"("block":-1)",
                                       R"("block":1.5)",
                                       R"("block":4294967296)",
                                       R"("samples_ns":[])",
                                       R"("samples_ns":[5,0])",
                                       R"("samples_ns":[-5])",
                                       R"("samples_ns":[5.5])",
                                       R"("samples_ns":["5"])",
                                       R"("samples_ns":[9223372036854775808])",
                                       R"("samples_ns":5)",
                                       R"("samples_ns":{"a":5})",
                                       R"("warmup_ns":[0])",
                                       R"("purpose":"fun")",
                                       R"("phases":[{"name":"x"}])",
                                       R"("phases":[1])",
                                       R"("phases":{})",
                                       R"("memory":[])",
                                       R"("usage":{"minor_faults":"x"})",
                                       R"("fitness":{"steal_ratio":1e999})",
                                       R"("iterations_per_sample":0)",
                                       R"("loss":"x")",
                                       R"("clock":1)",
                                       R"("attempt":-1)"}) {
    const std::string name(field.substr(1, field.find('"', 1) - 1));
    std::string line = R"({"type":"visit")";
    for (const std::string_view good : {R"("config":0)", R"("block":0)", R"("samples_ns":[5])"}) {
      if (good.substr(1, name.size()) != name) line.append(",").append(good);
    }
    line.append(",").append(field).append("}");
    EXPECT_EQ(skipped(line).size(), 1U) << line;
  }
}

TEST(RunFile, SkipsAWrongConfigWithItsVisits) {
  const RunFile run = parsed(lines(
      {kHeader,
       R"({"type":"config","index":0,"engine":"e","model":"m","batch_size":0,"precision":"fp32"})",
       R"({"type":"config","index":1,"engine":"e","model":"m","batch_size":2,"precision":"fp32"})",
       R"({"type":"visit","config":0,"block":0,"samples_ns":[5]})",
       R"({"type":"visit","config":1,"block":0,"samples_ns":[6]})"}));
  EXPECT_EQ(run.report.skipped_count, 2);
  ASSERT_EQ(run.configs.size(), 1U);
  ASSERT_EQ(run.visits.size(), 1U);
  EXPECT_EQ(run.configs[static_cast<size_t>(run.visits[0].config)].shape.batch_size, 2);
}

TEST(RunFile, TakesAConfigStatedAgainButNotAnotherUnderItsIndex) {
  const RunFile run = parsed(lines(
      {kHeader, kConfig, kConfig,
       R"({"type":"config","index":0,"engine":"e","model":"m","batch_size":2,"precision":"fp32"})",
       kVisit}));
  EXPECT_EQ(run.configs.size(), 1U);
  EXPECT_THAT(run.report.skipped,
              ElementsAre("line 4: config: index 0 is taken by another configuration"));
}

TEST(RunFile, TellsAtMostTwentySkippedLinesButCountsAll) {
  std::string text = lines({kHeader});
  for (int i = 0; i < 50; ++i) text += "x\n";
  const RunFile run = parsed(text);
  EXPECT_EQ(run.report.skipped.size(), 20U);
  EXPECT_EQ(run.report.skipped_count, 50);
}

TEST(RunFile, CutAnywhereItHoldsExactlyTheFullLines) {
  const std::string text = sample_text();
  const size_t header = text.find('\n') + 1;
  size_t visits = 0;
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string_view part = std::string_view(text).substr(0, cut);
    if (cut > 0 && text[cut - 1] == '\n') {
      const size_t start = part.rfind('\n', cut - 2) + 1;
      if (part.substr(start).find(R"("type":"visit")") != std::string_view::npos) ++visits;
    }
    const auto run = parse_run_file(part, "run.jsonl");
    ASSERT_EQ(run.has_value(), cut >= header) << cut;
    if (!run) continue;
    EXPECT_EQ(run->visits.size(), visits) << cut;
    EXPECT_EQ(run->report.skipped_count, 0) << cut;
    EXPECT_EQ(run->report.torn_last_line, text[cut - 1] != '\n') << cut;
    EXPECT_EQ(run->end.has_value(), cut == text.size()) << cut;
  }
  EXPECT_EQ(visits, 2U);
}

TEST(RunFile, AByteChangedAnywhereNeverAddsAVisit) {
  const std::string text = sample_text();
  for (size_t place = 0; place < text.size(); ++place) {
    for (const char byte : {'\0', '\n', '"', '}', '9', '\\', '\xFF'}) {
      std::string changed = text;
      changed[place] = byte;
      const auto run = parse_run_file(changed, "run.jsonl");
      if (run) {
        EXPECT_LE(run->visits.size(), 2U) << place;
      }
    }
  }
}

TEST(RunFile, ReadsTheSameFromAFile) {
  std::string folder = testing::TempDir() + "batchscope-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string path = folder + "/run.jsonl";
  ASSERT_TRUE(base::write_file_atomically(path, sample_text() + "{\"torn"));
  const auto run = read_run_file(path);
  ASSERT_TRUE(run) << to_string(run.error());
  EXPECT_EQ(run->visits.size(), 2U);
  EXPECT_TRUE(run->report.torn_last_line);
  EXPECT_EQ(run->report.valid_bytes, static_cast<int64_t>(sample_text().size()));
  EXPECT_EQ(read_run_file(folder).error().kind, base::ErrorKind::input);
  EXPECT_EQ(read_run_file(path + ".none").error().where, path + ".none");
  std::filesystem::remove_all(folder);
}

std::vector<int> current(const std::vector<Visit>& visits, const std::vector<Event>& events = {}) {
  RunFile run;
  run.visits = visits;
  run.events = events;
  std::vector<int> places;
  for (const Visit* visit : current_visits(run)) {
    places.push_back(static_cast<int>(visit - run.visits.data()));
  }
  return places;
}

Visit in_block(int block, int attempt) {
  Visit visit;
  visit.block = block;
  visit.attempt = attempt;
  return visit;
}

TEST(CurrentVisits, KeepsTheLatestAttemptOfEachBlock) {
  EXPECT_THAT(current({in_block(0, 0), in_block(1, 0), in_block(1, 1), in_block(1, 1)}),
              ElementsAre(0, 2, 3));
  EXPECT_THAT(current({}), IsEmpty());
}

TEST(CurrentVisits, AnAttemptWithEventsOnlySupersedes) {
  EXPECT_THAT(
      current({in_block(0, 0), in_block(1, 0)}, {Event{{"", {0, 1, 1}, ""}, EventKind::crash}}),
      ElementsAre(0));
  EXPECT_THAT(current({in_block(0, 0)}, {Event{{"", {{}, {}, 3}, ""}, EventKind::warning}}),
              ElementsAre(0));
}

}  // namespace
}  // namespace batchscope::schema

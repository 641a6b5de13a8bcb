#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "batchscope/base/file.hpp"
#include "batchscope/schema/run_file.hpp"

// Run files of every kind, recorded once; tests/fixtures/runs/kinds/README.md says what each is.
// What reads and writes them may change; what they say may not get lost.
namespace batchscope::schema {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

using Json = nlohmann::json;
// Lines of one type in their order, each with its fields sorted.
using Lines = std::map<std::string, std::vector<std::string>>;

std::map<std::string, std::string> recorded_texts() {
  std::map<std::string, std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(RECORDED_KINDS)) {
    if (entry.path().extension() != ".jsonl") continue;
    auto text = base::read_file(entry.path());
    EXPECT_TRUE(text) << entry.path();
    if (text) texts[entry.path().stem()] = *text;
  }
  return texts;
}

RunFile parsed(const std::string& text) {
  auto run = parse_run_file(text, "run.jsonl");
  EXPECT_TRUE(run) << (run ? "" : to_string(run.error()));
  return run ? std::move(*run) : RunFile{};
}

// A torn last line is none.
std::vector<Json> records_in(std::string_view text) {
  std::vector<Json> records;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1);
    Json record = Json::parse(text.substr(0, end + 1), nullptr, false);
    if (!record.is_discarded()) records.push_back(std::move(record));
    text.remove_prefix(end + 1);
  }
  return records;
}

std::string text_of(const std::vector<Json>& records) {
  std::string text;
  for (const Json& record : records) text += record.dump() + "\n";
  return text;
}

// Of several ends, one an interruption, the last counts.
Lines lines_by_type(const std::vector<Json>& records) {
  Lines lines;
  for (const Json& record : records) {
    const auto type = record.at("type").get<std::string>();
    if (type == "end") lines[type].clear();
    lines[type].push_back(record.dump());
  }
  return lines;
}

void expect_lines(const Lines& lines, const Lines& expected) {
  ASSERT_EQ(lines.size(), expected.size());
  for (const auto& [type, those] : expected) {
    ASSERT_TRUE(lines.contains(type)) << type;
    const auto& these = lines.at(type);
    ASSERT_THAT(these, SizeIs(those.size())) << type;
    for (size_t i = 0; i < those.size(); ++i) EXPECT_EQ(these[i], those[i]);
  }
}

void expect_all_was_read(const ReadReport& report) {
  EXPECT_THAT(report.unknown_types, IsEmpty());
  EXPECT_THAT(report.skipped, IsEmpty());
  EXPECT_EQ(report.skipped_count, 0);
}

TEST(RecordedRuns, AreOfEveryOrigin) {
  std::set<std::string> origins;
  for (const auto& [name, text] : recorded_texts())
    origins.emplace(parsed(text).header.origin.text());
  EXPECT_THAT(origins, ElementsAre("api", "import", "max-batch", "profile", "tune"));
}

TEST(RecordedRuns, AreReadFull) {
  for (const auto& [name, text] : recorded_texts()) {
    SCOPED_TRACE(name);
    const RunFile run = parsed(text);
    expect_all_was_read(run.report);
    EXPECT_EQ(run.report.torn_last_line, name == "killed");
    const Lines lines = lines_by_type(records_in(text));
    const auto count = [&](const char* type) {
      return lines.contains(type) ? lines.at(type).size() : 0;
    };
    EXPECT_THAT(run.configs, SizeIs(count("config")));
    EXPECT_THAT(run.visits, SizeIs(count("visit")));
    EXPECT_THAT(run.events, SizeIs(count("event")));
    EXPECT_THAT(run.outputs, SizeIs(count("outputs")));
    EXPECT_THAT(run.probes, SizeIs(count("probe")));
    EXPECT_EQ(run.end.has_value(), count("end") == 1);
  }
}

// They were written by this version of the schema, so that every field comes back. A change that
// writes a field otherwise says here which.
TEST(RecordedRuns, AreWrittenAgainAsTheyWere) {
  for (const auto& [name, text] : recorded_texts()) {
    SCOPED_TRACE(name);
    expect_lines(lines_by_type(records_in(run_file_text(parsed(text)))),
                 lines_by_type(records_in(text)));
  }
}

TEST(RecordedRuns, AreTheSameWhenWrittenAndReadAgain) {
  for (const auto& [name, text] : recorded_texts()) {
    SCOPED_TRACE(name);
    const RunFile run = parsed(text), again = parsed(run_file_text(run));
    expect_all_was_read(again.report);
    EXPECT_FALSE(again.report.torn_last_line);
    EXPECT_EQ(again.configs, run.configs);
    EXPECT_EQ(again.outputs, run.outputs);
    EXPECT_EQ(again.probes, run.probes);
    expect_lines(lines_by_type(records_in(run_file_text(again))),
                 lines_by_type(records_in(run_file_text(run))));
  }
}

// Files of a later minor version.
TEST(RecordedRuns, MayHoldFieldsThatAreUnknown) {
  const Json unknown = {{"deep", {1, "two", nullptr}}};
  for (const auto& [name, text] : recorded_texts()) {
    SCOPED_TRACE(name);
    const auto records = records_in(text);
    auto later = records;
    for (Json& record : later) {
      for (auto& [field, value] : record.items()) {
        // These hold names of somebody's own.
        const bool is_open =
            field == "axes" || field == "versions" || field == "environment" || field == "param";
        if (value.is_object() && !is_open) value["a_field_of_the_future"] = unknown;
      }
      record["a_field_of_the_future"] = unknown;
    }
    const RunFile run = parsed(text_of(later));
    expect_all_was_read(run.report);
    expect_lines(lines_by_type(records_in(run_file_text(run))), lines_by_type(records));
  }
}

TEST(RecordedRuns, CountLinesOfAnUnknownType) {
  for (const auto& [name, text] : recorded_texts()) {
    SCOPED_TRACE(name);
    const auto records = records_in(text);
    auto later = records;
    const Json unknown = {{"type", "of_the_future"}, {"config", 0}};
    later.insert(later.begin() + 1, unknown);
    later.push_back(unknown);
    const RunFile run = parsed(text_of(later));
    EXPECT_THAT(run.report.unknown_types, ElementsAre(Pair("of_the_future", 2)));
    EXPECT_EQ(run.report.skipped_count, 0);
    expect_lines(lines_by_type(records_in(run_file_text(run))), lines_by_type(records));
  }
}

// Replaces what stands at each of these places (JSON pointers), where something does.
void rename(std::vector<Json>& records, std::string_view type,
            std::initializer_list<const char*> places) {
  for (Json& record : records) {
    if (record.at("type") != type) continue;
    for (const char* place : places) {
      const Json::json_pointer pointer(place);
      if (record.contains(pointer)) record.at(pointer) = "of-the-future";
    }
  }
}

// What a later version calls a reason or a kind is shown as it stands, not lost.
TEST(RecordedRuns, KeepNamesThatAreUnknown) {
  for (const auto& [name, text] : recorded_texts()) {
    SCOPED_TRACE(name);
    auto records = records_in(text);
    rename(records, "header",
           {"/origin", "/plan/isolation", "/plan/sync", "/plan/memory_limit_kind",
            "/axes/objective", "/axes/latency_of"});
    rename(records, "config",
           {"/engine", "/optimizer", "/device", "/pipeline/padding", "/pipeline/order",
            "/pipeline/pooling"});
    rename(records, "visit", {"/clock", "/phases/0/name", "/diagnosis/tracer"});
    rename(records, "event", {"/kind"});
    rename(records, "probe", {"/purpose", "/outcome", "/peak_of"});
    rename(records, "end", {"/reason"});
    const RunFile run = parsed(text_of(records));
    expect_all_was_read(run.report);
    expect_lines(lines_by_type(records_in(run_file_text(run))), lines_by_type(records));
  }
}

}  // namespace
}  // namespace batchscope::schema

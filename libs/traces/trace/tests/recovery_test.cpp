#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <random>

#include "read_text.hpp"

namespace batchscope::trace {
namespace {

std::string event(const std::string& name, int ts) {
  return R"({"ph":"X","cat":"cpu_op","name":")" + name + R"(","pid":1,"tid":1,"ts":)" +
         std::to_string(ts) + R"(,"dur":1,"args":{"a":[{"b":1}]}})";
}

TEST(Recovery, MendsQuotesAndControlCharactersInNames) {
  const Trace trace =
      read("{\"traceEvents\":[" + event("one", 1) + ",\n" + event("say \"hello\" twice", 2) + "," +
           event("tab\there\x01", 3) + "," + event("byte \xff", 4) + "," + event("five", 5) + "]}");
  EXPECT_EQ(trace.read.events, 5);
  EXPECT_EQ(trace.read.skipped, 0);
  EXPECT_FALSE(trace.read.truncated);
  EXPECT_EQ(trace.name_of(1), "say \"hello\" twice");
  EXPECT_EQ(trace.name_of(2), "tab here ");
  EXPECT_EQ(trace.name_of(3), "byte ?");
}

TEST(Recovery, PassesOverABrokenEventAndGoesOn) {
  const Trace trace =
      read("{\"traceEvents\":[" + event("one", 1) + "," + R"({"ph":"X","name":"two","ts": )" + "," +
           event("three", 3) + ", garbage " + event("four", 4) +
           "], \"distributedInfo\": {\"rank\": 2}}");
  EXPECT_EQ(trace.read.events, 3);
  EXPECT_GE(trace.read.skipped, 1);
  EXPECT_EQ(trace.rank, 2);  // what stands behind the events is read all the same
}

TEST(Recovery, OfWhatHoldsNoEventThereIsNoTrace) {
  for (const char* const text :
       {"[1, 2, 3]", R"(["a", null, true])", R"([{"name": "x", "value": 3}, {"name": "y"}])",
        R"({"traceEvents": [1, 2, "x"]})", R"({"traceEvents": [{"a": 1}, {"b": {}}]})",
        R"([[{"ph": "X"}]])", R"({"loss": [1, 2]})", "{}", "42", "null", "\"text\"", "hello"}) {
    const auto trace = TraceReader().parse(text, "made");
    ASSERT_FALSE(trace) << text;
    EXPECT_EQ(trace.error().kind, base::ErrorKind::input) << text;
    EXPECT_FALSE(trace.error().fix.empty()) << text;
  }
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    std::string bytes = i % 2 == 0 ? "" : "[";
    for (int k = 0; k < 3000; ++k) bytes += static_cast<char>(random());
    EXPECT_FALSE(TraceReader().parse(bytes, "made")) << i;
  }
}

// Recorders write these where nothing happened.
TEST(Recovery, AnEmptyTraceIsOne) {
  EXPECT_TRUE(TraceReader().parse("[]", "made"));
  EXPECT_TRUE(TraceReader().parse(R"({"traceEvents": []})", "made"));
}

TEST(Recovery, ReadsATruncatedFileUpToItsEnd) {
  const std::string full = "{\"schemaVersion\": 1, \"traceEvents\":[" + event("one", 1) + "," +
                           event("two", 2) + "," + event("three", 3) + "]}";
  const size_t begin = full.find('[') + 1;
  int64_t last = 0;
  for (size_t size = begin + 1; size < full.size(); ++size) {
    const Trace trace = read(std::string_view(full).substr(0, size));
    EXPECT_TRUE(trace.read.truncated) << size;
    EXPECT_GE(trace.read.events, last) << size;
    last = trace.read.events;
  }
  EXPECT_EQ(last, 3);
  EXPECT_FALSE(read(full).read.truncated);
}

// Events with everything that could be taken for the place where one ends and the next begins.
nlohmann::ordered_json random_event(std::mt19937& random, int index) {
  static const std::vector<std::string> kNames{
      "plain", "}, {\"ph\": \"X\"", "a\\\"b", "],\"ph\":", "\u00e9\u4e2d", "{{{[[[", "",
      "\\",    "\n},\n{\"ph\""};
  nlohmann::ordered_json args = {{"correlation", index},
                                 {"list", {{{"ph", "X"}, {"x", 1}}, {{"ph", "Y"}}}},
                                 {"text", kNames[random() % kNames.size()]}};
  nlohmann::ordered_json event = {
      {"ph", random() % 5 == 0 ? "f" : "X"},
      {"cat", random() % 2 == 0 ? "cpu_op" : "cuda_runtime"},
      {"name", kNames[random() % kNames.size()] + std::to_string(random() % 3)},
      {"pid", 1},
      {"tid", random() % 3},
      {"ts", index},
      {"dur", random() % 10}};
  if (random() % 2 == 0) event["args"] = args;
  return event;
}

TEST(Recovery, BlocksAndThreadsChangeNothing) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    nlohmann::ordered_json events = nlohmann::ordered_json::array();
    const int count = 1 + static_cast<int>(random() % 200);
    int64_t activities = 0;
    for (int i = 0; i < count; ++i) {
      events.push_back(random_event(random, i));
      activities += events.back()["ph"] == "X" ? 1 : 0;
    }
    const nlohmann::ordered_json full = {{"traceEvents", events}, {"zlast", {{"ph", "X"}}}};
    const std::string text = full.dump(round % 3 == 0 ? 2 : -1);
    const Trace expected = read(text);
    EXPECT_EQ(expected.read.events, activities);
    for (const int64_t block : {1, 64, 200, 1000, 5000}) {
      ReadOptions options;
      options.block_bytes = block;
      options.threads = 1 + static_cast<int>(random() % 4);
      const Trace trace = read(text, options);
      ASSERT_EQ(trace.read.skipped, 0) << "block " << block;
      ASSERT_EQ(trace.read.passed_over, expected.read.passed_over);
      ASSERT_FALSE(trace.read.truncated);
      ASSERT_EQ(trace.activities.start_ns, expected.activities.start_ns);
      ASSERT_EQ(trace.activities.duration_ns, expected.activities.duration_ns);
      ASSERT_EQ(trace.activities.correlation, expected.activities.correlation);
      for (size_t row = 0; row < trace.activities.size(); ++row) {
        ASSERT_EQ(trace.name_of(row), expected.name_of(row));
      }
    }
  }
}

TEST(Recovery, SurvivesAnyBytesInPlaceOfOthers) {
  std::mt19937 random(11);
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  for (int i = 0; i < 40; ++i) events.push_back(random_event(random, i));
  const std::string full = nlohmann::ordered_json{{"traceEvents", events}}.dump();
  const std::string bytes(
      "\"{}[],:\\\n\0\xff"
      "x1",
      13);
  for (int round = 0; round < 2000; ++round) {
    std::string text = full;
    for (int i = 0; i < 1 + round % 4; ++i)
      text[random() % text.size()] = bytes[random() % bytes.size()];
    ReadOptions options;
    options.block_bytes = round % 2 == 0 ? 300 : 1 << 20;
    options.threads = 2;
    const auto trace = TraceReader(options).parse(text, "test");
    if (!trace) continue;
    EXPECT_LE(trace->read.events, 40);
  }
}

}  // namespace
}  // namespace batchscope::trace

#include "batchscope/trace/reader.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "read_text.hpp"

namespace batchscope::trace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(std::string_view text) {
  const auto trace = TraceReader().parse(text, "test");
  return trace ? "" : to_string(trace.error());
}

TEST(TraceReader, ReadsTheObjectAndTheBareArray) {
  const std::string events =
      R"json([{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 2, "ts": 10, "dur": 5}])json";
  for (const std::string& text :
       {events, "{\"traceEvents\": " + events + "}",
        "{\"schemaVersion\": 1,\n\"traceEvents\":" + events + ", \"traceName\": \"x\"}"}) {
    const Trace trace = read(text);
    ASSERT_EQ(trace.activities.size(), 1) << text;
    EXPECT_EQ(trace.name_of(0), "aten::add");
    EXPECT_EQ(trace.activities.start_ns[0], 10'000);
    EXPECT_EQ(trace.activities.duration_ns[0], 5'000);
    EXPECT_EQ(trace.activities.kind[0], ActivityKind::op);
    EXPECT_EQ(trace.track_of(0).process, 1);
    EXPECT_EQ(trace.track_of(0).thread, 2);
    EXPECT_FALSE(trace.read.truncated);
    EXPECT_EQ(trace.read.skipped, 0);
  }
}

TEST(TraceReader, SaysThatSomethingIsBehindTheEnd) {
  const std::string one =
      R"json({"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":2,"ts":1,"dur":1}]})json";
  for (const std::string& more : {one, std::string("x")}) {
    const Trace trace = read(one + "\n" + more);
    EXPECT_EQ(trace.activities.size(), 1);
    EXPECT_EQ(trace.read.unread_bytes, static_cast<int64_t>(more.size()) + 1);
  }
  EXPECT_EQ(read(one + " \n\n").read.unread_bytes, 0);
  const std::string array = R"json([{"ph":"X","name":"a","pid":1,"tid":2,"ts":1,"dur":1}])json";
  EXPECT_EQ(read(array + "garbage").read.unread_bytes, 7);
  EXPECT_EQ(read(array + "\n").read.unread_bytes, 0);
}

// Of a file with a broken event too, however its blocks fall to the threads.
TEST(TraceReader, CountsWhatIsBehindTheEndAlikeInAnyBlocks) {
  std::string text = R"json({"traceEvents":[)json";
  for (int i = 0; i < 2000; ++i) {
    if (i == 1990) text += R"json({"ph":"X","name" "broken","ts":1,"dur":1},)json";
    text += R"json({"ph":"X","name":"a","pid":1,"tid":2,"ts":1,"dur":1},)json";
  }
  text.back() = ']';
  text += "}XYZ";
  for (int round = 0; round < 20; ++round) {
    for (const int64_t block : {200, 1 << 16, 1 << 20}) {
      ReadOptions options;
      options.threads = 1 + round % 4;
      options.block_bytes = block;
      EXPECT_EQ(read(text, options).read.unread_bytes, 3) << block << ", " << options.threads;
      EXPECT_EQ(read(text + text, options).read.unread_bytes, 3 + static_cast<int64_t>(text.size()))
          << block << ", " << options.threads;
    }
  }
}

TEST(TraceReader, NumbersNamesAlikeInAnyBlocksAndThreads) {
  std::string text = R"json({"traceEvents":[)json";
  for (int i = 0; i < 3000; ++i) {
    const int name = i * 7919 % 1000;
    text += R"json({"ph":"X","cat":"cpu_op","name":"op)json" + std::to_string(name) +
            R"json(","pid":1,"tid":)json" + std::to_string(i % 5) + R"json(,"ts":1,"dur":1},)json";
  }
  text.back() = ']';
  const Trace first = read(text + "}");
  ASSERT_EQ(first.names.size(), 1000u);
  EXPECT_TRUE(std::ranges::is_sorted(first.names));
  for (const int threads : {1, 2, 4}) {
    ReadOptions options;
    options.threads = threads;
    options.block_bytes = 1000;
    const Trace again = read(text + "}", options);
    EXPECT_EQ(again.names, first.names) << threads;
    EXPECT_EQ(again.activities.name, first.activities.name) << threads;
  }
}

TEST(TraceReader, TakesWhatHasAStreamForADevices) {
  const Trace trace = read(R"json([
    {"ph":"X","cat":"kernel,foo","name":"a","pid":0,"tid":7,"ts":1,"dur":1,"args":{"stream":7}},
    {"ph":"X","cat":"newmaker_kernel","name":"b","pid":0,"tid":7,"ts":2,"dur":1,"args":{"stream":7}},
    {"ph":"X","cat":"mine","name":"c","pid":1,"tid":7,"ts":3,"dur":1}])json");
  EXPECT_THAT(trace.activities.kind,
              ElementsAre(ActivityKind::range, ActivityKind::kernel, ActivityKind::kernel));
}

TEST(TraceReader, JoinsBeginsAndEnds) {
  // Two threads, one nested in itself, not in the order of time, an end without a name.
  const Trace trace = read(R"json([
    {"ph":"B","cat":"cpu_op","name":"outer","pid":1,"tid":2,"ts":10},
    {"ph":"E","pid":1,"tid":2,"ts":30},
    {"ph":"B","cat":"cpu_op","name":"inner","pid":1,"tid":2,"ts":12},
    {"ph":"B","name":"other","pid":1,"tid":3,"ts":11},
    {"ph":"E","pid":1,"tid":2,"ts":15},
    {"ph":"E","pid":1,"tid":3,"ts":40}])json");
  ASSERT_EQ(trace.activities.size(), 3);
  EXPECT_EQ(trace.name_of(0), "outer");
  EXPECT_EQ(trace.name_of(1), "inner");
  EXPECT_EQ(trace.name_of(2), "other");
  EXPECT_THAT(trace.activities.duration_ns, ElementsAre(20'000, 3'000, 29'000));
  EXPECT_EQ(trace.read.skipped, 0);
}

TEST(TraceReader, CountsBeginsAndEndsThatLackTheirOtherHalf) {
  const Trace trace = read(R"json([
    {"ph":"E","pid":1,"tid":2,"ts":5},
    {"ph":"B","name":"a","pid":1,"tid":2,"ts":10},
    {"ph":"B","name":"b","pid":1,"tid":3,"ts":11},
    {"ph":"E","pid":1,"tid":3,"ts":12}])json");
  ASSERT_EQ(trace.activities.size(), 1);
  EXPECT_EQ(trace.name_of(0), "b");
  EXPECT_EQ(trace.read.skipped, 2);
  EXPECT_EQ(trace.read.problems.at("an end (ph E) without its begin"), 1);
  EXPECT_EQ(trace.read.problems.at("a begin (ph B) without its end"), 1);
}

TEST(TraceReader, TakesAnOccupancyOfZeroForUnknown) {
  const Trace trace = read(R"json([
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1,"args":{"stream":7,"est. achieved occupancy %":0}}])json");
  ASSERT_NE(trace.launch_of(0), nullptr);
  EXPECT_LT(trace.launch_of(0)->occupancy, 0);
}

TEST(TraceReader, KnowsTheCategoriesOf2021AndOfNow) {
  const Trace trace = read(R"json([
    {"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7","ts":1,"dur":1,"args":{"device":3,"stream":7,"correlation":5,"grid":[2,3,1],"block":[32,4,1],"blocks per SM":0.075,"est. achieved occupancy %":25}},
    {"ph":"X","cat":"kernel","name":"k","pid":3,"tid":7,"ts":2,"dur":1,"args":{"device":3,"stream":7,"correlation":6}},
    {"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pageable -> Device)","pid":3,"tid":7,"ts":3,"dur":1,"args":{
  "device" : 3, "stream" : 7, "bytes" : 64}},
    {"ph":"X","cat":"Memset","name":"Memset (Device)","pid":3,"tid":"stream 7","ts":4,"dur":1,"args":{"device":3,"stream":7}},
    {"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","pid":9,"tid":"9","ts":1,"dur":1,"args":{"correlation":5}}])json");
  ASSERT_EQ(trace.activities.size(), 5);
  EXPECT_THAT(trace.activities.kind,
              ElementsAre(ActivityKind::runtime, ActivityKind::kernel, ActivityKind::kernel,
                          ActivityKind::memcpy, ActivityKind::memset));
  ASSERT_EQ(trace.tracks.size(), 2);  // both spellings of stream 7 are one
  EXPECT_EQ(trace.tracks[1].device, 3);
  EXPECT_EQ(trace.tracks[1].stream, 7);
  const LaunchFacts* const launch = trace.launch_of(1);
  ASSERT_NE(launch, nullptr);
  EXPECT_EQ(launch->grid_blocks, 6);
  EXPECT_EQ(launch->threads_per_block, 128);
  EXPECT_EQ(launch->multiprocessors, 80);
  EXPECT_FLOAT_EQ(launch->occupancy, 0.25F);
  const CopyFacts* const copy = trace.copy_of(3);
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->bytes, 64);
  EXPECT_EQ(copy->direction, CopyDirection::to_device);
  EXPECT_EQ(copy->host_memory, HostMemory::pageable);
}

TEST(TraceReader, KeepsDecimalMicrosecondsToTheNanosecond) {
  const Trace trace = read(
      R"json([{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1419247333430.849,"dur":3.136},
          {"ph":"X","cat":"cpu_op","name":"b","pid":1,"tid":1,"ts":1751410836000001.007,"dur":-1},
          {"ph":"X","cat":"cpu_op","name":"c","pid":1,"tid":1,"ts":-2.5,"dur":1e3}])json");
  EXPECT_THAT(trace.activities.start_ns,
              ElementsAre(-2'500, 1'419'247'333'430'849, 1'751'410'836'000'001'007));
  EXPECT_THAT(trace.activities.duration_ns, ElementsAre(1'000'000, 3'136, 0));
  EXPECT_EQ(trace.read.problems.at("a negative duration, taken for 0"), 1);
}

TEST(TraceReader, TakesWhatIsBesideTheEvents) {
  const Trace trace = read(
      R"json({"baseTimeNanoseconds": 1751410836000000000, "distributedInfo": {"rank": 3, "world_size": 8},
          "traceEvents": [{"name": "thread_name", "ph": "M", "pid": 4, "tid": 5, "args": {"name": "main"}},
                          {"name": "x", "cat": "cpu_op", "ph": "X", "pid": 4, "tid": 5, "ts": 1, "dur": 1}],
          "deviceProperties": [{"id": 0, "name": "V100", "totalGlobalMem": 34084028416, "computeMajor": 7,
                                "computeMinor": 0, "numSms": 80}]})json");
  EXPECT_EQ(trace.rank, 3);
  EXPECT_EQ(trace.world_size, 8);
  EXPECT_EQ(trace.base_time_ns, 1'751'410'836'000'000'000);
  ASSERT_EQ(trace.devices.size(), 1);
  EXPECT_EQ(trace.devices[0].name, "V100");
  EXPECT_EQ(trace.devices[0].multiprocessors, 80);
  EXPECT_EQ(trace.tracks[0].name, "main");
  EXPECT_EQ(trace.read.profiler, "PyTorch Profiler (Kineto)");
}

TEST(TraceReader, ReadsMemoryEvents) {
  const Trace trace = read(
      R"json([{"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":1,"tid":1,"ts":5,
           "args":{"Total Reserved":2048,"Total Allocated":1024,"Bytes":512,"Addr":77,"Device Id":1,"Device Type":1}},
          {"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":4,"args":{"Bytes":-8,"Device Id":-1,"Device Type":0}}])json");
  ASSERT_EQ(trace.memory.size(), 2);
  EXPECT_EQ(trace.memory[0].device, -1);
  EXPECT_EQ(trace.memory[0].bytes, -8);
  EXPECT_EQ(trace.memory[1].device, 1);
  EXPECT_EQ(trace.memory[1].total_allocated_bytes, 1024);
  EXPECT_EQ(trace.memory[1].total_reserved_bytes, 2048);
}

TEST(TraceReader, SortsByTrackAndStartTheLongerFirst) {
  const Trace trace = read(
      R"json([{"ph":"X","cat":"cpu_op","name":"inner","pid":1,"tid":2,"ts":5,"dur":1},
          {"ph":"X","cat":"cpu_op","name":"late","pid":1,"tid":2,"ts":9,"dur":1},
          {"ph":"X","cat":"cpu_op","name":"outer","pid":1,"tid":2,"ts":5,"dur":3},
          {"ph":"X","cat":"cpu_op","name":"first thread","pid":1,"tid":1,"ts":50,"dur":3}])json");
  std::vector<std::string_view> names;
  for (size_t row = 0; row < trace.activities.size(); ++row) names.push_back(trace.name_of(row));
  EXPECT_THAT(names, ElementsAre("first thread", "outer", "inner", "late"));
  EXPECT_THAT(trace.first_of_track, ElementsAre(0, 1, 4));
}

TEST(TraceReader, UndoesEscapesInNames) {
  const Trace trace = read(
      R"json([{"ph":"X","cat":"cpu_op","name":"a \"b\" \u00e9 \\","pid":1,"tid":1,"ts":5,"dur":1}])json");
  EXPECT_EQ(trace.name_of(0), "a \"b\" \u00e9 \\");
}

TEST(TraceReader, CountsWhatIsNoActivity) {
  const Trace trace = read(
      R"json([{"ph":"s","id":1,"pid":1,"tid":1,"ts":5,"cat":"ac2g","name":"ac2g"},
          {"ph":"f","id":1,"pid":1,"tid":1,"ts":5,"cat":"ac2g","name":"ac2g","bp":"e"},
          {"ph":"X","cat":"Trace","name":"PyTorch Profiler (0)","pid":"Spans","tid":"PyTorch Profiler","ts":1,"dur":9},
          {"ph":"X","cat":"cpu_op","name":"x","pid":1,"tid":1,"ts":NaN,"dur":1},
          {"ph":"X","cat":"cpu_op","name":"x","pid":1,"tid":1,"dur":1},
          {"ph":"X","cat":"cpu_op","name":"x","pid":1,"tid":1,"ts":1e300,"dur":1},
          {"pid":1}, 7, "text", null,
          {"ph":"X","cat":"cpu_op","name":"x","pid":1,"tid":1,"ts":1,"dur":1}])json");
  EXPECT_EQ(trace.read.events, 1);
  EXPECT_EQ(trace.read.passed_over, 3);
  EXPECT_EQ(trace.read.skipped, 5);  // what stands between two events counts as one
  EXPECT_EQ(trace.read.problems.at("no valid time"), 3);
}

TEST(TraceReader, SaysWhatIsNoTrace) {
  EXPECT_THAT(error_of(""), HasSubstr("is empty"));
  EXPECT_THAT(error_of("hello\x1b, no trace"),
              HasSubstr("neither JSON nor SQLite; it begins with \"hello\\x1b, no trace\""));
  EXPECT_THAT(error_of("{\"a\": [1, 2], \"b\": {}}"), HasSubstr("no \"traceEvents\""));
  EXPECT_THAT(error_of("{\"a\": [1, 2"), HasSubstr("it contains no event"));
  EXPECT_THAT(to_string(TraceReader().read("/nowhere/x.json").error()), HasSubstr("cannot read"));
  EXPECT_THAT(to_string(TraceReader().read("/tmp").error()), HasSubstr("is a folder"));
}

TEST(TraceReader, StopsAtTheMostActivities) {
  std::string text = "[";
  for (int i = 0; i < 10'000; ++i) {
    text += (i > 0 ? "," : "") +
            std::string(
                R"json({"ph":"X","cat":"cpu_op","name":"x","pid":1,"tid":1,"ts":1,"dur":1})json");
  }
  ReadOptions options;
  options.most_activities = 100;
  options.block_bytes = 1000;
  options.threads = 1;
  const Trace trace = read(text + "]", options);
  EXPECT_TRUE(trace.read.truncated);
  EXPECT_GE(trace.activities.size(), 100);
  EXPECT_LT(trace.activities.size(), 5000);  // it ends with a block
}

}  // namespace
}  // namespace batchscope::trace

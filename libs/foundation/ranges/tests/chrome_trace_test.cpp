#include "batchscope/ranges/chrome_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "written_recording.hpp"

namespace batchscope::ranges {
namespace {

using nlohmann::json;
using testing::ElementsAre;

json events_of(const Recording& recording, const std::string& kinds) {
  const json trace = json::parse(chrome_trace(recording));
  json chosen = json::array();
  for (const json& event : trace.at("traceEvents")) {
    if (kinds.find(event.at("ph").get<std::string>()) != std::string::npos) chosen.push_back(event);
  }
  return chosen;
}

// "kind name"
std::vector<std::string> shapes(const Recording& recording) {
  std::vector<std::string> texts;
  for (const json& event : events_of(recording, "Xbe")) {
    texts.push_back(event.at("ph").get<std::string>() + " " + event.at("name").get<std::string>());
  }
  return texts;
}

TEST(ChromeTrace, TimesAreMicrosecondsFromTheFirstRange) {
  const json events = events_of(
      written({range("a", 0, 5'000'000, 9'000'500), range("b", 1, 5'001'000, 5'001'001, 0)}), "X");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].at("ts"), 0.0);
  EXPECT_EQ(events[0].at("dur"), 4000.5);
  EXPECT_EQ(events[1].at("ts"), 1.0);
  EXPECT_EQ(events[1].at("dur"), 0.001);
  EXPECT_EQ(events[0].at("tid"), 100);
}

TEST(ChromeTrace, EveryThreadHasAName) {
  const json names = events_of(written({range("a", 0, 0, 1)}), "M");
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(names[1].at("tid"), 101);
  EXPECT_EQ(names[1].at("args").at("name"), "thread 1");
}

TEST(ChromeTrace, WhatDoesNotNestIsAsynchronous) {
  EXPECT_THAT(shapes(written({range("outer", 0, 0, 30), range("sticks out", 1, 10, 80, 0),
                              range("fits", 2, 12, 20, 1), range("sticks out too", 3, 25, 40, 1)})),
              ElementsAre("X outer", "b sticks out", "e sticks out", "X fits", "b sticks out too",
                          "e sticks out too"));
}

TEST(ChromeTrace, WhatEndedElsewhereIsAsynchronous) {
  Recording recording = written({range("moved", 0, 0, 30), range("moved", 1, 0, 30)});
  recording.ranges[0].moved = recording.ranges[1].moved = true;
  const json events = events_of(recording, "be");
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].at("id"), events[1].at("id"));
  EXPECT_NE(events[0].at("id"), events[2].at("id"));
  EXPECT_EQ(events[0].at("args").at("ended_on_another_thread"), true);
}

TEST(ChromeTrace, DeviceTimeAndMemoryAreBeside) {
  Recording recording = written({range("a", 0, 1000, 3000)});
  recording.ranges[0].device_ns = 1500;
  recording.ranges[0].memory = MemoryUse{10, 20, 30};
  const json range = events_of(recording, "X")[0];
  EXPECT_EQ(range.at("args"), json({{"device_us", 1.5}, {"process_peak_bytes", 30}}));
  const json memory = events_of(recording, "C");
  ASSERT_EQ(memory.size(), 2u);
  EXPECT_EQ(memory[1].at("ts"), 2.0);
  EXPECT_EQ(memory[1].at("args").at("bytes"), 20);
}

TEST(ChromeTrace, AnyNameIsValidJson) {
  const json events = events_of(written({range("\"quoted\"\n\xff", 0, 0, 1)}), "X");
  EXPECT_EQ(events[0].at("name"), "\"quoted\"\n\xef\xbf\xbd");
  EXPECT_EQ(json::parse(chrome_trace({})).at("traceEvents"), json::array());
}

}  // namespace
}  // namespace batchscope::ranges

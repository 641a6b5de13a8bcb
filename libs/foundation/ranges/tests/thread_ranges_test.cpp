#include "nvtx/thread_ranges.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "batchscope/ranges/nvtx.hpp"

namespace batchscope::ranges::nvtx {
namespace {

using Reported = std::vector<std::string>;

// Writes down what it is told: "+name" and "-".
struct ReportedTool final : Tool {
  const void* handle_of(const char* text) override {
    registered.push_back(text);
    return text;
  }
  void push(const Name& name) noexcept override {
    reported.push_back(std::string("+") + name.text);
  }
  void pop() noexcept override { reported.push_back("-"); }

  Reported reported, registered;
};

struct Thread : testing::Test {
  void end(const std::shared_ptr<OpenRange>& range) {
    range->ended = true;
    ranges->close_ended();
  }

  ReportedTool tool;
  Names names{tool};
  std::optional<ThreadRanges> ranges{std::in_place, tool, names};
};

TEST_F(Thread, RangesInsideEachOther) {
  const auto outer = ranges->begin("outer");
  end(ranges->begin("inner"));
  end(ranges->begin("inner"));
  end(outer);
  EXPECT_EQ(tool.reported, (Reported{"+outer", "+inner", "-", "+inner", "-", "-"}));
}

TEST_F(Thread, ANameIsRegisteredOnce) {
  for (int i = 0; i < 3; ++i) end(ranges->begin("same"));
  ThreadRanges other(tool, names);
  other.begin("same");
  EXPECT_EQ(tool.registered, Reported{"same"});
}

// Else the tool would take the end for that of the inner one.
TEST_F(Thread, AnInnerRangeGoesOnWhereTheOuterOneEnds) {
  const auto outer = ranges->begin("outer");
  const auto inner = ranges->begin("inner");
  end(outer);
  end(inner);
  EXPECT_EQ(tool.reported, (Reported{"+outer", "+inner", "-", "-", "+inner", "-"}));
}

TEST_F(Thread, WhatLiesBelowIsLeftAlone) {
  const auto lowest = ranges->begin("lowest");
  const auto middle = ranges->begin("middle");
  const auto highest = ranges->begin("highest");
  tool.reported.clear();
  end(middle);
  EXPECT_EQ(tool.reported, (Reported{"-", "-", "+highest"}));
}

TEST_F(Thread, ARangeThatEndedElsewhereIsReportedWithTheNext) {
  const auto moved = ranges->begin("moved");
  std::thread([&] { moved->ended = true; }).join();
  EXPECT_EQ(tool.reported, Reported{"+moved"});
  end(ranges->begin("next"));
  EXPECT_EQ(tool.reported, (Reported{"+moved", "-", "+next", "-"}));
}

TEST_F(Thread, WhatAThreadLeavesOpenEndsWithIt) {
  const auto outer = ranges->begin("outer");
  const auto inner = ranges->begin("inner");
  ranges.reset();
  EXPECT_EQ(tool.reported, (Reported{"+outer", "+inner", "-", "-"}));
  EXPECT_TRUE(outer->ended && inner->ended);
}

// No tool is attached to a program of tests.
TEST(ScopedRange, WithoutAToolItDoesNothing) {
  EXPECT_FALSE(attached());
  ScopedRange range("a");
  ScopedRange other = std::move(range);
  other = ScopedRange("b");
  other.end();
  other.end();
}

}  // namespace
}  // namespace batchscope::ranges::nvtx

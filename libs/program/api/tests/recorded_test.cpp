#include "batchscope/api/recorded.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "batchscope/api/analyze.hpp"
#include "batchscope/api/doctor.hpp"
#include "batchscope/api/import.hpp"
#include "made_run.hpp"

namespace batchscope::api {
namespace {

using base::ErrorKind;
using testing::HasSubstr;

TEST(ImportTable, MakesARunFileThatCanBeRead) {
  const Folder folder;
  std::ofstream(folder / "table.csv") << "batch,time_ms\n1,10\n2,25\n4,30\n";
  Program program;
  program.version = "9.9";
  const auto run = import_table(program, folder / "table.csv", {}, {"made", "by", "hand"});
  ASSERT_TRUE(run) << base::to_string(run.error());
  EXPECT_EQ(run->configs.front().model, "table");
  std::ofstream(folder / "run.jsonl") << schema::run_file_text(*run);
  const auto read = read_runs({(folder / "run.jsonl").string()});
  ASSERT_TRUE(read) << base::to_string(read.error());
  EXPECT_EQ(read->front().visits.size(), 3U);
  EXPECT_EQ(read->front().header.tool_version, "9.9");
  EXPECT_EQ(read->front().header.command_line.size(), 3U);
  EXPECT_EQ(import_table(program, folder / "absent.csv", {}).error().kind, ErrorKind::input);
}

TEST(ReadRuns, WhatTimesNothingIsRefused) {
  const Folder folder;
  const std::string path = (folder / "empty.jsonl").string();
  std::ofstream(path) << schema::header_line({}) << "\n";
  const auto refused = read_runs({path});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::input);
  EXPECT_THAT(refused.error().where, testing::StartsWith(path));
  EXPECT_FALSE(read_runs_or_search({path}));
}

TEST(RepeatsAmong, FindsTheSameFileUnderTwoNames) {
  const Folder folder;
  const std::string path = (folder / "run.jsonl").string(), other = (folder / "b.jsonl").string();
  const std::string again = (folder / ".").string() + "/run.jsonl";
  std::ofstream(path) << "a";
  std::ofstream(other) << "b";
  EXPECT_TRUE(repeats_among({path, other}).empty());
  ASSERT_EQ(repeats_among({path, other, again}).size(), 1U);
  EXPECT_EQ(repeats_among({path, other, again}).front().second, again);
}

TEST(RegressionGate, NeedsOneRunOrThreeASide) {
  EXPECT_TRUE(check_regression_gate({"a"}, 0, 0));
  EXPECT_TRUE(check_regression_gate({"a", "b", "c", "d", "e", "f"}, 3, 3));
  for (const auto& refused : {check_regression_gate({"a", "b"}, 0, 0),
                              check_regression_gate({"a", "b", "c", "d", "e"}, 3, 2)}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().where, "--fail-on-regression");
    EXPECT_THAT(refused.error().fix, HasSubstr("3 runs a side (--baseline A1"));
  }
}

TEST(Doctor, SaysFirstWhetherModelsCanBeRun) {
  const auto checks = doctor(Program{});
  ASSERT_GT(checks.size(), 3U);
  EXPECT_EQ(checks.front().where, "torch");
  EXPECT_EQ(checks.front().status, doctor::CheckStatus::missing) << "no folder of plugins is given";
}

}  // namespace
}  // namespace batchscope::api

#include "batchscope/api/baselines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "batchscope/api/import.hpp"
#include "batchscope/api/recorded.hpp"
#include "batchscope/report/baselines.hpp"
#include "made_run.hpp"

namespace batchscope::api {
namespace {

using base::ErrorKind;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string imported(const Folder& folder, const std::string& name, int ms) {
  std::ofstream(folder / (name + ".csv")) << "batch,time_ms\n1," << ms << "\n2," << 2 * ms << "\n";
  const auto run = import_table(Program{}, folder / (name + ".csv"), {});
  std::ofstream(folder / (name + ".jsonl")) << schema::run_file_text(*run);
  return (folder / (name + ".jsonl")).string();
}

SaveOptions saved_as(const std::string& name, std::vector<std::string> runs) {
  return {name, std::move(runs), "v1-3-gabc", "2026-01-02T03:04:05Z"};
}

TEST(Baselines, WhatIsSavedIsFoundByItsName) {
  const Folder folder;
  const auto kept = folder / "kept";
  ASSERT_TRUE(save_baseline(kept, saved_as("main", {imported(folder, "a", 10)})));
  const auto found = find_baseline(kept, "main");
  ASSERT_TRUE(found && *found);
  ASSERT_THAT((*found)->runs, SizeIs(1));
  const schema::SavedRun& run = (*found)->runs.front();
  EXPECT_EQ(run.commit, "v1-3-gabc");
  EXPECT_EQ(run.source, "a.jsonl");
  EXPECT_THAT(run.models, testing::ElementsAre("a"));
  const auto read = read_runs({run.file});
  ASSERT_TRUE(read);
  EXPECT_THAT(read->front().visits, SizeIs(2));
  EXPECT_FALSE(*find_baseline(kept, "other"));
}

TEST(Baselines, ATakenNameIsRefusedAddedToOrReplaced) {
  const Folder folder;
  const auto kept = folder / "kept";
  const std::string a = imported(folder, "a", 10), b = imported(folder, "b", 11);
  ASSERT_TRUE(save_baseline(kept, saved_as("main", {a})));
  SaveOptions again = saved_as("main", {b});
  const auto refused = save_baseline(kept, again);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  again.if_saved = IfSaved::add;
  EXPECT_THAT(save_baseline(kept, again)->runs, SizeIs(2));
  again.if_saved = IfSaved::replace;
  EXPECT_THAT(save_baseline(kept, again)->runs, SizeIs(1));
  EXPECT_EQ((*find_baseline(kept, "main"))->runs.front().source, "b.jsonl");
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kept / "main")) {
    files += entry.path().extension() == ".jsonl";
  }
  EXPECT_EQ(files, 1) << "what was replaced is gone";
}

TEST(Baselines, ANameLeavesTheFolderNoWay) {
  const Folder folder;
  const std::string run = imported(folder, "a", 10);
  for (const char* name : {"", ".", "..", "../up", "a/b", ".hidden", "a b"}) {
    const auto refused = save_baseline(folder / "kept", saved_as(name, {run}));
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  }
  EXPECT_FALSE(save_baseline(folder / "kept", saved_as("main", {(folder / "none").string()})));
  EXPECT_FALSE(std::filesystem::exists(folder / "kept"));
}

TEST(Baselines, AreListedByName) {
  const Folder folder;
  const auto kept = folder / "kept";
  EXPECT_THAT(*baselines_in(kept), IsEmpty());
  EXPECT_EQ(report::baselines_text({}), "no saved baseline\n");
  const std::string run = imported(folder, "a", 10);
  ASSERT_TRUE(save_baseline(kept, saved_as("v2", {run})));
  ASSERT_TRUE(save_baseline(kept, saved_as("main", {run})));
  const auto all = baselines_in(kept);
  ASSERT_TRUE(all);
  ASSERT_THAT(*all, SizeIs(2));
  EXPECT_EQ(all->front().name, "main");
  EXPECT_THAT(report::baselines_text(*all), HasSubstr("main  1 run  "));
  EXPECT_THAT(report::baselines_text(*all), HasSubstr("v1-3-gabc"));
  const auto json = nlohmann::json::parse(report::baselines_json(*all));
  EXPECT_EQ(json["baselines"][1]["name"], "v2");
}

TEST(Baselines, ADamagedIndexIsReportedOf) {
  const Folder folder;
  std::filesystem::create_directories(folder / "main");
  std::ofstream(folder / "main" / "baseline.json") << "{\"runs\": 3";
  const auto found = find_baseline(folder / ".", "main");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::input);
}

TEST(Baselines, LieInTheUsersDataFolder) {
  setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(default_baselines_folder(), "/data/batchscope/baselines");
  setenv("XDG_DATA_HOME", "not/absolute", 1);
  setenv("HOME", "/me", 1);
  EXPECT_EQ(default_baselines_folder(), "/me/.local/share/batchscope/baselines");
}

}  // namespace
}  // namespace batchscope::api

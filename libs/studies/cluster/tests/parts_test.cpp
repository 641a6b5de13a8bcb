#include "batchscope/cluster/parts.hpp"

#include <gmock/gmock.h>

#include "batchscope/base/file.hpp"
#include "sample_parts.hpp"
#include "testing/files/temp_folder.hpp"

namespace batchscope::cluster {
namespace {

using base::ErrorKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void write(const base::TempFolder& folder, int block, const schema::RunFile& part) {
  ASSERT_TRUE(
      base::write_file_atomically(part_path(folder.path(), block), schema::run_file_text(part)));
}

void write_parts(const base::TempFolder& folder, const JobFile& job,
                 const std::vector<std::pair<int, std::string>>& blocks) {
  for (const auto& [block, node] : blocks) write(folder, block, sample_part(job, block, node));
}

TEST(PartOf, HoldsItsBlockAlone) {
  const JobFile job = sample_job();
  schema::RunFile recorded = empty_run(job);
  for (const int block : {0, 1, 3}) recorded.visits.push_back(sample_visit(block, 0));
  recorded.events = {{{"old", {0, 1, 0}, ""}, schema::EventKind::error},
                     {{"own", {1, 3, 0}, ""}, schema::EventKind::error}};
  schema::Node node;
  node.name = "n1";
  node.machine.cpu = "its cpu";
  schema::Placement placement;
  placement.block = 3;
  placement.nice = 15;
  const schema::RunFile part = part_of(recorded, node, placement);
  ASSERT_EQ(part.visits.size(), 1U);
  EXPECT_EQ(part.visits[0].block, 3);
  EXPECT_EQ(part.header.machine.cpu, "its cpu");
  ASSERT_EQ(part.events.size(), 2U);
  EXPECT_THAT(part.events[0].what, HasSubstr("nice 15"));
  EXPECT_EQ(part.events[1].what, "own");
  EXPECT_EQ(part.end->reason, schema::EndReason::blocks_done);
  EXPECT_EQ(part.end->wall_s, 1);
}

TEST(Merge, TakesEveryBlockOnceAndKeepsItsNode) {
  const base::TempFolder folder;
  const JobFile job = sample_job();
  write_parts(folder, job, {{0, "n1"}, {1, "n2"}, {2, "n1"}, {3, "n3"}});
  const auto merged = merge(folder.path(), job);
  ASSERT_TRUE(merged) << base::to_string(merged.error());
  EXPECT_THAT(merged->missing, IsEmpty());
  const schema::RunFile& run = merged->run;
  EXPECT_EQ(run.visits.size(), 8U);
  EXPECT_EQ(run.nodes.size(), 3U);
  std::vector<std::string> nodes;
  for (const schema::Placement& each : run.placements) {
    nodes.push_back(run.nodes[static_cast<std::size_t>(each.node)].name);
  }
  EXPECT_THAT(nodes, ElementsAre("n1", "n2", "n1", "n3"));
  EXPECT_EQ(run.end->reason, schema::EndReason::blocks_done);
  EXPECT_EQ(run.end->wall_s, 8);
  EXPECT_EQ(run.header.machine.cpu, "cpu of n1");
  const auto again = schema::parse_run_file(schema::run_file_text(run), "run.jsonl");
  ASSERT_TRUE(again);
  EXPECT_EQ(schema::run_file_text(*again), schema::run_file_text(run));
}

TEST(Merge, NamesBlocksThatAreMissing) {
  const base::TempFolder folder;
  JobFile job = sample_job();
  write_parts(folder, job, {{0, "n1"}, {2, "n1"}});
  const auto merged = merge(folder.path(), job);
  ASSERT_TRUE(merged);
  EXPECT_THAT(merged->missing, ElementsAre(1, 3));
  EXPECT_EQ(merged->run.end->reason, schema::EndReason::interrupted);
  EXPECT_EQ(merged->run.events.back().what, "blocks 1, 3 missing");
  job.blocks = 3;
  EXPECT_EQ(merge(folder.path(), job)->run.header.plan.blocks, 3);
}

TEST(Merge, RefusesPartsThatAreNotOfTheJob) {
  const base::TempFolder folder;
  const JobFile job = sample_job();
  EXPECT_EQ(merge(folder.path(), job).error().kind, ErrorKind::input);
  write_parts(folder, job, {{0, "n1"}});
  const auto refused = [&](auto change) {
    schema::RunFile part = sample_part(job, 1, "n1");
    change(part);
    write(folder, 1, part);
    const auto merged = merge(folder.path(), job);
    EXPECT_FALSE(merged);
    EXPECT_EQ(merged.error().kind, ErrorKind::input);
    EXPECT_EQ(merged.error().where, part_path(folder.path(), 1).string());
    return merged.error().what;
  };
  using schema::RunFile;
  EXPECT_THAT(refused([](RunFile& part) { part.header.tool_version = "9"; }), HasSubstr("9"));
  EXPECT_THAT(refused([](RunFile& part) { part.header.models[0].hash = "x"; }), HasSubstr("model"));
  EXPECT_THAT(refused([](RunFile& part) { part.header.seed = 8; }), HasSubstr("another job"));
  EXPECT_THAT(refused([](RunFile& part) { part.header.created = ""; }), HasSubstr("another job"));
  EXPECT_THAT(refused([](RunFile& part) { part.configs.pop_back(); }), HasSubstr("cut short"));
  EXPECT_THAT(refused([](RunFile& part) { part.visits[0].block = 2; }), HasSubstr("another block"));
  EXPECT_THAT(refused([](RunFile& part) { part.placements.clear(); }), HasSubstr("another block"));
  EXPECT_THAT(refused([](RunFile& part) { part.end.reset(); }), HasSubstr("cut short"));
  write_parts(folder, job, {{1, "n1"}});
  EXPECT_TRUE(merge(folder.path(), job));
}

TEST(History, OfAScoutIsEmptyAndOfOthersBothScouts) {
  const base::TempFolder folder;
  const JobFile job = sample_job();
  EXPECT_THAT(history_for(folder.path(), job, 1)->visits, IsEmpty());
  EXPECT_EQ(history_for(folder.path(), job, 2).error().kind, ErrorKind::failed);
  write_parts(folder, job, {{0, "n1"}, {1, "n2"}, {3, "n1"}});
  const auto history = history_for(folder.path(), job, 2);
  ASSERT_TRUE(history);
  EXPECT_EQ(history->visits.size(), 4U);
  EXPECT_THAT(history->placements, IsEmpty());
}

TEST(History, ScoutsWithoutAVisitEndTheStudy) {
  const base::TempFolder folder;
  const JobFile job = sample_job();
  for (const int block : {0, 1}) {
    schema::RunFile part = sample_part(job, block, "n1");
    part.visits.clear();
    part.events = {{{"no such device", {0, block, 0}, "fix it"}, schema::EventKind::error}};
    write(folder, block, part);
  }
  const auto history = history_for(folder.path(), job, 2);
  ASSERT_FALSE(history);
  EXPECT_EQ(history.error().kind, ErrorKind::input);
  EXPECT_THAT(history.error().what, HasSubstr("no such device"));
  EXPECT_EQ(history.error().fix, "fix it");
}

}  // namespace
}  // namespace batchscope::cluster

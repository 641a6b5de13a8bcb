#include "batchscope/privacy/redact.hpp"

#include <gmock/gmock.h>

#include "private_text.hpp"

namespace batchscope::privacy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// In pieces, because the checks of this repository look for such paths too.
const std::string kHome = std::string("/home") + "/janedoe";
const std::string kElsewhere = std::string("/home") + "/jane";

schema::RunFile private_run() {
  schema::RunFile run;
  schema::Header& header = run.header;
  header.machine.host = "secrethost.example.com";
  header.machine.cpu = "CPU of secrethost";
  header.machine.os = "Debian GNU/Linux 12";
  header.machine.kernel = "6.1.0-secrethost";
  header.versions = {{"torch", "2.13.0 in " + kHome + "/venv/lib/torch"}};
  header.models = {{"secretdir/model.pt", kHome + "/secretdir/model.pt", {"x:Bx4"}, {}, "h", ""}};
  header.axes = {{"model", kHome + "/secretdir/model.pt"}};
  header.command_line = {"batchscope",
                         "profile",
                         "-m",
                         kHome + "/secretdir/model.pt",
                         "-o",
                         "secretdir/my run.jsonl",
                         "--config=~/secretdir/run.toml",
                         "-osecretdir/x.jsonl"};
  header.notes = {
      "resumed by janedoe@example.com on secrethost from '/mnt/secretdir/run.jsonl:12'"};
  schema::RunConfig config;
  config.model = "secretdir/model.pt";
  config.shape.length_mix = "file:" + kHome + "/secretdir/lengths.txt";
  config.environment = {{"SECRET_TOKEN", "secrettoken"},
                        {"GLIBC_TUNABLES", "glibc.malloc.mmap_max=0"},
                        {"OMP_TOOL_LIBRARIES", kHome + "/tool.so"}};
  run.configs = {config};
  run.events = {schema::Event{
      {"C:\\Users\\janedoe\\secretdir\\model.pt failed", {}, "see ~janedoe/secretdir/log.txt"},
      schema::EventKind::crash}};
  schema::Visit visit;
  visit.phases = {{"forward", 1, {}, 1}};
  visit.diagnosis.emplace();
  schema::Operation kernel;
  kernel.name = "aten::addmm at " + kHome + "/secretdir/model.py";
  visit.diagnosis->operations = {kernel};
  visit.diagnosis->trace_file = "janedoe.traces/batch-8.config-0.trace.json.gz";
  visit.diagnosis->absent = {{"counters", "janedoe may not on secrethost"}};
  run.visits = {visit};
  schema::Node node, other;
  node.name = "secretnode7";
  node.machine = header.machine;
  node.boot_id = "secretboot";
  node.gpu_uuids = {"GPU-secret", "GPU-secret2"};
  node.versions = header.versions;
  other.name = "secretnode8";
  run.nodes = {node, other, node};
  run.events.push_back({{"a block waited on secretnode8", {}, ""}, schema::EventKind::warning});
  schema::Placement placement;
  placement.devices = {"cpu", "GPU-secret2"};
  placement.job = "slurm secretjob_1";
  run.placements = {placement};
  return run;
}

// Everything that a report can print of a run.
std::string everything(const schema::RunFile& run) {
  std::string all = schema::header_line(run.header);
  for (const schema::RunConfig& config : run.configs) all += schema::config_line(0, config);
  for (const schema::Visit& visit : run.visits) all += schema::visit_line(visit);
  for (const schema::Event& event : run.events) all += schema::event_line(event);
  for (const schema::Node& node : run.nodes) all += schema::node_line(0, node);
  for (const schema::Placement& each : run.placements) all += schema::place_line(each);
  return all;
}

TEST(Redact, LeavesNothingPrivate) {
  std::vector<schema::RunFile> runs = {private_run()};
  std::vector<std::string> names = {kHome + "/secretdir/run.jsonl"};
  redact(runs, names);
  const std::string all = everything(runs.front()) + names.front();
  for (const char* word : {"janedoe", "secrethost", "secretdir", "secrettoken", "/home", "example",
                           "secretnode", "secretboot", "GPU-secret", "secretjob"}) {
    EXPECT_THAT(all, Not(HasSubstr(word)));
  }
}

TEST(Redact, TellsNodesAndTheirGpusApart) {
  std::vector<schema::RunFile> runs = {private_run(), private_run()};
  std::vector<std::string> names = {"one.jsonl", "two.jsonl"};
  redact(runs, names);
  for (const schema::RunFile& run : runs) {
    EXPECT_EQ(run.nodes[0].name, "node-1");
    EXPECT_EQ(run.nodes[1].name, "node-2");
    EXPECT_EQ(run.nodes[2], run.nodes[0]);
    EXPECT_THAT(run.nodes[0].gpu_uuids, ElementsAre("GPU-1", "GPU-2"));
    EXPECT_THAT(run.placements[0].devices, ElementsAre("cpu", "GPU-2"));
  }
}

TEST(Redact, KeepsWhatAReaderNeeds) {
  std::vector<schema::RunFile> runs = {private_run()};
  std::vector<std::string> names = {"results/run.jsonl"};
  redact(runs, names);
  const schema::RunFile& run = runs.front();
  EXPECT_EQ(names.front(), "run.jsonl");
  EXPECT_EQ(run.configs.front().model, "model.pt");
  EXPECT_EQ(run.header.machine.os, "Debian GNU/Linux 12");
  EXPECT_EQ(run.configs.front().environment.at("GLIBC_TUNABLES"), "glibc.malloc.mmap_max=0");
  EXPECT_EQ(run.configs.front().environment.at("OMP_TOOL_LIBRARIES"), "tool.so");
  EXPECT_EQ(run.visits.front().phases.front().name, "forward");
  EXPECT_EQ(run.visits.front().diagnosis->operations.front().name, "aten::addmm at model.py");
  EXPECT_EQ(run.visits.front().diagnosis->trace_file, "batch-8.config-0.trace.json.gz");
  EXPECT_THAT(run.header.command_line,
              ElementsAre("batchscope", "profile", "-m", "model.pt", "-o", "my run.jsonl",
                          "--config=run.toml", "-ox.jsonl"));
}

// Two values of a token are two environments, which tables keep apart.
TEST(Redact, EnvironmentsThatWereComparedStayTwo) {
  schema::RunFile run = private_run();
  run.configs.push_back(run.configs.front());
  run.configs.back().environment["SECRET_TOKEN"] = "othertoken";
  run.header.axes["environment"] = "SECRET_TOKEN=secrettoken,othertoken";
  run.header.command_line = {"batchscope",
                             "profile",
                             "--env",
                             "SECRET_TOKEN=secrettoken,othertoken",
                             "--env=SECRET_TOKEN=othertoken",
                             "OMP_PROC_BIND=true"};
  std::vector<schema::RunFile> runs = {run};
  std::vector<std::string> names;
  redact(runs, names);
  EXPECT_EQ(runs[0].configs[0].environment.at("SECRET_TOKEN"), "(left out)");
  EXPECT_EQ(runs[0].configs[1].environment.at("SECRET_TOKEN"), "(left out, 2)");
  EXPECT_EQ(runs[0].header.axes.at("environment"), "(left out)");
  EXPECT_THAT(runs[0].header.command_line,
              ElementsAre("batchscope", "profile", "--env", "SECRET_TOKEN=(left out)",
                          "--env=SECRET_TOKEN=(left out)", "OMP_PROC_BIND=true"));
}

TEST(Redact, FilesOfOneNameStayTwo) {
  schema::RunFile run = private_run();
  run.configs.push_back(run.configs.front());
  run.configs.back().model = "otherdir/model.pt";
  std::vector<schema::RunFile> runs = {run};
  std::vector<std::string> names = {"a/run.jsonl", "b/run.jsonl"};
  redact(runs, names);
  EXPECT_THAT(names, ElementsAre("run.jsonl", "run.jsonl (2)"));
  EXPECT_EQ(runs.front().configs[0].model, "model.pt");
  EXPECT_EQ(runs.front().configs[1].model, "model.pt (2)");
}

TEST(Redact, TakesOutWhatItIsReported) {
  schema::RunFile run = private_run();
  run.header.notes = {"measured by othername-laptop"};
  std::vector<schema::RunFile> runs = {run};
  std::vector<std::string> names = {"run.jsonl"};
  redact(runs, names, {"othername"});
  EXPECT_THAT(runs.front().header.notes, ElementsAre("measured by user-laptop"));
}

PrivateText known_short(const std::string& name, const std::string& instead = "user") {
  PrivateText known;
  known.add_word(name, instead);
  return known;
}

TEST(PrivateText, TakesOutAShortNameWhereSomebodyIsNamed) {
  const PrivateText known = known_short("a");
  EXPECT_EQ(known.cleaned("resumed by a on host a, see ~a"),
            "resumed by user on host user, see ~user");
  EXPECT_EQ(known.cleaned("ssh a@b, 'a', USER=a, 6.1.0-a"),
            "ssh (address), 'user', USER=user, 6.1.0-user");
  EXPECT_EQ(known.cleaned("a"), "user");
  EXPECT_EQ(known.cleaned(std::string("/home") + "/a/x/model.pt, /data/a"), "model.pt, user");
}

TEST(PrivateText, KeepsWordsThatAreAShortNameToo) {
  const PrivateText known = known_short("a");
  EXPECT_EQ(known.cleaned("Batch 4 takes a third longer on a machine of a kind, 3 samples/s"),
            "Batch 4 takes a third longer on a machine of a kind, 3 samples/s");
  EXPECT_EQ(known_short("s").cleaned("97 samples/s at 5 s"), "97 samples/s at 5 s");
  EXPECT_EQ(known_short("m").cleaned("-m"), "-m");
  EXPECT_EQ(known_short("1").cleaned("batch 1"), "batch 1");
  const PrivateText host = known_short("cpu", "host");
  EXPECT_EQ(host.cleaned("cpu"), "cpu");
  EXPECT_EQ(host.cleaned("the cpu is busy on host cpu"), "the cpu is busy on host host");
}

TEST(Redact, AHostOfOneLetterIsLeftOutAndTheRestStays) {
  schema::RunFile run = private_run();
  run.header.machine.host = "a";
  run.header.machine.kernel = "6.1.0-a";
  run.header.notes = {"resumed on a", "a note of a run"};
  std::vector<schema::RunFile> runs = {run};
  std::vector<std::string> names = {"run.jsonl"};
  redact(runs, names);
  EXPECT_EQ(runs.front().header.machine.kernel, "6.1.0-host");
  EXPECT_THAT(runs.front().header.notes, ElementsAre("resumed on host", "a note of a run"));
}

TEST(PrivateText, KnowsAPathFromARatio) {
  const PrivateText known;
  EXPECT_EQ(known.cleaned("97.2 samples/s, batches/s, and/or, 3/4"),
            "97.2 samples/s, batches/s, and/or, 3/4");
  EXPECT_EQ(known.cleaned("synthetic:affine:2ms,10ms;anomaly=4:1.25"),
            "synthetic:affine:2ms,10ms;anomaly=4:1.25");
  EXPECT_EQ(known.cleaned("read '/a/b.txt:12', ./c/d, e/f.pt and \\\\server\\share\\g.pt"),
            "read 'b.txt:12', d, f.pt and g.pt");
  EXPECT_EQ(known.cleaned(kElsewhere), "~");
}

TEST(PrivateText, FindsUsers) {
  EXPECT_THAT(users_in(kElsewhere + "/x, /Users/joe.b/y and C:\\Users\\jim\\z, ~jack/w"),
              ElementsAre("jane", "joe.b", "jim", "jack"));
}

}  // namespace
}  // namespace batchscope::privacy

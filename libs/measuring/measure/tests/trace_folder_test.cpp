// Where traces of diagnostic visits are kept, and that only those of visits that are recorded stay.
#include "batchscope/measure/trace_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "batchscope/measure/run_output.hpp"
#include "fake_executor.hpp"

namespace batchscope::measure {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

schema::Visit with_trace(const std::string& file) {
  schema::Visit visit;
  visit.diagnosis.emplace();
  visit.diagnosis->trace_file = file;
  return visit;
}

TEST(TraceName, TellsTheConfigurationAndIsNoOtherVisits) {
  schema::RunConfig run;
  run.shape = {8, {}};
  EXPECT_EQ(trace_name(run, 3, {}), "batch-8.config-3.trace.json.gz");
  run.shape.seq_len = 64;
  const std::string first = trace_name(run, 3, {});
  EXPECT_EQ(first, "batch-8.len-64.config-3.trace.json.gz");
  const std::vector<schema::Visit> made{with_trace(""), with_trace("run.traces/" + first)};
  EXPECT_EQ(trace_name(run, 3, made), "batch-8.len-64.config-3.2.trace.json.gz");
  EXPECT_EQ(recorded_name(fs::path("/a/run.traces") / first), "run.traces/" + first);
  EXPECT_EQ(trace_folder_of("results/run.jsonl"), "results/run.traces");
}

class TraceFolder : public testing::Test {
 protected:
  TraceFolder() {
    std::string made = (fs::temp_directory_path() / "trace-folder-XXXXXX").string();
    EXPECT_NE(::mkdtemp(made.data()), nullptr);
    folder_ = made;
  }
  ~TraceFolder() override { fs::remove_all(folder_); }

  static void write(const fs::path& file) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "x";
  }
  fs::path run() const { return folder_ / "run.jsonl"; }
  fs::path traces() const { return folder_ / "run.traces"; }
  fs::path old_trace() const { return traces() / "batch-1.config-0.trace.json.gz"; }

  // One size looked at, by an executor that keeps traces and then answers so.
  std::vector<VisitRequest> look(const FakeExecutor::Answer& answer, std::vector<std::string> only,
                                 const fs::path& folder) {
    FakeExecutor executor([&](const VisitRequest& request) {
      if (request.purpose != schema::Purpose::diagnostic) return steady(request);
      if (!request.trace_file.empty()) {
        write(request.trace_file);
        write(request.trace_file + ".recording/recording.json");
      }
      return answer(request);
    });
    MemorySink sink;
    Job job = job_of({8});
    job.header.plan.only = std::move(only);
    Collaborators with{executor, sink, nullptr, {}};
    with.trace_folder = folder;
    Session session(job, with);
    EXPECT_TRUE(session.begin());
    EXPECT_TRUE(session.run_main());
    executor.requests.clear();
    Stage stage;
    stage.again = {0};
    stage.purpose = schema::Purpose::diagnostic;
    stage.blocks = diagnostic_visits(job.header.plan);
    stage.budget_s = 100;
    (void)session.run_stage(stage);
    return executor.requests;
  }

  fs::path folder_;
};

TEST_F(TraceFolder, TakesTheTraceOfTheVisitThatIsTraced) {
  const auto file = (traces() / "batch-8.config-0.trace.json.gz").string();
  EXPECT_THAT(
      look(steady, {}, traces()),
      ElementsAre(
          AllOf(Field(&VisitRequest::traced, false), Field(&VisitRequest::trace_file, "")),
          AllOf(Field(&VisitRequest::traced, true), Field(&VisitRequest::trace_file, file))));
  EXPECT_THAT(look(steady, {"kernels", "trace"}, traces()).back().trace_file, file);
}

TEST_F(TraceFolder, TheTraceAloneTakesOneVisit) {
  EXPECT_THAT(look(steady, {"trace"}, traces()),
              ElementsAre(AllOf(Field(&VisitRequest::traced, true),
                                Field(&VisitRequest::trace_file, testing::Not(IsEmpty())))));
}

TEST_F(TraceFolder, NothingIsKeptWhereNobodyAskedOrThereIsNoPlace) {
  EXPECT_THAT(look(steady, {"kernels"}, traces()), Each(Field(&VisitRequest::trace_file, "")));
  EXPECT_THAT(look(steady, {"memory"}, traces()), Each(Field(&VisitRequest::trace_file, "")));
  EXPECT_THAT(look(steady, {}, {}), Each(Field(&VisitRequest::trace_file, "")));
}

TEST_F(TraceFolder, WhatAFailedVisitLeftGoes) {
  look([](const VisitRequest&) { return VisitOutcome(failure_of(schema::EventKind::crash)); },
       {"trace"}, traces());
  EXPECT_TRUE(fs::is_empty(traces()));
}

TEST_F(TraceFolder, WhatAnInterruptedVisitLeftGoes) {
  look(
      [](const VisitRequest&) -> base::Result<VisitOutcome> {
        return base::Error{base::ErrorKind::interrupted, "stop", "", ""};
      },
      {"trace"}, traces());
  EXPECT_TRUE(fs::is_empty(traces()));
}

TEST_F(TraceFolder, TracesOfAnEarlierRunAreNotMixedWithThoseOfANewOne) {
  write(old_trace());
  const auto refused = RunOutput::create(run());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::usage);
  EXPECT_TRUE(fs::exists(old_trace()));
  EXPECT_FALSE(fs::exists(run()));
}

TEST_F(TraceFolder, AreReplacedWithTheRunAndNothingElseInThere) {
  write(old_trace());
  write(run());
  write(traces() / "notes.txt");
  auto output = RunOutput::open(run());
  ASSERT_TRUE(output);
  EXPECT_EQ(output->trace_folder(), traces());
  EXPECT_TRUE(fs::exists(old_trace())) << "until the new run begins";
  ASSERT_TRUE(output->sink(0));
  EXPECT_FALSE(fs::exists(old_trace()));
  EXPECT_TRUE(fs::exists(traces() / "notes.txt"));
}

TEST_F(TraceFolder, StayWhereTheRunGoesOn) {
  write(old_trace());
  write(run());
  auto output = RunOutput::open(run());
  ASSERT_TRUE(output);
  ASSERT_TRUE(output->sink(1));
  EXPECT_TRUE(fs::exists(old_trace()));
}

TEST_F(TraceFolder, GoWithARunThatCameToNothing) {
  {
    auto output = RunOutput::create(run());
    ASSERT_TRUE(output);
    write(old_trace());
  }
  EXPECT_FALSE(fs::exists(traces()));
}

}  // namespace
}  // namespace batchscope::measure

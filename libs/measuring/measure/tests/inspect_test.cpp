#include "batchscope/measure/inspect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace batchscope::measure {
namespace {

using ::testing::HasSubstr;

ProcessOptions options() {
  ProcessOptions made;
  made.worker_argv = {TEST_WORKER};
  made.timeout_ns = 60'000'000'000;
  return made;
}

base::Result<InspectedModel> inspected(const std::string& path,
                                       const ProcessOptions& with = options(),
                                       const std::string& engine = "real") {
  engine::ModelSpec model;
  model.name = "net";
  model.path = path;
  return inspect_in_worker(with, engine, model, {});
}

base::Error error_of(const std::string& path, const ProcessOptions& with = options()) {
  const auto reported = inspected(path, with);
  EXPECT_FALSE(reported);
  return reported ? base::Error() : reported.error();
}

TEST(Inspect, TellsWhatTheEngineSaysInTheWorker) {
  const auto reported = inspected("model.pt");
  ASSERT_TRUE(reported) << base::to_string(reported.error());
  EXPECT_EQ(reported->facts.name, "net");
  EXPECT_EQ(reported->facts.path, "model.pt");
  EXPECT_EQ(reported->facts.parameters, 20);
  ASSERT_EQ(reported->inputs.size(), 1U);
  EXPECT_EQ(reported->inputs.front().name, "x");
}

TEST(Inspect, StatedInputsArrive) {
  engine::ModelSpec model;
  model.name = model.path = "model.pt";
  model.inputs = {*engine::parse_input_spec("ids:BxS:int64=0-99")};
  const auto reported = inspect_in_worker(options(), "real", model, {});
  ASSERT_TRUE(reported) << base::to_string(reported.error());
  ASSERT_EQ(reported->inputs.size(), 1U);
  EXPECT_EQ(reported->inputs.front().high, 99);
}

TEST(Inspect, WhatTheEngineRefusesIsReportedAsItSaysIt) {
  const base::Error torn = error_of("torn.pt");
  EXPECT_EQ(torn.kind, base::ErrorKind::input);
  EXPECT_EQ(base::to_string(torn), "torn.pt: it is torn (write it again)");
  EXPECT_EQ(error_of("says-nothing.pt").kind, base::ErrorKind::usage);
}

// Whoever dies on the file itself cannot be helped by stating its inputs.
TEST(Inspect, AWorkerThatDiesIsAnErrorThatTellsWhere) {
  const base::Error opened = error_of("crashes.pt");
  EXPECT_EQ(opened.kind, base::ErrorKind::failed);
  EXPECT_EQ(opened.where, "crashes.pt");
  EXPECT_THAT(opened.what, HasSubstr("inspection failed: SIGSEGV ended the worker"));
  EXPECT_THAT(opened.fix, HasSubstr("check the file"));
  const base::Error called = error_of("crashes-when-called.pt");
  EXPECT_EQ(called.kind, base::ErrorKind::failed);
  EXPECT_THAT(called.what, HasSubstr("cannot infer its inputs: SIGSEGV ended the worker"));
  EXPECT_THAT(called.fix, HasSubstr("--input x:Bx64"));
}

TEST(Inspect, AWorkerThatHangsIsGivenUpAtTheDeadline) {
  ProcessOptions brief = options();
  brief.timeout_ns = 300'000'000;
  const base::Error hung = error_of("hangs.pt", brief);
  EXPECT_EQ(hung.kind, base::ErrorKind::failed);
  EXPECT_THAT(hung.what, HasSubstr("did not end within 300 ms"));
  EXPECT_THAT(hung.fix, HasSubstr("raise --timeout"));
}

TEST(Inspect, NoMemoryIsAnErrorThatNamesTheLimit) {
  const base::Error thrown = error_of("throws.pt");
  EXPECT_EQ(thrown.kind, base::ErrorKind::failed);
  EXPECT_THAT(thrown.fix, HasSubstr("--memory-limit"));
  const base::Error called = error_of("too-large-when-called.pt");
  EXPECT_EQ(called.kind, base::ErrorKind::out_of_memory);
}

TEST(Inspect, WhatCannotBeStartedIsAnError) {
  EXPECT_EQ(inspected("model.pt", options(), "absent").error().kind, base::ErrorKind::usage);
  ProcessOptions wrong = options();
  wrong.worker_argv = {"/absent/worker"};
  EXPECT_EQ(error_of("model.pt", wrong).kind, base::ErrorKind::failed);
  std::stop_source stopped;
  stopped.request_stop();
  engine::ModelSpec model;
  const auto reported = inspect_in_worker(options(), "real", model, stopped.get_token());
  EXPECT_EQ(reported.error().kind, base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace batchscope::measure

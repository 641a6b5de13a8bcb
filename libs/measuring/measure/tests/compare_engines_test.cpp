#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fake_executor.hpp"
#include "workers/protocol.hpp"

namespace batchscope::measure {
namespace {

using testing::HasSubstr;

class CompareEngines : public testing::Test {
 protected:
  // Batches 1 and 2 of each engine, 2 before 1, and a training configuration.
  CompareEngines() {
    job_ = job_of({2, 1});
    for (auto& config : job_.configs) config.engine = "torch";
    const auto torch = job_.configs;
    for (schema::RunConfig config : torch) {
      config.engine = "openvino";
      job_.configs.push_back(config);
    }
    job_.configs.push_back(torch.front());
    job_.configs.back().mode = schema::Mode::train;
    job_.models.clear();
    job_.models[model_key("torch", "model")].path = "model.pt";
    job_.models[model_key("openvino", "model")].path = "model.xml";
  }

  schema::RunFile compared() {
    Session session(job_, {executor_, sink_, nullptr, {}});
    EXPECT_TRUE(session.begin());
    EXPECT_TRUE(session.compare_engines());
    EXPECT_TRUE(session.compare_engines());  // and not again
    return session.recorded();
  }

  Job job_;
  MemorySink sink_;
  FakeExecutor executor_{
      [](const VisitRequest& request) { return VisitOutcome(visit_of(request, {1})); }};
};

TEST_F(CompareEngines, RecordsOneDifferenceOfTheSmallestBatch) {
  executor_.difference = schema::OutputDifference{0, 0, 0.9999, 1e-4, 768};
  const auto run = compared();
  ASSERT_EQ(executor_.compared.size(), 1u);
  const VisitRequest& asked = executor_.compared.front();
  EXPECT_EQ(asked.run.shape.batch_size, 1);
  EXPECT_EQ(asked.run.engine, "openvino");
  EXPECT_EQ(asked.model.path, "model.xml");
  EXPECT_EQ(asked.against->run.engine, "torch");
  EXPECT_EQ(asked.against->model.path, "model.pt");
  ASSERT_EQ(run.outputs.size(), 1u);
  EXPECT_EQ(run.outputs.front(), (schema::OutputDifference{3, 1, 0.9999, 1e-4, 768}));
  EXPECT_EQ(sink_.run.outputs, run.outputs);
}

TEST_F(CompareEngines, ChecksEachPrecision) {
  const auto configs = job_.configs;
  for (schema::RunConfig config : configs) {
    config.precision = schema::Precision::bf16;
    job_.configs.push_back(config);
  }
  executor_.difference = schema::OutputDifference{0, 0, 1, 0, 1};
  EXPECT_EQ(compared().outputs.size(), 4u);
  const auto across = std::count_if(
      executor_.compared.begin(), executor_.compared.end(),
      [](const VisitRequest& asked) { return asked.run.engine == asked.against->run.engine; });
  EXPECT_EQ(across, 2) << "of each engine, bf16 against fp32";
}

TEST_F(CompareEngines, ChecksEachDeviceOfAnEngine) {
  job_.configs.resize(2);
  for (schema::RunConfig& config : job_.configs) config.device = "cpu";
  for (const schema::RunConfig& config : std::vector(job_.configs)) {
    job_.configs.push_back(config);
    job_.configs.back().device = "cuda:0";
  }
  executor_.difference = schema::OutputDifference{0, 0, 1, 0, 1};
  EXPECT_EQ(compared().outputs.size(), 1u);
  ASSERT_EQ(executor_.compared.size(), 1u);
  EXPECT_EQ(executor_.compared.front().run.device, "cuda:0");
  EXPECT_EQ(executor_.compared.front().against->run.device, "cpu");
}

TEST_F(CompareEngines, AsksNoLawForOutputs) {
  for (schema::RunConfig& config : job_.configs) config.engine = "synthetic";
  job_.configs.resize(1);
  job_.configs.push_back(job_.configs.front());
  job_.configs.back().precision = schema::Precision::bf16;
  EXPECT_TRUE(compared().outputs.empty());
  EXPECT_TRUE(executor_.compared.empty());
}

TEST_F(CompareEngines, RecordsWhyThereIsNone) {
  Session session(job_, {executor_, sink_, nullptr, {}});
  ASSERT_TRUE(session.begin());
  ASSERT_TRUE(session.compare_engines());
  EXPECT_TRUE(session.recorded().outputs.empty());
  ASSERT_EQ(sink_.run.events.size(), 1u);
  EXPECT_EQ(sink_.run.events.front().kind, schema::EventKind::warning);
  EXPECT_THAT(sink_.run.events.front().what, HasSubstr("comparing the outputs failed"));
}

TEST_F(CompareEngines, HasNothingToDoForOneEngine) {
  job_ = job_of({1, 2});
  EXPECT_TRUE(compared().outputs.empty());
  EXPECT_TRUE(executor_.compared.empty());
}

TEST_F(CompareEngines, AskAndAnswerInOneLine) {
  executor_.difference = schema::OutputDifference{0, 0, 1, 0, 1};
  compared();
  const auto request = parse_request(to_line(WorkerRequest{executor_.compared.front(), 5}));
  ASSERT_TRUE(request) << base::to_string(request.error());
  ASSERT_TRUE(request->visit.against);
  EXPECT_EQ(request->visit.against->run, executor_.compared.front().against->run);
  EXPECT_EQ(request->visit.against->model.path, "model.pt");
  WorkerReply reply;
  reply.outputs = schema::OutputDifference{0, 0, 0.5, 0.25, 9};
  const auto answer = parse_reply(to_line(reply));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->outputs, reply.outputs);
}

}  // namespace
}  // namespace batchscope::measure

#include "diagnosis/diagnose.hpp"

#include <ATen/ATen.h>
#include <ATen/Version.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "batchscope/engine/abilities.hpp"
#include "diagnosis/tracer.hpp"
#include "testing/engines/recording_sink.hpp"
#include "torch_engine.hpp"

namespace batchscope::torch_plugin {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Field;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;
using testing::Not;

constexpr int64_t kLayers = 3;  // of the mlp

std::unique_ptr<engine::Model> load_mlp(schema::Precision precision, schema::Mode mode) {
  engine::ModelSpec spec;
  spec.name = "mlp";
  engine::ExecutionSpec execution;
  execution.precision = precision;
  execution.mode = mode;
  execution.optimizer = "sgd";
  TorchEngine engine;
  auto model = engine.load(spec, execution);
  EXPECT_TRUE(model) << base::to_string(model.error());
  return *std::move(model);
}

// After one iteration of warm-up.
schema::Diagnosis diagnose_mlp(schema::Precision precision = schema::Precision::fp32,
                               schema::Mode mode = schema::Mode::infer) {
  const auto model = load_mlp(precision, mode);
  const auto batch = *model->prepare({4, {}});
  RecordingSink sink;
  EXPECT_TRUE(model->run(*batch, sink));
  schema::Diagnosis diagnosis;
  const auto done = model->as<engine::Diagnoses>()->diagnose(*batch, {}, diagnosis);
  EXPECT_TRUE(done) << base::to_string(done.error());
  return diagnosis;
}

int64_t calls_of(const schema::Diagnosis& diagnosis, std::string_view name) {
  const auto& operations = diagnosis.operations;
  const auto found = std::find_if(operations.begin(), operations.end(),
                                  [&](const auto& operation) { return operation.name == name; });
  return found == operations.end() ? 0 : found->calls;
}

// Does one operation an iteration, so that a tracer has something to see.
class FakeModel final : public engine::Model {
 public:
  base::Result<std::unique_ptr<engine::Batch>> prepare(const schema::Shape&) override {
    return std::make_unique<engine::Batch>();
  }
  base::Result<void> run(engine::Batch&, engine::PhaseSink&) override {
    if (++runs == failing_run) return base::Error{base::ErrorKind::out_of_memory, "full", "", ""};
    at::ones({1});
    return {};
  }
  base::Result<void> wait(engine::PhaseSink&) override {
    waited_for = runs;
    return {};
  }
  void reset_memory_peaks() override {}
  schema::Memory memory() const override { return {}; }

  int64_t runs = 0;
  int64_t waited_for = 0;
  int64_t failing_run = 0;
};

TEST(DiagnosticIterations, FillASecond) {
  EXPECT_EQ(diagnostic_iterations(0), 20);
  EXPECT_EQ(diagnostic_iterations(1'000'000), 20);
  EXPECT_EQ(diagnostic_iterations(100'000'000), 10);
  EXPECT_EQ(diagnostic_iterations(400'000'000), 3);
  EXPECT_EQ(diagnostic_iterations(60'000'000'000), 3);
}

TEST(Diagnose, CountsTheOperatorsOfInference) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const auto diagnosis = diagnose_mlp();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(diagnosis.absent, IsEmpty());
  EXPECT_EQ(diagnosis.tracer, "kineto");
  EXPECT_THAT(diagnosis.traced_iterations, AllOf(Ge(3), Le(20)));
  EXPECT_EQ(calls_of(diagnosis, "aten::linear"), kLayers * diagnosis.traced_iterations);
  EXPECT_EQ(calls_of(diagnosis, "aten::addmm"), kLayers * diagnosis.traced_iterations);
  EXPECT_FALSE(diagnosis.device_busy_ns.has_value());
}

TEST(Diagnose, SharesOutNoMoreThanTheTimeThatPassed) {
  const auto diagnosis = diagnose_mlp();
  int64_t self_ns = 0;
  for (const schema::Operation& operation : diagnosis.operations) {
    EXPECT_LE(operation.self_ns, operation.total_ns) << operation.name;
    EXPECT_LE(operation.total_ns, diagnosis.traced_ns) << operation.name;
    self_ns += operation.self_ns;
  }
  EXPECT_GT(self_ns, 0);
  EXPECT_LE(self_ns, diagnosis.traced_ns);
  EXPECT_TRUE(std::is_sorted(diagnosis.operations.begin(), diagnosis.operations.end(),
                             [](const auto& a, const auto& b) { return a.self_ns > b.self_ns; }));
}

TEST(Diagnose, CountsTheBackwardPassOfTraining) {
  const auto diagnosis = diagnose_mlp(schema::Precision::fp32, schema::Mode::train);
  // Of each layer the weights' gradient, and of all but the first the input's.
  EXPECT_EQ(calls_of(diagnosis, "aten::mm"), (2 * kLayers - 1) * diagnosis.traced_iterations);
}

TEST(Diagnose, ReadsTheLogOfTheKernelLibrary) {
  if (!at::get_cpu_capability().starts_with("AVX512")) {
    GTEST_SKIP() << "oneDNN has no bf16 on this processor";
  }
  testing::internal::CaptureStdout();
  const auto diagnosis = diagnose_mlp(schema::Precision::bf16);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  ASSERT_THAT(diagnosis.primitives, Not(IsEmpty()));
  EXPECT_THAT(diagnosis.primitives, Each(Field(&schema::Primitive::created, 0)));
  EXPECT_THAT(diagnosis.primitives,
              Each(Field(&schema::Primitive::implementation, Not(IsEmpty()))));
  EXPECT_THAT(diagnosis.primitives,
              Each(Field(&schema::Primitive::calls, Ge(diagnosis.logged_iterations))));
  EXPECT_EQ(diagnosis.primitives[0].kind, "matmul");
  EXPECT_GT(diagnosis.primitives[0].total_ns, 0);
}

TEST(Diagnose, RunsTracedAndLoggedIterationsAndWaitsForThem) {
  FakeModel model;
  engine::Batch batch;
  schema::Diagnosis diagnosis;
  ASSERT_TRUE(diagnose(model, batch, at::kCPU, {}, diagnosis));
  EXPECT_EQ(model.runs, diagnosis.traced_iterations + diagnosis.logged_iterations);
  EXPECT_EQ(model.waited_for, model.runs);
  EXPECT_EQ(calls_of(diagnosis, "aten::ones"), diagnosis.traced_iterations);
}

TEST(Diagnose, IsOffAgainWhenATracedIterationFails) {
  FakeModel model;
  model.failing_run = 2;
  engine::Batch batch;
  schema::Diagnosis diagnosis;
  const auto failed = diagnose(model, batch, at::kCPU, {}, diagnosis);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, base::ErrorKind::out_of_memory);
  EXPECT_EQ(c10::ThreadLocalDebugInfo::get(c10::DebugInfoKind::PROFILER_STATE), nullptr);
}

TEST(Diagnose, IsOffAgainWhenALoggedIterationFails) {
  FakeModel model;
  engine::Batch batch;
  schema::Diagnosis diagnosis;
  ASSERT_TRUE(diagnose(model, batch, at::kCPU, {}, diagnosis));
  model.failing_run = model.runs + diagnosis.traced_iterations + 1;
  EXPECT_FALSE(diagnose(model, batch, at::kCPU, {}, diagnosis));
  testing::internal::CaptureStdout();
  std::printf("seen");
  const at::Tensor x = at::ones({64, 64}, at::kBFloat16);
  at::matmul(x, x);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "seen");
}

TEST(Diagnose, SaysWhyThereIsNoTrace) {
  const auto other = Tracer::start(at::kCPU);
  ASSERT_TRUE(other);
  FakeModel model;
  engine::Batch batch;
  schema::Diagnosis diagnosis;
  ASSERT_TRUE(diagnose(model, batch, at::kCPU, {}, diagnosis));
  EXPECT_TRUE(diagnosis.absent.contains("operations"));
  EXPECT_TRUE(diagnosis.operations.empty());
  EXPECT_EQ(diagnosis.tracer, "");
  EXPECT_GE(diagnosis.logged_iterations, 3);
}

}  // namespace
}  // namespace batchscope::torch_plugin

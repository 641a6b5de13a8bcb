#include "batchscope/study/job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "batchscope/engines/synthetic.hpp"
#include "testing/engines/stub_engine.hpp"
#include "testing/files/scratch_folder.hpp"

namespace batchscope::study {
namespace {

using schema::Precision;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A law on a device that has no fp16.
class NoHalf final : public engine::StubEngine {
 public:
  std::string_view name() const override { return law_->name(); }
  const engine::Clock& clock() const override { return law_->clock(); }
  base::Result<schema::ModelInfo> inspect(const engine::ModelSpec& spec) override {
    return law_->inspect(spec);
  }
  base::Result<std::unique_ptr<engine::Model>> load(
      const engine::ModelSpec& spec, const engine::ExecutionSpec& execution) override {
    return law_->load(spec, execution);
  }
  base::Result<void> check_precision(const std::string& device,
                                     Precision precision) const override {
    if (precision != Precision::fp16) return {};
    return base::Error{base::ErrorKind::usage, device + " has no fp16", "--precision", "use fp32"};
  }
  std::optional<engine::ModelDescription> find_model(std::string_view name) const override {
    return law_->find_model(name);
  }

 private:
  std::unique_ptr<engine::Engine> law_ = engines::make_synthetic_engine(0);
};

base::Result<measure::Job> job_in(std::vector<Precision> precisions) {
  NoHalf engine;
  ProfileRequest request;
  request.models = {"synthetic:affine:1ms,1ms"};
  request.axes.batch_sizes = {1, 2};
  request.axes.threads = {1};
  request.axes.precisions = std::move(precisions);
  return make_job(engine, {}, request);
}

TEST(MakeJob, RefusesAPrecisionThatTheEngineLacks) {
  const auto job = job_in({Precision::fp16});
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().kind, base::ErrorKind::usage);
  EXPECT_EQ(job.error().where, "--precision");
}

// One command line serves machines that differ.
TEST(MakeJob, SaysWhichOfSeveralPrecisionsIsLacking) {
  const auto job = job_in({Precision::fp32, Precision::fp16});
  ASSERT_TRUE(job) << base::to_string(job.error());
  EXPECT_EQ(job->configs.size(), 4U);
  EXPECT_THAT(job->header.notes, Contains(HasSubstr("cpu has no fp16")));
  EXPECT_TRUE(job_in({Precision::fp32})->header.notes.empty());
}

class StubWithModels final : public engine::StubEngine {
 public:
  base::Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec&,
                                                    const engine::ExecutionSpec&) override {
    return std::unique_ptr<engine::Model>(std::make_unique<engine::StubModel>());
  }
};

// Loads nothing: whoever is asked knows what its file takes.
base::Result<measure::Job> job_of_file(const std::string& path, std::vector<std::string> inputs,
                                       int& asked) {
  StubWithModels engine;
  ProfileRequest request;
  request.models = {path};
  request.inputs = std::move(inputs);
  request.axes.batch_sizes = {1, 2};
  request.inputs_of = [&](engine::Engine&, const engine::ModelSpec& spec) {
    ++asked;
    EXPECT_EQ(spec.path, path);
    return engine::parse_input_specs(std::vector<std::string>{"ids:BxS:int64=0-9"});
  };
  return make_job(engine, {}, request);
}

TEST(MakeJob, InputsThatNobodyTypedAreAskedForAndRecorded) {
  const ScratchFolder folder;
  const std::string path = folder.file("model.pt");
  std::ofstream(path) << "x";
  int asked = 0;
  const auto job = job_of_file(path, {}, asked);
  ASSERT_TRUE(job) << base::to_string(job.error());
  EXPECT_EQ(asked, 1);
  EXPECT_THAT(job->header.models.front().inputs, ElementsAre("ids:BxS:int64=0-9"));
  EXPECT_EQ(job->models.begin()->second.inputs.front().high, 9);
  EXPECT_EQ(job->configs.front().shape.seq_len, 128);
  const auto typed = job_of_file(path, {"x:Bx4"}, asked);
  ASSERT_TRUE(typed) << base::to_string(typed.error());
  EXPECT_EQ(asked, 1);
  EXPECT_THAT(typed->header.models.front().inputs, ElementsAre("x:Bx4"));
}

}  // namespace
}  // namespace batchscope::study

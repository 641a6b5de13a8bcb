#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "batchscope/engine/abilities.hpp"
#include "fixture_models.hpp"
#include "openvino_engine.hpp"
#include "testing/engines/recording_sink.hpp"
#include "testing/files/scratch_folder.hpp"

namespace batchscope::openvino_plugin {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;

engine::Tensor integers(const char* name, const std::vector<int64_t>& values) {
  engine::Tensor tensor{
      name, engine::DType::int64, {2, 3}, std::vector<std::byte>(values.size() * 8)};
  std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  return tensor;
}

class Infer : public testing::Test {
 protected:
  void SetUp() override {
    engine::ModelSpec spec;
    spec.path = folder_.file("model.xml");
    save(encoder(), spec.path);
    auto loaded = engine_.load(spec, {});
    ASSERT_TRUE(loaded) << base::to_string(loaded.error());
    model_ = *std::move(loaded);
  }

  static float weight(int64_t i) {
    return static_cast<float>(static_cast<int>(i * 37 % 101) - 50) / 50.0F;
  }

  // What the definition of the fixture gives, for every token.
  std::vector<float> hidden() const {
    std::vector<float> values;
    for (size_t t = 0; t < ids_.size(); ++t) {
      for (int64_t h = 0; h < kWidth; ++h) {
        float sum = 0;
        for (int64_t k = 0; k < kWidth; ++k) {
          sum += weight(ids_[t] * kWidth + k) * weight(k * kWidth + h);
        }
        values.push_back(sum * static_cast<float>(mask_[t]));
      }
    }
    return values;
  }

  base::Error error(const std::vector<engine::Tensor>& inputs) {
    const auto ran = model_->as<engine::TakesTensors>()->infer(inputs, {}, sink_);
    return ran ? base::Error{} : ran.error();
  }

  ScratchFolder folder_;
  OpenvinoEngine engine_;
  RecordingSink sink_;
  std::unique_ptr<engine::Model> model_;
  std::vector<int64_t> ids_{3, 49, 0, 7, 7, 1}, mask_{1, 1, 0, 1, 1, 1};
  std::vector<engine::Tensor> inputs_{integers("attention_mask", mask_),
                                      integers("input_ids", ids_)};
};

TEST_F(Infer, GivesWhatTheDefinitionGives) {
  const auto outputs = model_->as<engine::TakesTensors>()->infer(inputs_, {}, sink_);
  ASSERT_TRUE(outputs) << base::to_string(outputs.error());
  EXPECT_THAT(outputs->front().dimensions, ElementsAre(2, 3, kWidth));
  EXPECT_EQ(outputs->front().name, "hidden");
  EXPECT_THAT(*engine::to_floats(outputs->front()), Pointwise(FloatNear(1e-4F), hidden()));
  EXPECT_THAT(sink_.names, ElementsAre("h2d", "forward", "d2h"));
}

TEST_F(Infer, Pools) {
  const engine::Tensor all = engine::float_tensor("hidden", {2, 3, kWidth}, hidden());
  for (const auto pooling : {engine::Pooling::none, engine::Pooling::mean, engine::Pooling::cls}) {
    const engine::Pool pool{pooling, true};
    sink_.names.clear();
    const auto outputs = model_->as<engine::TakesTensors>()->infer(inputs_, pool, sink_);
    ASSERT_TRUE(outputs) << base::to_string(outputs.error());
    const auto expected = engine::pool_on_host(all, &inputs_.front(), pool);
    EXPECT_EQ(outputs->front().dimensions, expected->dimensions);
    EXPECT_THAT(*engine::to_floats(outputs->front()),
                Pointwise(FloatNear(1e-5F), *engine::to_floats(*expected)));
    EXPECT_THAT(sink_.names, ElementsAre("h2d", "forward", "pool", "d2h"));
  }
}

TEST_F(Infer, SaysWhatTheModelTakes) {
  auto given = inputs_;
  given[1].name = "ids";
  EXPECT_EQ(error(given).kind, base::ErrorKind::usage);
  EXPECT_THAT(error(given).fix, HasSubstr("input_ids:BxS:int64"));
  given = inputs_;
  given[1].dtype = engine::DType::float64;
  EXPECT_EQ(error(given).kind, base::ErrorKind::input);
  given = inputs_;
  given[1].dimensions = {3, 2};
  EXPECT_THAT(error(given).what, HasSubstr("does not fit"));
  EXPECT_TRUE(model_->as<engine::TakesTensors>()->infer(inputs_, {}, sink_));  // and goes on
}

}  // namespace
}  // namespace batchscope::openvino_plugin

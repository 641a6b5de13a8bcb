#include "openvino_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/engine/abilities.hpp"
#include "fixture_models.hpp"
#include "testing/engines/recording_sink.hpp"
#include "testing/files/scratch_folder.hpp"

namespace batchscope::openvino_plugin {
namespace {

using testing::Contains;
using testing::HasSubstr;

class Engine : public testing::Test {
 protected:
  engine::ModelSpec saved(const std::shared_ptr<ov::Model>& model) {
    engine::ModelSpec spec;
    spec.name = "model";
    spec.path = folder_.file("model.xml");
    save(model, spec.path);
    return spec;
  }

  base::Error load_error(const engine::ModelSpec& spec,
                         const engine::ExecutionSpec& execution = {}) {
    const auto loaded = engine_.load(spec, execution);
    return loaded ? base::Error{} : loaded.error();
  }

  ScratchFolder folder_;
  OpenvinoEngine engine_;
};

TEST_F(Engine, DescribesItself) {
  EXPECT_EQ(engine_.name(), "openvino");
  EXPECT_EQ(engine_.clock().kind(), schema::ClockKind::steady);
  EXPECT_THAT(engine_.devices(), Contains("cpu"));
  EXPECT_THAT(engine_.versions().at("openvino"), HasSubstr("20"));
  EXPECT_TRUE(engine_.models().empty());
}

TEST_F(Engine, InspectsAFile) {
  const auto spec = saved(encoder());
  const auto info = engine_.inspect(spec);
  ASSERT_TRUE(info) << base::to_string(info.error());
  EXPECT_EQ(info->parameters, kRows * kWidth + kWidth * kWidth);
  EXPECT_THAT(info->description, HasSubstr("input_ids i64 [?,?]"));
  EXPECT_THAT(info->hash, HasSubstr("fnv1a64:"));
  {
    std::fstream weights(folder_.file("model.bin"),
                         std::ios::in | std::ios::out | std::ios::binary);
    weights.put('\1');
  }
  EXPECT_NE(engine_.inspect(spec)->hash, info->hash);  // the weights are part of it
}

TEST_F(Engine, TellsTheInputsOfAFile) {
  const auto inputs = engine_.inputs_of(saved(encoder()));
  ASSERT_TRUE(inputs);
  EXPECT_EQ(inputs->size(), 2u);
}

TEST_F(Engine, ReadsOnnx) {
  // y = x + x, written by hand: ir_version 8, one node, input and output of [?, 2] float32.
  const auto field = [](char tag, const std::string& bytes) {
    return std::string(1, tag) + static_cast<char>(bytes.size()) + bytes;
  };
  const std::string dims =
      field('\x0a', field('\x12', "N")) + field('\x0a', std::string("\x08\x02"));
  const std::string type = field('\x0a', std::string("\x08\x01") + field('\x12', dims));
  const auto value = [&](const char* name) { return field('\x0a', name) + field('\x12', type); };
  const std::string node =
      field('\x0a', "x") + field('\x0a', "x") + field('\x12', "y") + field('\x22', "Add");
  const std::string graph = field('\x0a', node) + field('\x12', "g") + field('\x5a', value("x")) +
                            field('\x62', value("y"));
  const std::string model =
      std::string("\x08\x08") + field('\x3a', graph) + field('\x42', std::string("\x10\x0d"));
  engine::ModelSpec spec;
  spec.path = folder_.write("model.onnx", model);
  const auto loaded = engine_.load(spec, {});
  ASSERT_TRUE(loaded) << base::to_string(loaded.error());
  RecordingSink sink;
  const std::vector<engine::Tensor> x{engine::float_tensor("x", {1, 2}, std::vector<float>{1, 2})};
  const auto y = (*loaded)->as<engine::TakesTensors>()->infer(x, {}, sink);
  ASSERT_TRUE(y) << base::to_string(y.error());
  EXPECT_THAT(*engine::to_floats(y->front()), testing::ElementsAre(2, 4));
}

TEST_F(Engine, RefusesFilesThatAreSomethingElse) {
  engine::ModelSpec spec;
  for (const auto& [name, part] :
       {std::pair{"junk.xml", "openvino.save_model"}, std::pair{"junk.onnx", "torch.onnx.export"},
        std::pair{"model.pt", "use --engine torch"}, std::pair{"model.pt2", "use --engine torch"},
        std::pair{"model.txt", "export"}}) {
    spec.path = folder_.write(name, "this is no model");
    for (const base::Error& error :
         {load_error(spec), engine_.inspect(spec).error(), engine_.inputs_of(spec).error()}) {
      EXPECT_EQ(error.kind, base::ErrorKind::input) << name;
      EXPECT_EQ(error.where, spec.path);
      EXPECT_THAT(error.fix, HasSubstr(part));
    }
  }
  spec.path = folder_.file("absent.xml");
  EXPECT_THAT(load_error(spec).what, HasSubstr("no such file"));
  spec = {};
  spec.name = "distilbert";
  EXPECT_EQ(load_error(spec).kind, base::ErrorKind::usage);
}

TEST_F(Engine, RefusesAnXmlWithoutItsWeights) {
  const auto spec = saved(encoder());
  std::filesystem::remove(folder_.file("model.bin"));
  EXPECT_EQ(load_error(spec).kind, base::ErrorKind::input);
}

TEST_F(Engine, RefusesWhatItCannotDo) {
  const auto spec = saved(matrix());
  engine::ExecutionSpec execution;
  execution.mode = schema::Mode::train;
  EXPECT_THAT(load_error(spec, execution).fix, HasSubstr("--engine torch"));
  execution = {};
  execution.device = "cuda:0";
  EXPECT_THAT(load_error(spec, execution).what, HasSubstr("available: cpu"));
  execution = {};
  execution.threads = 4096;
  EXPECT_EQ(load_error(spec, execution).where, "--threads");
}

TEST_F(Engine, RefusesInputsThatTheModelHasNot) {
  auto spec = saved(matrix());
  spec.inputs = {*engine::parse_input_spec("images:Bx4")};
  EXPECT_EQ(load_error(spec).kind, base::ErrorKind::usage);
  EXPECT_EQ(engine_.inspect(spec).error().kind, base::ErrorKind::usage);
}

}  // namespace
}  // namespace batchscope::openvino_plugin

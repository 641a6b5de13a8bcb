#include "engine_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace batchscope::study {
namespace {

using testing::ElementsAre;
using Names = std::vector<std::string>;

const Names kEngines{"torch", "openvino"};

TEST(EngineFiles, AreOneModelInARow) {
  const Names given{"torch=a/x.pt", "openvino=b/y.xml", "distilbert", "openvino=z.onnx",
                    "torch=z.pt"};
  const auto models = named_models(given, kEngines);
  ASSERT_EQ(models.size(), 3u);
  EXPECT_EQ(models[0].files.at("torch"), "a/x.pt");
  EXPECT_EQ(models[0].files.at("openvino"), "b/y.xml");
  EXPECT_EQ(models[1].name, "distilbert");
  EXPECT_EQ(models[2].files.size(), 2u);
  EXPECT_EQ(common_name(models[0], kEngines), "x");
  EXPECT_EQ(common_name(models[1], kEngines), "distilbert");
  EXPECT_THAT(*names_for(models, "openvino"), ElementsAre("b/y.xml", "distilbert", "z.onnx"));
}

TEST(EngineFiles, BeginTheNextModelWhereAnEngineComesAgain) {
  const Names given{"torch=a.pt", "torch=b.pt"};
  EXPECT_EQ(named_models(given, kEngines).size(), 2u);
}

TEST(EngineFiles, LeaveOtherNamesAlone) {
  const Names given{"runs=1/model.pt"};
  const auto models = named_models(given, kEngines);
  EXPECT_EQ(models.front().name, "runs=1/model.pt");
}

TEST(EngineFiles, SayWhichEngineHasNone) {
  const Names given{"torch=a.pt"};
  const auto names = names_for(named_models(given, kEngines), "openvino");
  ASSERT_FALSE(names);
  EXPECT_EQ(names.error().kind, base::ErrorKind::usage);
  EXPECT_THAT(names.error().fix, testing::HasSubstr("openvino=FILE"));
}

}  // namespace
}  // namespace batchscope::study

#include "networks/catalogue.hpp"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace batchscope::torch_plugin {
namespace {

// The counts that the models are published with (mlp: our own).
const std::map<std::string, int64_t> kPublished{{"distilbert", 66362880},
                                                {"minilm-l6", 22713216},
                                                {"bert-base", 109482240},
                                                {"resnet50", 25557032},
                                                {"mlp", 25175040}};

class Catalogue : public testing::TestWithParam<std::string> {};

TEST_P(Catalogue, CountsTheParametersThatArePublished) {
  const auto builtin = find_builtin(GetParam());
  ASSERT_TRUE(builtin);
  EXPECT_EQ(describe(*builtin).parameters, kPublished.at(GetParam()));
}

TEST_P(Catalogue, MakesAsManyParametersAsItCounts) {
  const auto builtin = find_builtin(GetParam());
  ParameterFactory factory(1, at::kBFloat16, at::kCPU, false);
  builtin->build(factory);
  int64_t made = 0;
  for (const auto& [name, tensor] : factory.named()) made += tensor.numel();
  EXPECT_EQ(made, describe(*builtin).parameters);
}

TEST_P(Catalogue, NamesEveryParameterOnce) {
  const auto builtin = find_builtin(GetParam());
  ParameterFactory factory(1, at::kBFloat16, at::kCPU, false);
  builtin->build(factory);
  std::map<std::string, int> names;
  for (const auto& [name, tensor] : factory.named()) EXPECT_EQ(++names[name], 1) << name;
}

INSTANTIATE_TEST_SUITE_P(All, Catalogue,
                         testing::Values("distilbert", "minilm-l6", "bert-base", "resnet50", "mlp"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(FindBuiltin, NamesTheKnownOnesWhenOneIsUnknown) {
  const auto found = find_builtin("resnet-50");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, base::ErrorKind::usage);
  EXPECT_THAT(found.error().what, testing::HasSubstr("resnet50"));
  EXPECT_THAT(found.error().what, testing::HasSubstr("'resnet-50'"));
}

TEST(ParameterCounter, TellsDefinitionsApart) {
  ParameterCounter narrow;
  ParameterCounter wide;
  narrow.parameter("w", {2, 3}, {0, 1});
  wide.parameter("w", {3, 2}, {0, 1});
  EXPECT_EQ(narrow.parameters(), wide.parameters());
  EXPECT_NE(narrow.definition(), wide.definition());
}

TEST(Describe, SaysWhichModelsHaveALength) {
  EXPECT_TRUE(describe(*find_builtin("distilbert")).has_seq_len);
  EXPECT_EQ(describe(*find_builtin("distilbert")).default_seq_len, 128);
  EXPECT_FALSE(describe(*find_builtin("resnet50")).has_seq_len);
}

}  // namespace
}  // namespace batchscope::torch_plugin

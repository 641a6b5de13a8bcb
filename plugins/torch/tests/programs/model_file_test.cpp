#include "programs/model_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/files/scratch_folder.hpp"

namespace batchscope::torch_plugin {
namespace {

using testing::HasSubstr;

engine::InputSpec named(std::string name) {
  engine::InputSpec spec;
  spec.name = std::move(name);
  return spec;
}

std::vector<std::string> names(const base::Result<std::vector<engine::InputSpec>>& specs) {
  std::vector<std::string> result;
  if (!specs) return {specs.error().what};
  for (const auto& spec : *specs) result.push_back(spec.name);
  return result;
}

TEST(MatchInputs, FollowsTheModelsOrderByName) {
  EXPECT_THAT(names(match_inputs({{"ids"}, {"mask"}}, {named("mask"), named("ids")}, "m.pt", "")),
              testing::ElementsAre("ids", "mask"));
}

TEST(MatchInputs, TakesUnnamedOnesInTheOrderGiven) {
  EXPECT_THAT(names(match_inputs({{""}, {""}, {"mask"}}, {named("a"), named("mask"), named("b")},
                                 "m.pt2", "")),
              testing::ElementsAre("a", "b", "mask"));
}

TEST(MatchInputs, LeavesOutWhatHasADefault) {
  EXPECT_THAT(names(match_inputs({{"x"}, {"mask", false}}, {named("x")}, "m.pt", "")),
              testing::ElementsAre("x"));
}

TEST(MatchInputs, RefusesWhatDoesNotFitAndSaysWhatTheModelTakes) {
  const std::string expects = "the model takes forward(Tensor x)";
  const auto unknown = match_inputs({{"x"}}, {named("x"), named("y")}, "m.pt", expects);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, base::ErrorKind::usage);
  EXPECT_EQ(unknown.error().where, "m.pt");
  EXPECT_THAT(unknown.error().what, HasSubstr("no input 'y'"));
  EXPECT_THAT(unknown.error().what, HasSubstr(expects));
  const auto missing = match_inputs({{"x"}, {"y"}}, {named("x")}, "m.pt", expects);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().what, HasSubstr("'y'"));
  const auto none = match_inputs({{""}}, {}, "m.pt", expects);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().what, HasSubstr("number 1"));
  const auto gap =
      match_inputs({{"x"}, {"y", false}, {"z", false}}, {named("x"), named("z")}, "m.pt", expects);
  ASSERT_FALSE(gap);
  EXPECT_THAT(gap.error().what, HasSubstr("before 'z'"));
}

TEST(KindOf, GoesByTheEnding) {
  const ScratchFolder folder;
  EXPECT_EQ(*kind_of(folder.write("a.pt", "x")), FileKind::torchscript);
  EXPECT_EQ(*kind_of(folder.write("a.ts", "x")), FileKind::torchscript);
  EXPECT_EQ(*kind_of(folder.write("a.pt2", "x")), FileKind::aot_inductor);
}

TEST(KindOf, RefusesWhatCannotBeAModel) {
  const ScratchFolder folder;
  for (const std::string& path : {folder.file("absent.pt"), folder.write("empty.pt", ""),
                                  folder.write("model.onnx", "x"), folder.file("")}) {
    const auto kind = kind_of(path);
    ASSERT_FALSE(kind) << path;
    EXPECT_EQ(kind.error().kind, base::ErrorKind::input);
    EXPECT_EQ(kind.error().where, path);
    EXPECT_FALSE(kind.error().fix.empty());
  }
}

}  // namespace
}  // namespace batchscope::torch_plugin

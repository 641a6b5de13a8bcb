#include "inputs/find_inputs.hpp"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/engine/input_text.hpp"
#include "testing/files/scratch_folder.hpp"

namespace batchscope::torch_plugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Modules with a table of 50 rows, 16 wide, a matrix of 16 x 4 and a kernel of 8 x 3 x 3 x 3.
class FindInputs : public testing::Test {
 protected:
  std::string saved(const std::string& body, const std::string& arguments = "x",
                    const std::vector<at::Tensor>& example = {}) {
    torch::jit::Module module("Fixture");
    module.register_parameter("table", at::rand({50, 16}), false);
    module.register_parameter("matrix", at::rand({16, 4}), false);
    module.register_parameter("kernel", at::rand({8, 3, 3, 3}), false);
    module.register_parameter("dense", at::rand({8 * 32 * 32, 4}), false);
    module.define("def forward(self, " + arguments + "):\n" + body);
    if (!example.empty()) {
      module.store_traced_inputs("forward", {example.begin(), example.end()});
    }
    std::string path = folder_.file("model.pt");
    module.save(path);
    return path;
  }

  static std::vector<std::string> found(const std::string& path) {
    const auto inputs = find_inputs(path);
    EXPECT_TRUE(inputs) << base::to_string(inputs.error());
    if (!inputs) return {};
    return base::mapped(*inputs, [](const auto& each) { return engine::describe(each); });
  }

  static std::string refused(const std::string& path) {
    const auto inputs = find_inputs(path);
    EXPECT_FALSE(inputs);
    if (inputs) return "";
    EXPECT_EQ(inputs.error().kind, base::ErrorKind::usage);
    return base::to_string(inputs.error());
  }

  ScratchFolder folder_;
};

TEST_F(FindInputs, TheWeightsTellTheFeatures) {
  EXPECT_THAT(found(saved("  return torch.mm(x, self.matrix)\n")),
              ElementsAre("x float32 [B, 16]"));
  EXPECT_THAT(found(saved("  return torch.relu(x).matmul(self.matrix)\n")),
              ElementsAre("x float32 [B, 16]"));
}

TEST_F(FindInputs, OneSizeOfPicturesFitsTheDenseLayer) {
  EXPECT_THAT(found(saved("  y = torch.conv2d(x, self.kernel, None, [1, 1], [1, 1])\n"
                          "  return torch.mm(y.flatten(1), self.dense)\n")),
              ElementsAre("x float32 [B, 3, 32, 32]"));
}

TEST_F(FindInputs, TheTableTellsTheLargestToken) {
  EXPECT_THAT(found(saved("  e = torch.embedding(self.table, input_ids)\n"
                          "  m = attention_mask.unsqueeze(-1).to(e.dtype)\n"
                          "  return (e * m).sum(1) / m.sum(1)\n",
                          "input_ids, attention_mask")),
              ElementsAre("input_ids int64 [B, S] of 0 to 49", "attention_mask int64 [B, S] of 1"));
}

TEST_F(FindInputs, AnExampleTellsTheShapes) {
  const std::string any = "  return x * 2\n";
  EXPECT_THAT(found(saved(any, "x", {at::rand({2, 3, 24, 40})})),
              ElementsAre("x float32 [B, 3, 24, 40]"));
  EXPECT_THAT(found(saved(any, "x", {at::rand({2, 7}).to(at::kHalf)})),
              ElementsAre("x float16 [B, 7]"));
}

TEST_F(FindInputs, AnExampleOfTokensHasALength) {
  const std::string mean = "  return torch.embedding(self.table, ids).mean(1)\n";
  EXPECT_THAT(found(saved(mean, "ids", {at::ones({1, 9}, at::kLong)})),
              ElementsAre("ids int64 [B, S] of 0 to 49"));
  // Columns that are read one by one are no sequence, though a longer one would do.
  const std::string columns =
      "  e = torch.embedding(self.table, ids)\n  return e[:, 0] + e[:, 8]\n";
  EXPECT_THAT(found(saved(columns, "ids", {at::ones({1, 9}, at::kLong)})),
              ElementsAre("ids int64 [B, 9] of 0 to 49"));
}

TEST_F(FindInputs, AModelOfFewPositionsTakesItsLongestLength) {
  const std::string positions =
      "  e = torch.embedding(self.table, input_ids)\n"
      "  p = torch.embedding(self.table, torch.arange(input_ids.size(1)))\n"
      "  return (e + p).mean(1)\n";
  EXPECT_THAT(found(saved(positions, "input_ids")),
              ElementsAre("input_ids int64 [B, 32] of 0 to 49"));
}

TEST_F(FindInputs, AModelOfOneBatchSizeSaysSo) {
  EXPECT_THAT(found(saved("  return torch.mm(x, self.matrix) + torch.ones([3, 4])\n", "x",
                          {at::rand({3, 16})})),
              ElementsAre("x float32 [3, 16]"));
}

TEST_F(FindInputs, InputsWithADefaultAreLeftToIt) {
  EXPECT_THAT(found(saved("  y = torch.mm(x, self.matrix)\n"
                          "  if bias is not None:\n    y = y + bias\n"
                          "  return y\n",
                          "x: Tensor, bias: Optional[Tensor] = None")),
              ElementsAre("x float32 [B, 16]"));
}

TEST_F(FindInputs, WhatTakesAnythingIsAskedFor) {
  const std::string text = refused(saved("  return x * 2\n"));
  EXPECT_THAT(text, HasSubstr("forward(Tensor x)"));
  EXPECT_THAT(text, HasSubstr("accepted any number for N"));
  EXPECT_THAT(text, HasSubstr("x:BxN with a number for N"));
}

TEST_F(FindInputs, WhatIsKnownIsFilledIn) {
  const std::string rows =
      "  return torch.stack([torch.mm(s, self.matrix).sum() for s in x.unbind(0)])\n";
  EXPECT_THAT(refused(saved(rows)), HasSubstr("x:BxNx16 with a number for N"));
}

TEST_F(FindInputs, AnyNumbersOrSequencesOfThemAreAskedFor) {
  EXPECT_THAT(refused(saved("  return torch.embedding(self.table, user)\n", "user")),
              HasSubstr("user:BxN:int64=0-49"));
}

TEST_F(FindInputs, StepsOfASequenceAreNoBatch) {
  const std::string mixed = "  return x.matmul(self.matrix).cumsum(0)\n";
  const std::string text = refused(saved(mixed));
  EXPECT_THAT(text, HasSubstr("no dimension behaves as a batch"));
  EXPECT_THAT(text, HasSubstr("x16 with numbers for N and M"));
  // An example has both, the steps and the samples.
  EXPECT_THAT(found(saved(mixed, "x", {at::rand({9, 2, 16})})),
              ElementsAre("x float32 [9, B, 16]"));
}

TEST_F(FindInputs, WhereTheFirstDimensionIsFixedFeaturesAreNoBatch) {
  const std::string fixed = "  assert x.size(0) == 8, \"eight\"\n  return x * 2\n";
  const std::string text = refused(saved(fixed, "x", {at::rand({8, 16})}));
  EXPECT_THAT(text, HasSubstr("of x its first dimension has a fixed size"));
  EXPECT_THAT(text, HasSubstr("if that dimension counts samples, add --input x:8xB"));
}

TEST_F(FindInputs, AModelThatThrowsIsQuoted) {
  const std::string text = refused(saved("  assert False, \"it is Monday\"\n  return x\n"));
  EXPECT_THAT(text, HasSubstr("it is Monday"));
  EXPECT_THAT(text, HasSubstr("x:BxN"));
}

TEST_F(FindInputs, AFileThatIsNoModelIsInput) {
  const auto inputs = find_inputs(folder_.file("absent.pt"));
  ASSERT_FALSE(inputs);
  EXPECT_EQ(inputs.error().kind, base::ErrorKind::input);
}

}  // namespace
}  // namespace batchscope::torch_plugin

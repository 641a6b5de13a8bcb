#include "inputs/refusals.hpp"

#include <gtest/gtest.h>

namespace batchscope::torch_plugin {
namespace {

using Is = Extent::Is;

// x of shape B, 7, 11.
std::vector<Draft> open_drafts() {
  Draft draft;
  draft.name = "x";
  draft.extents = {{kTrialBatch, Is::batch}, {7, Is::open}, {11, Is::open}};
  return {draft};
}

struct Message {
  const char* refusal;
  size_t dimension;  // that is told by it
  int64_t size;
};

class Refusals : public testing::TestWithParam<Message> {};

TEST_P(Refusals, TellASize) {
  const Message& message = GetParam();
  std::vector<Draft> drafts = open_drafts();
  ASSERT_TRUE(mend(drafts, message.refusal));
  const Extent& reported = drafts[0].extents[message.dimension];
  EXPECT_EQ(reported.size, message.size);
  EXPECT_EQ(reported.is, Is::reported);
  EXPECT_EQ(drafts[0].extents[3 - message.dimension].is, Is::open);
}

// As LibTorch 2.13 says them.
INSTANTIATE_TEST_SUITE_P(
    OfLibTorch, Refusals,
    testing::Values(
        Message{"mat1 and mat2 shapes cannot be multiplied (35x11 and 64x128)", 2, 64},
        Message{"Given groups=1, weight of size [8, 3, 3], expected input[5, 7, 11] to have 3 "
                "channels, but got 7 channels instead",
                1, 3},
        Message{"running_mean should contain 7 elements not 64", 1, 64},
        Message{"Given normalized_shape=[64], expected input with shape [*, 64], but got input of "
                "size[5, 7, 11]",
                2, 64},
        Message{"The size of tensor a (11) must match the size of tensor b (64) at non-singleton "
                "dimension 2",
                2, 64},
        Message{"The size of tensor a (64) must match the size of tensor b (7) at non-singleton "
                "dimension 1",
                1, 64},
        Message{"was expecting embedding dimension of 64, but got 11", 2, 64},
        Message{"input.size(-1) must be equal to input_size. Expected 64, got 11", 2, 64}));

TEST(Refusal, OfTheBatchTellsNothing) {
  std::vector<Draft> drafts = open_drafts();
  EXPECT_FALSE(mend(drafts,
                    "Given groups=1, weight of size [8, 3, 3, 3], expected input[1, 5, 7, 11] to "
                    "have 3 channels, but got 5 channels instead"));
  EXPECT_FALSE(mend(drafts, "mat1 and mat2 shapes cannot be multiplied (5x77 and 64x10)"));
  EXPECT_FALSE(mend(drafts, "two samples are refused by this model"));
}

TEST(Refusal, OfAViewTellsTheOnlyDimension) {
  Draft draft;
  draft.extents = {{kTrialBatch, Is::batch}, {7, Is::open}};
  std::vector<Draft> drafts{draft};
  ASSERT_TRUE(mend(drafts, "shape '[-1, 784]' is invalid for input of size 35"));
  EXPECT_EQ(drafts[0].extents[1].size, 784);
}

TEST(Refusal, MakesTwoInputsAgree) {
  std::vector<Draft> drafts = open_drafts();
  drafts.push_back(drafts[0]);
  drafts[1].extents = {{kTrialBatch, Is::batch}, {13, Is::open}};
  ASSERT_TRUE(mend(drafts,
                   "The size of tensor a (7) must match the size of tensor b (13) at non-singleton "
                   "dimension 1"));
  EXPECT_EQ(drafts[1].extents[1].size, 7);
  EXPECT_EQ(drafts[1].extents[1].is, Is::open);
}

TEST(Refusal, OfSmallPicturesMakesThemLarger) {
  std::vector<Draft> drafts = open_drafts();
  const char* const small =
      "Calculated padded input size per channel: (7 x 11). Kernel size: (13 "
      "x 13). Kernel size can't be greater than actual input size";
  ASSERT_TRUE(mend(drafts, small));
  EXPECT_EQ(drafts[0].extents[1].size, 28);
  EXPECT_EQ(drafts[0].extents[2].size, 44);
  int more = 0;
  while (mend(drafts, small)) ++more;
  EXPECT_LE(more, 4);
}

TEST(Refusal, OfATypeTurnsItOnce) {
  constexpr const char* kWantsIntegers =
      "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, "
      "Int; but got torch.FloatTensor instead (while checking arguments for embedding)";
  std::vector<Draft> drafts = open_drafts();
  ASSERT_TRUE(mend(drafts, kWantsIntegers));
  EXPECT_EQ(drafts[0].type, at::kLong);
  EXPECT_FALSE(mend(drafts, "mat1 and mat2 must have the same dtype, but got Long and Float"));
}

}  // namespace
}  // namespace batchscope::torch_plugin

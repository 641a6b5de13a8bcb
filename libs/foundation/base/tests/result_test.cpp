#include "batchscope/base/result.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "batchscope/base/characters.hpp"

namespace batchscope::base {
namespace {

TEST(ErrorText, LeavesOutWhatIsEmpty) {
  EXPECT_EQ(to_string(Error{ErrorKind::input, "is empty", "run.jsonl:1", "profile again"}),
            "run.jsonl:1: is empty (profile again)");
  EXPECT_EQ(to_string(Error{ErrorKind::input, "is empty", "", ""}), "is empty");
  EXPECT_EQ(to_string(Error{ErrorKind::input, "is empty", "", "profile again"}),
            "is empty (profile again)");
  EXPECT_EQ(to_string(Error{ErrorKind::input, "", "run.jsonl", ""}), "run.jsonl");
}

TEST(ErrorText, KeepsTheBeginningAndTheEndOfALongOne) {
  const Error long_one{ErrorKind::failed, std::string(5000, 'x'), "net.py:3",
                       "use a smaller batch"};
  const std::string text = to_string(long_one);
  EXPECT_EQ(display_width(text), 600);
  EXPECT_TRUE(text.starts_with("net.py:3: xxx") && text.ends_with("xxx (use a smaller batch)"));
}

TEST(ResultValue, HoldsAValueOrAnError) {
  const Result<int> good = 7;
  const Result<int> bad = Error{ErrorKind::failed, "no", "", ""};
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(*good, 7);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().what, "no");
  EXPECT_EQ(bad.value_or(3), 3);
}

TEST(ResultValue, MovesOutWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(4);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 4);
}

TEST(ResultDeathTest, UsingTheWrongSideAbortsAndSaysWhy) {
  const Result<int> bad = Error{ErrorKind::failed, "disk on fire", "", ""};
  const Result<int> good = 1;
  EXPECT_DEATH((void)*bad, "disk on fire");
  EXPECT_DEATH((void)good.error(), "successful result");
  EXPECT_DEATH((void)Result<void>().error(), "successful result");
}

}  // namespace
}  // namespace batchscope::base

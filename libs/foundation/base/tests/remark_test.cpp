#include "batchscope/base/remark.hpp"

#include <gtest/gtest.h>

#include "batchscope/base/result.hpp"

namespace batchscope::base {
namespace {

TEST(Remark, OneLineLeavesOutWhatIsEmpty) {
  EXPECT_EQ(in_one_line("a.jsonl:3", "no number", "write one"), "a.jsonl:3: no number (write one)");
  EXPECT_EQ(in_one_line("", "no number", "write one"), "no number (write one)");
  EXPECT_EQ(in_one_line("a.jsonl:3", "no number"), "a.jsonl:3: no number");
  EXPECT_EQ(in_one_line("a.jsonl:3", "", "write one"), "a.jsonl:3 (write one)");
  EXPECT_EQ(in_one_line("", "", "write one"), "write one");
  EXPECT_EQ(in_one_line("", ""), "");
}

TEST(Remark, AnErrorIsOne) {
  const Error error{ErrorKind::input, "no number", "a.jsonl:3", "write one"};
  const Remark<std::string>& told = error;
  EXPECT_EQ(told.what, "no number");
  EXPECT_EQ(told.where, "a.jsonl:3");
  EXPECT_EQ(told.fix, "write one");
  EXPECT_EQ(to_string(error), in_one_line(told.where, told.what, told.fix));
}

}  // namespace
}  // namespace batchscope::base

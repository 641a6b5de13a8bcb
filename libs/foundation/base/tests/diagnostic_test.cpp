#include "batchscope/base/diagnostic.hpp"

#include <gtest/gtest.h>

#include "batchscope/base/result.hpp"

namespace batchscope::base {
namespace {

TEST(Diagnostic, OneLineLeavesOutWhatIsEmpty) {
  EXPECT_EQ(in_one_line("a.jsonl:3", "no number", "write one"), "a.jsonl:3: no number (write one)");
  EXPECT_EQ(in_one_line("", "no number", "write one"), "no number (write one)");
  EXPECT_EQ(in_one_line("a.jsonl:3", "no number"), "a.jsonl:3: no number");
  EXPECT_EQ(in_one_line("a.jsonl:3", "", "write one"), "a.jsonl:3 (write one)");
  EXPECT_EQ(in_one_line("", "", "write one"), "write one");
  EXPECT_EQ(in_one_line("", ""), "");
}

TEST(Diagnostic, AnErrorIsOne) {
  const Error error{ErrorKind::input, "no number", "a.jsonl:3", "write one"};
  const Diagnostic<std::string>& reported = error;
  EXPECT_EQ(reported.what, "no number");
  EXPECT_EQ(reported.where, "a.jsonl:3");
  EXPECT_EQ(reported.fix, "write one");
  EXPECT_EQ(to_string(error), in_one_line(reported.where, reported.what, reported.fix));
}

}  // namespace
}  // namespace batchscope::base

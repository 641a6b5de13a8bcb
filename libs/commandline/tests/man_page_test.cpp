#include "batchscope/commandline/man_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "some_parser.hpp"

namespace batchscope::commandline {
namespace {

using testing::HasSubstr;

TEST(ManPage, HasAllThatAPageHas) {
  Program program = some_program();
  program.exit_codes = {{"0", "done"}};
  program.variables = {{"NO_COLOR", "no colours"}};
  const std::string page = man_page(program);
  EXPECT_TRUE(page.starts_with(".TH OVEN 1 \"\" \"oven 1.2\" \"User Commands\"\n"));
  for (const char* title : {"NAME", "SYNOPSIS", "VERBS", "OVEN BAKE", "OVEN CLEAN", "EXIT STATUS",
                            "ENVIRONMENT", "EXAMPLES"}) {
    EXPECT_THAT(page, HasSubstr(".SH \"" + std::string(title) + "\"\n"));
  }
  EXPECT_THAT(page, HasSubstr(".TP\n\\fB\\-o, \\-\\-output\\fR \\fIFILE\\fR\nwhere it's put\n"));
  EXPECT_THAT(page, HasSubstr(".SS \"Dough\"\n"));
}

TEST(ManPage, TakesNoTextForARequest) {
  Program program = some_program();
  program.verbs.front().description = ".TH begins nothing\n'nor does this \\n";
  const std::string page = man_page(program);
  EXPECT_THAT(page, HasSubstr("\n\\&.TH begins nothing\n\\&'nor does this \\en\n"));
}

}  // namespace
}  // namespace batchscope::commandline

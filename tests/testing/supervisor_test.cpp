#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <memory>
#include <string>

namespace {

using testing::HasSubstr;
using testing::Not;

struct Ended {
  int code;
  std::string printed;
};

Ended run(const std::string& arguments) {
  const std::string command = BROKEN_CASES " " + arguments + " 2>&1";
  FILE* output = popen(command.c_str(), "r");
  std::string printed;
  for (int c = 0; (c = std::fgetc(output)) != EOF;) printed += static_cast<char>(c);
  return {WEXITSTATUS(pclose(output)), printed};
}

// Two of them hang for the limit.
const Ended& all() {
  static const Ended once = run("--case-limit=2");
  return once;
}

TEST(Supervisor, EveryCaseIsRunAndCounted) {
  const Ended& ended = all();
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.printed, HasSubstr("\ncases: 2 passed, 6 failed, 1 skipped\n"));
}

TEST(Supervisor, WhatHangsOrCrashesLeavesItsStack) {
  for (const std::string name : {"Hangs", "Crashes"}) {
    EXPECT_THAT(all().printed, HasSubstr("Broken_" + name + "_Test::TestBody")) << name;
    EXPECT_THAT(all().printed, HasSubstr("FAILED  ] Broken." + name)) << name;
  }
}

TEST(Supervisor, AFilterKeepsWhatItLeavesOut) {
  const Ended ended = run("--case-limit=60 --gtest_filter=-*Hangs*:Broken.Fails");
  EXPECT_THAT(ended.printed, HasSubstr("cases: 2 passed, 3 failed, 1 skipped"));
}

TEST(Supervisor, GoodCasesAreGood) {
  const Ended ended = run("--case-limit=60 --gtest_filter=*Passes:*ComesLast");
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.printed, HasSubstr("cases: 2 passed, 0 failed, 0 skipped"));
}

TEST(Supervisor, WithoutALimitItIsGoogleTestAlone) {
  const Ended ended = run("--gtest_filter=*Passes");
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.printed, HasSubstr("[       OK ] Broken.Passes"));
  EXPECT_THAT(ended.printed, Not(HasSubstr("cases:")));
}

}  // namespace

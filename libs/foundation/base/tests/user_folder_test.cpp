#include "batchscope/base/user_folder.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace batchscope::base {
namespace {

TEST(UserFolder, IsTheVariablesElseBelowTheHome) {
  setenv("HOME", "/users/a", 1);
  setenv("BATCHSCOPE_TEST_HOME", "/data", 1);
  EXPECT_EQ(user_folder("BATCHSCOPE_TEST_HOME", ".cache"), "/data");
  setenv("BATCHSCOPE_TEST_HOME", "not/absolute", 1);
  EXPECT_EQ(user_folder("BATCHSCOPE_TEST_HOME", ".cache"), "/users/a/.cache");
  unsetenv("BATCHSCOPE_TEST_HOME");
  EXPECT_EQ(user_folder("BATCHSCOPE_TEST_HOME", ".local/state"), "/users/a/.local/state");
  unsetenv("HOME");
  EXPECT_TRUE(user_folder("BATCHSCOPE_TEST_HOME", ".cache").empty());
}

}  // namespace
}  // namespace batchscope::base

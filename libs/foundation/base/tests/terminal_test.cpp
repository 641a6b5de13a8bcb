#include "batchscope/base/terminal.hpp"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>

namespace batchscope::base {
namespace {

// A terminal of its own, and the variables that say what it can do.
class Terminal : public testing::Test {
 protected:
  void SetUp() override {
    winsize size{};
    size.ws_row = 24;
    size.ws_col = 90;
    if (openpty(&master_, &slave_, nullptr, nullptr, &size) != 0) {
      GTEST_SKIP() << "no pseudo terminals here";
    }
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
  }
  void TearDown() override {
    close(master_);
    close(slave_);
  }

  int slave_ = -1;

 private:
  int master_ = -1;
};

TEST_F(Terminal, ShowsColourUnlessItIsUnwanted) {
  EXPECT_TRUE(shows_colour(slave_));
  setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(shows_colour(slave_));
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(shows_colour(slave_));
  EXPECT_TRUE(rewrites_lines(slave_));
}

TEST_F(Terminal, ThatIsDumbShowsTextAlone) {
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(shows_colour(slave_));
  EXPECT_FALSE(rewrites_lines(slave_));
}

TEST_F(Terminal, HasColumns) {
  EXPECT_EQ(columns_of(slave_, 110), 90);
}

TEST(NoTerminal, HasNeitherColourNorColumns) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(shows_colour(ends[1]));
  EXPECT_FALSE(rewrites_lines(ends[1]));
  EXPECT_EQ(columns_of(ends[1], 110), 110);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace batchscope::base

#include "diagnosis/output_capture.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace batchscope::torch_plugin {
namespace {

TEST(OutputCapture, CatchesWhatIsWrittenInAnyWay) {
  testing::internal::CaptureStdout();
  std::printf("before ");
  auto capture = OutputCapture::start(STDOUT_FILENO);
  ASSERT_TRUE(capture);
  std::printf("one ");
  std::cout << "two ";
  std::cout.flush();
  std::fflush(stdout);
  EXPECT_EQ(::write(STDOUT_FILENO, "three", 5), 5);
  const auto caught = capture->finish();
  std::printf("after");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "before after");
  ASSERT_TRUE(caught);
  EXPECT_EQ(*caught, "one two three");
}

TEST(OutputCapture, CatchesStandardErrorApart) {
  testing::internal::CaptureStdout();
  auto capture = OutputCapture::start(STDERR_FILENO);
  ASSERT_TRUE(capture);
  std::printf("result");
  std::cerr << "complaint";
  const auto caught = capture->finish();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "result");
  ASSERT_TRUE(caught);
  EXPECT_EQ(*caught, "complaint");
}

TEST(OutputCapture, CatchesMuch) {
  auto capture = OutputCapture::start(STDOUT_FILENO);
  ASSERT_TRUE(capture);
  for (int i = 0; i < 20000; ++i) std::printf("%9d\n", i);
  const auto caught = capture->finish();
  ASSERT_TRUE(caught);
  EXPECT_EQ(caught->size(), 200000);
}

TEST(OutputCapture, PutsTheOutputBackWhenItGoes) {
  testing::internal::CaptureStdout();
  {
    const auto capture = OutputCapture::start(STDOUT_FILENO);
    ASSERT_TRUE(capture);
    std::printf("lost");
  }
  std::printf("seen");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "seen");
}

TEST(OutputCapture, SaysThatThereIsNoOutput) {
  std::fflush(stdout);
  const int kept = ::dup(STDOUT_FILENO);
  ::close(STDOUT_FILENO);
  const auto capture = OutputCapture::start(STDOUT_FILENO);
  ::dup2(kept, STDOUT_FILENO);
  ::close(kept);
  ASSERT_FALSE(capture);
  EXPECT_EQ(capture.error().kind, base::ErrorKind::failed);
}

}  // namespace
}  // namespace batchscope::torch_plugin

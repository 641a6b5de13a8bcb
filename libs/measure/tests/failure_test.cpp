#include "workers/failure.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace batchscope::measure {
namespace {

TEST(Failure, ErrorsKeepTheirMessageAndFix) {
  const auto event = event_of(base::Error{base::ErrorKind::failed, "what", "where", "fix"}, "cpu");
  EXPECT_EQ(event.kind, schema::EventKind::error);
  EXPECT_EQ(event.what, "where: what");
  EXPECT_EQ(event.fix, "fix");
}

TEST(Failure, OutOfMemoryHasAFixOfItsOwn) {
  const base::Error error{base::ErrorKind::out_of_memory, "no memory", "", ""};
  const auto event = event_of(error, "cpu");
  EXPECT_EQ(event.kind, schema::EventKind::out_of_memory);
  EXPECT_NE(event.fix.find("--memory-limit"), std::string::npos);
}

TEST(Failure, ADevicesMemoryHasNoLimitToRaise) {
  const base::Error error{base::ErrorKind::out_of_memory, "no memory", "", ""};
  const auto event = event_of(error, "cuda:0");
  EXPECT_EQ(event.kind, schema::EventKind::out_of_memory);
  EXPECT_FALSE(event.fix.empty());
  EXPECT_EQ(event.fix.find("--memory-limit"), std::string::npos);
}

TEST(Failure, TheKernelsOutOfMemoryKillerIsRecognised) {
  WorkerEnd end;
  end.exit.signal = SIGKILL;
  end.oom_killed = true;
  EXPECT_EQ(event_of(end).kind, schema::EventKind::out_of_memory);
}

TEST(Failure, ALongLastMessageIsCutAtALine) {
  WorkerEnd end;
  end.exit.signal = SIGABRT;
  end.output_tail = std::string(5000, 'x') + "\nthe reason\n";
  const auto event = event_of(end);
  EXPECT_EQ(event.what, "the worker was ended by SIGABRT; its last output was: the reason");
}

}  // namespace
}  // namespace batchscope::measure

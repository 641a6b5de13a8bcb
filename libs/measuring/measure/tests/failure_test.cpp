#include "workers/failure.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "batchscope/base/memory_words.hpp"

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

TEST(Failure, WordsOfALibraryAreOutOfMemory) {
  const base::Error error{base::ErrorKind::failed, "CUBLAS_STATUS_ALLOC_FAILED", "net.py:3", ""};
  EXPECT_EQ(event_of(error, "cpu").kind, schema::EventKind::out_of_memory);
  const base::Error other{base::ErrorKind::failed, "CUDNN_STATUS_NOT_SUPPORTED", "net.py:3", ""};
  EXPECT_EQ(event_of(other, "cpu").kind, schema::EventKind::error);
}

TEST(Failure, WordsThatAreNoProofAreReported) {
  const base::Error error{base::ErrorKind::failed, "NewRT: memory alloc rejected", "", ""};
  const auto event = event_of(error, "cpu");
  EXPECT_EQ(event.kind, schema::EventKind::error);
  EXPECT_TRUE(base::is_perhaps_memory(event.what)) << event.what;
  EXPECT_FALSE(event.fix.empty());
}

// What stands in a place of the user's code is no word of a library.
TEST(Failure, ThePlaceIsNoWordOfALibrary) {
  const base::Error error{base::ErrorKind::failed, "ValueError: 7", "out of memory.py:3", ""};
  EXPECT_EQ(event_of(error, "cpu").kind, schema::EventKind::error);
}

TEST(Failure, TheKernelsOutOfMemoryKillerIsRecognised) {
  WorkerEnd end;
  end.exit.signal = SIGKILL;
  end.oom_killed = true;
  EXPECT_EQ(event_of(end).kind, schema::EventKind::out_of_memory);
}

TEST(Failure, TheLastOutputOfAWorkerThatAbortedSaysWhy) {
  WorkerEnd end;
  end.exit.signal = SIGABRT;
  end.output_tail = "terminate called after throwing an instance of 'std::bad_alloc'\n";
  EXPECT_EQ(event_of(end).kind, schema::EventKind::out_of_memory);
  end.output_tail = "malloc(): corrupted top size\n";
  EXPECT_EQ(event_of(end).kind, schema::EventKind::crash);
  end.output_tail = "std::bad_alloc\n";
  end.overdue = true;
  EXPECT_EQ(event_of(end).kind, schema::EventKind::timeout);
}

TEST(Failure, ALongLastMessageIsCutAtALine) {
  WorkerEnd end;
  end.exit.signal = SIGABRT;
  end.output_tail = std::string(5000, 'x') + "\nthe reason\n";
  const auto event = event_of(end);
  EXPECT_EQ(event.what, "SIGABRT ended the worker; its last output: the reason");
}

}  // namespace
}  // namespace batchscope::measure

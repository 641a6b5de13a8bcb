#include "batchscope/measure/run_output.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace batchscope::measure {
namespace {

using base::ErrorKind;

class RunOutputTest : public ::testing::Test {
 protected:
  RunOutputTest() { std::filesystem::remove(path_); }
  ~RunOutputTest() override { std::filesystem::remove(path_); }

  static schema::RunFile with_a_visit() {
    schema::RunFile run;
    run.visits.emplace_back();
    return run;
  }

  const std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                      ("batchscope-output-" + std::to_string(getpid()) + ".jsonl");
};

TEST_F(RunOutputTest, OfTwoRunsTheSecondIsRefusedAtOnce) {
  auto first = RunOutput::create(path_);
  ASSERT_TRUE(first) << base::to_string(first.error());
  EXPECT_FALSE(RunOutput::create(path_));
  EXPECT_FALSE(RunOutput::open(path_));
  auto sink = first->sink(0);
  ASSERT_TRUE(sink);
  ASSERT_TRUE((*sink)->begin({}, {}));
  EXPECT_EQ(RunOutput::create(path_).error().kind, ErrorKind::failed);
  EXPECT_GT(std::filesystem::file_size(path_), 0U);
}

TEST_F(RunOutputTest, WhatCameToNothingLeavesNothing) {
  {
    auto output = RunOutput::create(path_);
    ASSERT_TRUE(output);
    auto sink = output->sink(0);
    ASSERT_TRUE(sink);
    ASSERT_TRUE((*sink)->begin({}, {}));
    sink = base::Error{};
    output->keep(schema::RunFile());
    EXPECT_TRUE(std::filesystem::exists(path_));
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(RunOutputTest, AnInterruptionBeforeTheFirstVisitLeavesNothing) {
  schema::RunFile run;
  run.end = schema::End{};
  run.end->reason = schema::EndReason::interrupted;
  run.events.emplace_back();
  run.events.back().kind = schema::EventKind::warning;
  {
    auto output = RunOutput::create(path_);
    ASSERT_TRUE(output);
    ASSERT_TRUE((*output->sink(0))->begin({}, {}));
    output->keep(run);
    EXPECT_FALSE(output->is_kept());
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
  // What failed is worth knowing, and another end is one.
  auto output = RunOutput::create(path_);
  ASSERT_TRUE(output);
  run.events.back().kind = schema::EventKind::crash;
  output->keep(run);
  EXPECT_TRUE(output->is_kept());
}

TEST_F(RunOutputTest, WhatWasThereBeforeIsNeverRemoved) {
  ASSERT_TRUE(base::write_file_atomically(path_, "precious\n"));
  schema::RunFile run;
  run.end = schema::End{};
  run.end->reason = schema::EndReason::interrupted;
  {
    auto output = RunOutput::open(path_);
    ASSERT_TRUE(output);
    output->keep(run);
    EXPECT_TRUE(output->is_kept());
  }
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST_F(RunOutputTest, AnEmptyFileThatWasThereStaysAndStaysEmpty) {
  ASSERT_TRUE(base::write_file_atomically(path_, ""));
  {
    auto output = RunOutput::create(path_);
    ASSERT_TRUE(output);
    auto sink = output->sink(0);
    ASSERT_TRUE(sink);
    ASSERT_TRUE((*sink)->begin({}, {}));
  }
  ASSERT_TRUE(std::filesystem::exists(path_));
  EXPECT_EQ(std::filesystem::file_size(path_), 0U);
}

TEST_F(RunOutputTest, WhatWasMeasuredStaysAndIsNotMadeAnew) {
  {
    auto output = RunOutput::create(path_);
    ASSERT_TRUE(output);
    ASSERT_TRUE((*output->sink(0))->begin({}, {}));
    output->keep(with_a_visit());
  }
  EXPECT_TRUE(std::filesystem::exists(path_));
  EXPECT_EQ(RunOutput::create(path_).error().kind, ErrorKind::usage);
}

TEST_F(RunOutputTest, WhatIsToBeReplacedStaysUntilThereIsSomethingToWrite) {
  ASSERT_TRUE(base::write_file_atomically(path_, "precious\n"));
  { ASSERT_TRUE(RunOutput::open(path_)); }
  EXPECT_EQ(*base::read_file(path_), "precious\n");
  auto output = RunOutput::open(path_);
  ASSERT_TRUE(output);
  ASSERT_TRUE(output->sink(0));
  EXPECT_EQ(*base::read_file(path_), "");
}

// Of a process that was killed before it wrote anything, or of mktemp.
TEST_F(RunOutputTest, AnEmptyFileIsNoneAndNothingToLose) {
  ASSERT_TRUE(base::write_file_atomically(path_, ""));
  EXPECT_TRUE(RunOutput::create(path_));
}

}  // namespace
}  // namespace batchscope::measure

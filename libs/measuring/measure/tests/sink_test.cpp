#include "batchscope/measure/sink.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "batchscope/engines/synthetic.hpp"
#include "batchscope/measure/in_process_executor.hpp"
#include "fake_executor.hpp"

namespace batchscope::measure {
namespace {

TEST(FileSink, WhatItWroteIsReadBack) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("batchscope-sink-" + std::to_string(getpid()) + ".jsonl");
  std::filesystem::remove(path);
  auto file = base::AppendFile::open(path);
  ASSERT_TRUE(file);
  const auto sink = make_file_sink(*std::move(file));
  const auto executor = make_in_process_executor(engines::load_synthetic, ModelReuse::never);
  Session session(job_of({1, 2}, "affine:5ms,2ms;oom_above=1"), {*executor, *sink, nullptr, {}});
  ASSERT_TRUE(run(session));
  const auto read = schema::read_run_file(path);
  ASSERT_TRUE(read) << base::to_string(read.error());
  const schema::RunFile& kept = session.recorded();
  EXPECT_EQ(read->header.seed, kept.header.seed);
  EXPECT_EQ(read->configs, kept.configs);
  ASSERT_EQ(read->visits.size(), kept.visits.size());
  EXPECT_EQ(read->visits[5].samples_ns, kept.visits[5].samples_ns);
  EXPECT_EQ(read->events.size(), kept.events.size());
  ASSERT_TRUE(read->end);
  EXPECT_EQ(read->end->reason, kept.end->reason);
  EXPECT_EQ(read->report.skipped_count, 0);
  std::filesystem::remove(path);
}

TEST(FileSink, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  // AppendFile takes regular files only, so it is refused at the latest with the first line.
  auto file = base::AppendFile::open("/dev/full");
  EXPECT_FALSE(file && make_file_sink(*std::move(file))->begin({}, {}));
}

}  // namespace
}  // namespace batchscope::measure

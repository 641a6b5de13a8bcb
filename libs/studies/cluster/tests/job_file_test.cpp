#include "batchscope/cluster/job_file.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "batchscope/schema/json_line.hpp"
#include "sample_parts.hpp"
#include "testing/files/temp_folder.hpp"

namespace batchscope::cluster {
namespace {

using base::ErrorKind;
using testing::HasSubstr;

TEST(JobFile, IsReadAsItWasWritten) {
  const base::TempFolder folder;
  JobFile job = sample_job();
  job.environment = {{"OMP_NUM_THREADS", "4"}};
  job.interpreter = {"/venv/bin/python"};
  job.folder = "/study";
  job.files = {{"net.pkl", "AP+A"}};
  ASSERT_TRUE(write_job(folder.path(), job));
  const auto read = read_job(folder.path());
  ASSERT_TRUE(read) << base::to_string(read.error());
  EXPECT_EQ(read->blocks, job.blocks);
  EXPECT_EQ(read->configs, job.configs);
  EXPECT_EQ(read->environment, job.environment);
  EXPECT_EQ(read->interpreter, job.interpreter);
  EXPECT_EQ(read->folder, job.folder);
  ASSERT_EQ(read->files.size(), 1U);
  EXPECT_EQ(read->files.front().base64, "AP+A");
  EXPECT_EQ(schema::header_line(read->header), schema::header_line(job.header));
}

TEST(JobFile, OfANewerVersionIsRefused) {
  const base::TempFolder folder;
  JobFile job = sample_job();
  job.job_version = kJobVersion + 1;
  ASSERT_TRUE(write_job(folder.path(), job));
  const auto read = read_job(folder.path());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::input);
  EXPECT_THAT(read.error().fix, HasSubstr("update"));
}

TEST(JobFile, ThatIsNoneIsRefused) {
  const base::TempFolder folder;
  EXPECT_EQ(read_job(folder.path()).error().kind, ErrorKind::input);
  for (const char* text : {"", "{}", "[1]", R"({"type":"job","job_version":1,"blocks":0})"}) {
    std::ofstream(job_path(folder.path())) << text;
    const auto read = read_job(folder.path());
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::input);
    EXPECT_EQ(read.error().where, job_path(folder.path()).string());
  }
}

TEST(SameJob, MayHaveMoreBlocksAndNothingElse) {
  const JobFile there = sample_job();
  JobFile asked = there;
  asked.blocks = 24;
  asked.header.plan.blocks = 24;
  asked.header.created = "2031-01-01T00:00:00Z";
  EXPECT_TRUE(check_same_job(there, asked));
  const auto where = [&](auto change) {
    JobFile other = there;
    change(other);
    const auto same = check_same_job(there, other);
    EXPECT_FALSE(same);
    EXPECT_EQ(same.error().kind, ErrorKind::usage);
    return same.error().where;
  };
  EXPECT_EQ(where([](JobFile& job) { job.blocks = 3; }), "--blocks");
  EXPECT_EQ(where([](JobFile& job) { job.header.seed = 1; }), "--seed");
  EXPECT_EQ(where([](JobFile& job) { job.header.plan.timeout_s = 1; }), "--timeout");
  EXPECT_EQ(where([](JobFile& job) { job.header.axes["batch_size"] = "1"; }), "batch_size");
  EXPECT_EQ(where([](JobFile& job) { job.header.models[0].hash = "other"; }), "the file of m");
  EXPECT_EQ(where([](JobFile& job) { job.header.models.clear(); }), "-m");
  EXPECT_EQ(where([](JobFile& job) { job.header.tool_version = "9"; }), "batchscope");
  EXPECT_EQ(where([](JobFile& job) { job.configs.pop_back(); }), "the configurations");
  EXPECT_EQ(where([](JobFile& job) { job.environment["OMP_NUM_THREADS"] = "1"; }),
            "OMP_NUM_THREADS");
}

}  // namespace
}  // namespace batchscope::cluster

#include "batchscope/advice/named_traces.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace batchscope::advice {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class NamedTraces : public testing::Test {
 protected:
  NamedTraces() {
    std::string made = (fs::temp_directory_path() / "named-traces-XXXXXX").string();
    EXPECT_NE(::mkdtemp(made.data()), nullptr);
    folder_ = made;
    for (const int64_t size : {1, 8}) {
      schema::RunConfig config;
      config.model = "mlp";
      config.shape.batch_size = size;
      run_.configs.push_back(config);
    }
  }
  ~NamedTraces() override { fs::remove_all(folder_); }

  void add_visit(int config, const std::string& file) {
    schema::Visit visit;
    visit.config = config;
    visit.diagnosis.emplace();
    visit.diagnosis->trace_file = file;
    run_.visits.push_back(visit);
  }
  fs::path write(const std::string& name, const std::string& operator_name) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": ")"
                                  << operator_name
                                  << R"(", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]})";
    return folder_ / name;
  }
  std::vector<NamedTrace> traces(const std::vector<fs::path>& elsewhere = {}) const {
    return named_traces({run_}, {(folder_ / "run.jsonl").string()}, elsewhere);
  }

  fs::path folder_;
  schema::RunFile run_;
};

TEST_F(NamedTraces, AreReadFromBesideTheRunTheLatestOfEachConfiguration) {
  write("run.traces/first.json", "old");
  write("run.traces/second.json", "new");
  add_visit(1, "run.traces/first.json");
  add_visit(0, "");
  add_visit(1, "run.traces/second.json");
  const auto found = traces({write("other.json", "elsewhere")});
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].file, "run.traces/second.json");
  EXPECT_THAT(found[0].of, HasSubstr("batch 8, mlp"));
  EXPECT_EQ(found[0].summary.value().operators.at(0).name, "new");
  EXPECT_EQ(found[1].file, (folder_ / "other.json").string());
  EXPECT_EQ(found[1].of, "");
  EXPECT_EQ(found[1].summary.value().operators.at(0).name, "elsewhere");
}

TEST_F(NamedTraces, OneThatCannotBeReadSaysWhy) {
  std::ofstream(folder_ / "damaged.json") << "nothing of a trace";
  ASSERT_EQ(::mkfifo((folder_ / "pipe.json").c_str(), 0600), 0);
  add_visit(0, "gone.json");
  add_visit(1, "damaged.json");
  const auto found = traces({folder_ / "pipe.json", write("whole.json", "add")});
  ASSERT_EQ(found.size(), 4);
  EXPECT_EQ(found[0].problem, "the file does not exist");
  EXPECT_NE(found[1].problem, "");
  EXPECT_EQ(found[2].problem, "it is not a file") << "a pipe would be waited for";
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(found[static_cast<std::size_t>(i)].summary) << i;
  EXPECT_TRUE(found[3].summary);
}

TEST_F(NamedTraces, NoRunFileHasFilesReadFromElsewhere) {
  const fs::path outside = write("outside.json", "secret");
  add_visit(0, outside.string());
  add_visit(1, "run.traces/../outside.json");
  for (const NamedTrace& each : traces()) {
    EXPECT_FALSE(each.summary) << each.file;
    EXPECT_THAT(each.problem, HasSubstr("outside its folder"));
  }
}

}  // namespace
}  // namespace batchscope::advice

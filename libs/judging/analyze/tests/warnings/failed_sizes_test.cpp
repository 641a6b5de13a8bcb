#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/analyze/analyze.hpp"
#include "testing/runs/fake_run.hpp"
#include "warnings/warnings.hpp"

namespace batchscope::analyze {
namespace {

using tables::affine;
using tables::batch_sizes;
using tables::make_run;
using tables::quiet;
using tables::view_run;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Batches 1 and 2 were measured, the others failed `times` each.
schema::RunFile with_failures(const std::vector<int64_t>& sizes, schema::EventKind kind,
                              int times) {
  schema::RunFile run = make_run({batch_sizes({1, 2}), affine(), 3, 3, quiet(), 1});
  for (const schema::RunConfig& config : batch_sizes(sizes)) {
    const int index = static_cast<int>(run.configs.size());
    run.configs.push_back(config);
    for (int block = 0; block < times; ++block) {
      run.events.push_back({{"killed", {index, block, 0}, ""}, kind});
    }
  }
  return run;
}

std::vector<std::string> words(const schema::RunFile& run) {
  return failed_sizes_in_words(view_run(run));
}

TEST(FailedSizes, AreNamedWithHowOften) {
  EXPECT_THAT(words(with_failures({64}, schema::EventKind::out_of_memory, 3)),
              ElementsAre("Batch 64 ran out of memory in all 3 visits."));
  EXPECT_THAT(words(with_failures({64}, schema::EventKind::crash, 1)),
              ElementsAre("Batch 64 failed in its one visit."));
  EXPECT_THAT(words(with_failures({64, 128}, schema::EventKind::out_of_memory, 2)),
              ElementsAre("Batches 64 and 128 ran out of memory in both visits of each."));
}

TEST(FailedSizes, DoNotHoldThoseThatWereMeasuredToo) {
  schema::RunFile run = with_failures({}, schema::EventKind::out_of_memory, 0);
  run.events.push_back({{"killed", {1, 0, 0}, ""}, schema::EventKind::out_of_memory});
  EXPECT_THAT(words(run), IsEmpty());
}

TEST(FailedSizes, AreReportedByTheirTableWhereThereAreSeveral) {
  schema::RunFile run = with_failures({64}, schema::EventKind::out_of_memory, 2);
  run.configs.back().precision = schema::Precision::fp16;
  EXPECT_THAT(words(run), ElementsAre("m, fp16, cpu, 1 thread, fake: batch 64 ran out of memory in "
                                      "both its visits."));
}

TEST(FailedSizes, AreInTheSummaryOnce) {
  const schema::RunFile run = with_failures({64}, schema::EventKind::out_of_memory, 3);
  EXPECT_THAT(analyze(std::span(&run, 1)).words,
              Contains(HasSubstr("Batch 64 ran out of memory")).Times(1));
}

TEST(FailedSizes, AreAllThatIsKnownWhereNothingWasMeasured) {
  schema::RunFile run = with_failures({64}, schema::EventKind::out_of_memory, 3);
  run.visits.clear();
  EXPECT_THAT(
      analyze(std::span(&run, 1)).words,
      ElementsAre("The run has no measurements.", "Batch 64 ran out of memory in all 3 visits."));
}

}  // namespace
}  // namespace batchscope::analyze

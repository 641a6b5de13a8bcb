#include "batchscope/causes/diagnostics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/schema/run_file.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::causes {
namespace {

using tables::affine;
using tables::batch_sizes;
using tables::make_run;
using tables::quiet;
using tables::RunView;
using tables::view_run;
using testing::ElementsAre;
using testing::SizeIs;

// Batch 2 and 4; three iterations each, of which two are traced.
schema::RunFile run_with_diagnosis() {
  schema::RunFile run = make_run({batch_sizes({2, 4}), affine(), 2, 3, quiet(), 1});
  for (schema::Visit& visit : run.visits) {
    if (visit.block == 0) continue;
    const int64_t b = visit.config == 0 ? 2 : 4;
    visit.purpose = schema::Purpose::diagnostic;
    visit.usage.minor_faults = 30;
    visit.usage.system_ns = 6'000'000;
    schema::Diagnosis& seen = visit.diagnosis.emplace();
    seen.thread_busy_ns = {900, 300, 10};
    seen.anonymous_bytes = 1000;
    seen.huge_page_bytes = 250;
    seen.tracer = "kineto";
    seen.traced_iterations = 2;
    seen.traced_ns = 40'000'000;
    const auto operation = [](const char* name, int64_t calls, int64_t ns) {
      return schema::Operation{name, schema::OperationKind::op, calls, ns, ns, {}, {}, {}, {}, {},
                               false};
    };
    // The product costs the same a sample, the copy four times as much at batch 4.
    seen.operations = {operation("mm", 4, b * 4'000'000)};
    seen.operations.push_back(operation("copy", 2, b == 2 ? 2'000'000 : 16'000'000));
    if (b == 4) seen.operations.push_back(operation("extra", 2, 800'000));
    seen.absent = {{"counters", "none here"}};
  }
  return run;
}

TEST(Diagnostics, NothingWithoutADiagnosticVisit) {
  const auto run = make_run({batch_sizes({2, 4}), affine(), 2, 3, quiet(), 1});
  const RunView view = view_run(run);
  EXPECT_FALSE(diagnostics_of(view, view.groups.at(0)));
}

TEST(Diagnostics, AreAnIterationsNumbers) {
  const auto run = run_with_diagnosis();
  const RunView view = view_run(run);
  const auto found = diagnostics_of(view, view.groups.at(0));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->tracer, "kineto");
  EXPECT_EQ(found->absent.at("counters"), "none here");
  ASSERT_THAT(found->sizes, SizeIs(2));
  const findings::SizeDiagnosis& size = found->sizes[0];
  EXPECT_EQ(size.batch_size, 2);
  EXPECT_DOUBLE_EQ(size.time_ms, 9);
  EXPECT_DOUBLE_EQ(size.traced_ms, 20);
  EXPECT_DOUBLE_EQ(*size.minor_faults, 10);
  EXPECT_DOUBLE_EQ(*size.system_ms, 2);
  EXPECT_EQ(size.busy_threads, 2) << "the third did hardly anything";
  EXPECT_DOUBLE_EQ(*size.huge_page_share, 0.25);
  EXPECT_FALSE(size.imbalance) << "one thread was asked for";
  EXPECT_FALSE(size.created_primitives) << "nothing was logged";
}

TEST(Diagnostics, WhatChangesMostComesFirst) {
  const auto run = run_with_diagnosis();
  const RunView view = view_run(run);
  const auto rows = diagnostics_of(view, view.groups.at(0))->operations;
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(row.name);
  EXPECT_THAT(names, ElementsAre("copy", "extra", "mm"));
  // A sample at batch 2: mm 2 ms, copy 0.5 ms; at batch 4: mm 2 ms, copy 2 ms, extra 0.1 ms.
  EXPECT_DOUBLE_EQ(rows[0].change, 1.5 / 2.5);
  EXPECT_DOUBLE_EQ(rows[0].at[1]->ms, 8);
  EXPECT_DOUBLE_EQ(rows[2].change, 0);
  EXPECT_DOUBLE_EQ(rows[2].at[0]->calls, 2);
  EXPECT_FALSE(rows[1].at[0]) << "it does not occur at batch 2";
}

TEST(Diagnostics, ASizeWithoutATraceSaysNothingOfChanges) {
  auto run = run_with_diagnosis();
  for (schema::Visit& visit : run.visits) {
    if (!visit.diagnosis || visit.config != 0) continue;
    visit.diagnosis->operations.clear();
    visit.diagnosis->traced_iterations = 0;
  }
  const RunView view = view_run(run);
  const auto untraced = diagnostics_of(view, view.groups.at(0))->operations;
  for (const auto& row : untraced) EXPECT_EQ(row.change, 0) << row.name;

  run = run_with_diagnosis();
  for (schema::Visit& visit : run.visits) {
    if (visit.diagnosis && visit.config == 0) visit.diagnosis->operations.clear();
  }
  const RunView logged = view_run(run);
  const auto rows = diagnostics_of(logged, logged.groups.at(0))->operations;
  EXPECT_GT(rows.at(0).change, 0.4) << "none at batch 2, which was traced";
}

}  // namespace
}  // namespace batchscope::causes

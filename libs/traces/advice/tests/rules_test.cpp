#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "made_events.hpp"

namespace batchscope::advice {
namespace {

using findings::Finding;
using findings::Severity;
using ::testing::HasSubstr;

double high(const Finding& finding) {
  return finding.gain ? finding.gain->high : -1;
}

TEST(TraceRules, PageableCopiesCountAsFarAsNoKernelHidesThem) {
  Made made;
  made.kernel("k", 0, 500);
  made.device("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 400, 600, "\"bytes\":64000000");
  const Finding* const found = made.found("trace.pageable-copies");
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(high(*found), 0.5, 1e-9) << "100 of the 600 are behind the kernel";
  EXPECT_THAT(found->what, HasSubstr("64.0 MB"));
  EXPECT_THAT(found->fix, HasSubstr("pin_memory=True"));

  Made hidden;
  hidden.kernel("k", 0, 1000);
  hidden.device("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 100, 600);
  EXPECT_EQ(hidden.found("trace.pageable-copies"), nullptr);
}

// Pageable ones behind kernels, pinned ones in the open: the latter are what is lost.
TEST(TraceRules, CopiesAreBlamedForTheirOwnExposure) {
  Made made;
  made.kernel("k", 0, 500);
  made.device("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 50, 400, "\"bytes\":1000000");
  made.device("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 500, 500, "\"bytes\":2000000");
  EXPECT_EQ(made.found("trace.pageable-copies"), nullptr);
  ASSERT_NE(made.found("trace.exposed-copies"), nullptr);
  EXPECT_NEAR(high(*made.found("trace.exposed-copies")), 0.5, 1e-9);
}

TEST(TraceRules, CopiesOfSeveralStreamsTakeTheirTimeOnce) {
  Made made;
  made.kernel("k", 0, 100);
  for (int stream = 10; stream < 14; ++stream) {
    made.host("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 100, 900,
              fmt::format("\"device\":0,\"stream\":{}", stream));
  }
  ASSERT_NE(made.found("trace.pageable-copies"), nullptr);
  EXPECT_THAT(made.found("trace.pageable-copies")->what,
              HasSubstr("for 90 % of the time (all of it"));
}

TEST(TraceRules, PinnedCopiesCouldOverlap) {
  Made made;
  made.kernel("k", 0, 600).device("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 600, 400);
  const Finding* const found = made.found("trace.exposed-copies");
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(found->gain->low, 0.2, 1e-9);
  EXPECT_NEAR(high(*found), 0.4, 1e-9);
  EXPECT_EQ(made.found("trace.pageable-copies"), nullptr);
}

TEST(TraceRules, FullPrecisionIsReadOffTheInputsNotTheNames) {
  Made floats;
  floats.kernel("any_kernel", 0, 1000, "float");
  ASSERT_NE(floats.found("trace.full-precision"), nullptr);
  EXPECT_EQ(floats.found("trace.full-precision")->status, findings::Status::measured);
  Made halves;
  halves.kernel("ampere_sgemm_128x64", 0, 1000, "c10::BFloat16");
  EXPECT_EQ(halves.found("trace.full-precision"), nullptr);
  Made autocast;  // the operator is asked with floats
  autocast.kernel("sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn", 0, 1000, "float");
  EXPECT_EQ(autocast.found("trace.full-precision"), nullptr);
}

TEST(TraceRules, OneKernelDominatesFromTwoFifths) {
  Made made;
  made.kernel("large", 0, 450).kernel("a", 450, 300).kernel("b", 750, 250);
  ASSERT_NE(made.found("trace.dominant-kernel"), nullptr);
  EXPECT_EQ(made.found("trace.dominant-kernel")->severity, Severity::info);
  EXPECT_THAT(made.found("trace.dominant-kernel")->what, HasSubstr("45 %"));
  Made even;
  even.kernel("a", 0, 390).kernel("b", 390, 310).kernel("c", 700, 300);
  EXPECT_EQ(even.found("trace.dominant-kernel"), nullptr);
}

TEST(TraceRules, AShortKernelIsCalledVeryOften) {
  Made made;
  for (int i = 0; i < 1000; ++i) made.kernel("tiny", 5 * i, 5);
  made.kernel("large", 5000, 15'000);
  ASSERT_NE(made.found("trace.frequent-kernel"), nullptr);
  EXPECT_EQ(made.found("trace.frequent-kernel")->severity, Severity::low);
  Made seldom;
  for (int i = 0; i < 999; ++i) seldom.kernel("tiny", 5 * i, 5);
  EXPECT_EQ(seldom.found("trace.frequent-kernel"), nullptr);
}

TEST(TraceRules, CommunicationCountsWhereNothingElseRuns) {
  Made made;
  made.kernel("k", 0, 800).device("kernel", "ncclDevKernel_AllReduce_Sum", 700, 300);
  const Finding* const found = made.found("trace.exposed-communication");
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(high(*found), 0.2, 1e-9);
}

// The host takes 5 us from call to call, kernels 3.
Made launch_bound(const std::string& shape) {
  Made made;
  for (int i = 0; i < 200; ++i) made.kernel("small", 5 * i, 3, "c10::BFloat16", shape);
  return made;
}

TEST(TraceRules, SmallWorkIsShortAndFillsNothingAndIsWaitedFor) {
  Made small = launch_bound(R"("grid":[4,1,1],"block":[64,1,1])");
  ASSERT_NE(small.found("trace.launch-bound"), nullptr);
  ASSERT_NE(small.found("trace.small-batch"), nullptr);
  Made filling = launch_bound(R"("grid":[400,1,1],"block":[64,1,1])");
  ASSERT_NE(filling.found("trace.launch-bound"), nullptr);
  EXPECT_EQ(filling.found("trace.small-batch"), nullptr);
}

// Five steps of 100 us, at whose ends so many bytes are held.
Made steps_that_hold(const std::vector<int64_t>& bytes, int64_t rise, int64_t reserved) {
  Made made;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const int64_t start = 100 * static_cast<int64_t>(i);
    made.step(static_cast<int64_t>(i), start, 100).kernel("k", start + 10, 80);
    made.memory(start + 20, rise, bytes[i] + rise, reserved);
    made.memory(start + 90, -rise, bytes[i], reserved);
  }
  return made;
}

TEST(TraceRules, MemoryGrowsFromStepToStep) {
  constexpr int64_t kGb = 1'000'000'000;
  Made grows = steps_that_hold({kGb, kGb, 2 * kGb, 3 * kGb, 4 * kGb}, kGb, 6 * kGb);
  const Finding* const found = grows.found("trace.memory-growth");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->severity, Severity::high);
  EXPECT_THAT(found->what, HasSubstr("grows by 1000 MB per step"));
  EXPECT_THAT(found->what, HasSubstr("it is full in about 5 steps"));
  // A jump that stays, as in a warm-up.
  Made once = steps_that_hold({kGb, kGb, kGb, kGb, 2 * kGb, 2 * kGb, 2 * kGb}, kGb, 6 * kGb);
  EXPECT_EQ(once.found("trace.memory-growth"), nullptr);
  Made flat = steps_that_hold({kGb, 2 * kGb, 3 * kGb, 3 * kGb, 3 * kGb}, kGb, 6 * kGb);
  EXPECT_EQ(flat.found("trace.memory-growth"), nullptr);
  Made falls = steps_that_hold({kGb, kGb, 2 * kGb, kGb, 4 * kGb}, kGb, 6 * kGb);
  EXPECT_EQ(falls.found("trace.memory-growth"), nullptr);
}

TEST(TraceRules, ActivationsThatCheckpointingWouldSave) {
  constexpr int64_t kGb = 1'000'000'000;
  Made full = steps_that_hold({2 * kGb, 2 * kGb, 2 * kGb}, 7 * kGb, 9'200'000'000);
  ASSERT_NE(full.found("trace.checkpointing"), nullptr);
  EXPECT_EQ(full.found("trace.checkpointing")->severity, Severity::medium);
  Made room = steps_that_hold({kGb, kGb, kGb}, 5 * kGb, 6 * kGb);
  EXPECT_EQ(room.found("trace.checkpointing"), nullptr);
  Made weights = steps_that_hold({7 * kGb, 7 * kGb, 7 * kGb}, 2 * kGb, 9'200'000'000);
  EXPECT_EQ(weights.found("trace.checkpointing"), nullptr);
}

TEST(TraceRules, TheAllocatorHoldsFarMoreThanIsUsed) {
  constexpr int64_t kGb = 1'000'000'000;
  Made fragmented = steps_that_hold({kGb, kGb, kGb}, 3 * kGb, 6 * kGb);
  ASSERT_NE(fragmented.found("trace.allocator"), nullptr);
  EXPECT_THAT(fragmented.found("trace.allocator")->fix, HasSubstr("expandable_segments"));
  Made tight = steps_that_hold({kGb, kGb, kGb}, 3 * kGb, 4'200'000'000);
  EXPECT_EQ(tight.found("trace.allocator"), nullptr);
}

TEST(TraceRules, CallsForMemoryCostWhatTheDeviceIdles) {
  Made retries;
  retries.kernel("k", 0, 100).kernel("k", 400, 100);
  retries.host("cuda_runtime", "cudaFree", 120, 80).host("cuda_runtime", "cudaMalloc", 220, 120);
  const Finding* const found = retries.found("trace.allocator");
  ASSERT_NE(found, nullptr);
  EXPECT_THAT(found->what, HasSubstr("is idle for 40 % of the time"));
  EXPECT_THAT(found->what, HasSubstr("once it freed memory and allocated it again"));
  Made busy;
  busy.kernel("k", 0, 1000).host("cuda_runtime", "cudaMalloc", 100, 800);
  EXPECT_EQ(busy.found("trace.allocator"), nullptr);
}

TEST(TraceRules, CompilingWithinTheRecordingIsReportedAndWeighsWhatItIdles) {
  Made idle;
  idle.kernel("k", 0, 100).kernel("k", 900, 100);
  idle.host("cpu_op", "CachingAutotuner.benchmark_all_configs (dynamo_timed)", 110, 700);
  ASSERT_NE(idle.found("trace.warm-up"), nullptr);
  EXPECT_EQ(idle.found("trace.warm-up")->severity, Severity::high);
  Made busy;
  busy.kernel("k", 0, 1000);
  busy.host("cpu_op", "CachingAutotuner.benchmark_all_configs (dynamo_timed)", 110, 700);
  ASSERT_NE(busy.found("trace.warm-up"), nullptr);
  EXPECT_EQ(busy.found("trace.warm-up")->severity, Severity::info);
}

TEST(TraceRules, WhatThreadsDoAtOnceAndBeforehandIsNoMoreThanTheTime) {
  Made made;
  made.kernel("k", 0, 100).kernel("k", 900, 100);
  made.host("cpu_op", "TorchDynamo Cache Lookup", -100'000, 90'000);
  for (int i = 0; i < 4; ++i) made.host("overhead", "Activity Buffer Request", 200, 500);
  EXPECT_EQ(made.found("trace.warm-up"), nullptr) << "it was over before the device began";
  ASSERT_NE(made.found("trace.recorder"), nullptr);
  EXPECT_THAT(made.found("trace.recorder")->what, HasSubstr("50 % of the time"));
}

// Against a full queue, or in every step: that is how the program is.
TEST(TraceRules, LaunchesThatAreAlwaysLongAreNoWarmUp) {
  Made blocked;
  Made steady;
  for (int i = 0; i < 10; ++i) {
    const std::string number = fmt::format("\"correlation\":{}", i);
    blocked.host("cuda_runtime", "cudaLaunchKernel", 8000 * i, 7900, number);
    blocked.device("kernel", "k", 8000 * i, 8000, number);
    steady.host("cuda_runtime", "cudaGraphLaunch", 10'000 * i, 6000, number);
    steady.device("kernel", "k", 10'000 * i + 6000, 4000, number);
  }
  EXPECT_EQ(blocked.found("trace.warm-up"), nullptr);
  EXPECT_EQ(steady.found("trace.warm-up"), nullptr);
  Made loading = launch_bound("");
  loading.host("cuda_runtime", "cudaLaunchKernel", 1010, 8000, "\"correlation\":1000");
  loading.device("kernel", "k", 9020, 100, "\"correlation\":1000");
  ASSERT_NE(loading.found("trace.warm-up"), nullptr);
}

TEST(TraceRules, CallsForMemoryBeforeTheDevicesTimeCostItNothing) {
  Made made = launch_bound("");
  made.host("cuda_runtime", "cudaMalloc", -900, 890);
  EXPECT_EQ(made.found("trace.allocator"), nullptr);
}

TEST(TraceRules, FindingsOfOneKindAboutDifferentThingsStayApart) {
  constexpr int64_t kGb = 1'000'000'000;
  Made made = steps_that_hold({kGb, kGb, kGb}, kGb, 9 * kGb);
  made.kernel("k", 600, 100).host("cuda_runtime", "cudaMalloc", 320, 250);
  const TraceSummary summary = made.summary();
  EXPECT_EQ(std::count_if(summary.findings.begin(), summary.findings.end(),
                          [](const Finding& each) { return each.id == "trace.allocator"; }),
            2);
}

TEST(TraceRules, ASmallBatchIsNotConcludedFromFewKernels) {
  Made made = launch_bound("");
  made.kernel("known", 1000, 3, "c10::BFloat16", R"("grid":[4,1,1],"block":[64,1,1])");
  ASSERT_NE(made.found("trace.launch-bound"), nullptr);
  EXPECT_EQ(made.found("trace.small-batch"), nullptr);
}

TEST(TraceRules, ARecorderThatDistortsIsReported) {
  Made made = launch_bound("");
  made.host("python_function", "train.py(1): step", -10, 1100);
  ASSERT_NE(made.found("trace.recorder"), nullptr);
  Made plain = launch_bound("");
  EXPECT_EQ(plain.found("trace.recorder"), nullptr);
}

TEST(TraceRules, WhereNothingIsLostItIsHealthyWithTheFigure) {
  Made made;
  for (int i = 0; i < 10; ++i) made.kernel("k" + std::to_string(i), 100 * i, 99);
  const TraceSummary summary = made.summary();
  ASSERT_EQ(summary.findings.size(), 1U) << summary.findings.front().what;
  EXPECT_EQ(summary.findings.front().id, "trace.healthy");
  EXPECT_THAT(summary.findings.front().what, HasSubstr("99 %"));
}

}  // namespace
}  // namespace batchscope::advice

// What is advised, by what was found.
#include <gmock/gmock.h>

#include <string>

#include "made_events.hpp"

namespace batchscope::advice {
namespace {

using findings::Finding;
using ::testing::HasSubstr;
using ::testing::Not;

std::string fix_of(Made& made, const std::string& id) {
  const Finding* const found = made.found(id);
  return found == nullptr ? "no finding" : found->fix;
}

Made in_floats() {
  Made made;
  made.kernel("any_kernel", 0, 1000, "float");
  return made;
}

TEST(Advice, PrecisionIsWhatTheDeviceHasUnitsFor) {
  Made ampere = in_floats();
  EXPECT_THAT(fix_of(ampere, "trace.full-precision"), HasSubstr("bfloat16"));
  EXPECT_THAT(fix_of(ampere, "trace.full-precision"), HasSubstr("TF32"));
  for (const int minor : {0, 5}) {
    Made volta = in_floats().on("Tesla V100", 7, minor);
    EXPECT_THAT(fix_of(volta, "trace.full-precision"), HasSubstr("torch.float16"));
    EXPECT_THAT(fix_of(volta, "trace.full-precision"), Not(HasSubstr("dtype=torch.bfloat16")));
    EXPECT_THAT(fix_of(volta, "trace.full-precision"), Not(HasSubstr("set_float32")));
  }
  Made pascal = in_floats().on("Tesla P100", 6, 0);
  EXPECT_EQ(pascal.found("trace.full-precision"), nullptr);
  Made amd = in_floats().on("AMD Instinct MI300X", 9, 4);
  EXPECT_THAT(fix_of(amd, "trace.full-precision"), HasSubstr("dtype=torch.bfloat16"));
  EXPECT_THAT(fix_of(amd, "trace.full-precision"), Not(HasSubstr("TF32")));
}

TEST(Advice, TF32IsAPrecisionOfItsOwn) {
  for (const char* const name :
       {"sm80_xmma_gemm_f32f32_tf32f32_f32_nn_n", "cutlass_80_tensorop_s1688gemm_128x128",
        "ampere_sgemm_tf32_128x64"}) {
    Made made;
    made.kernel(name, 0, 1000, "float");
    EXPECT_THAT(fix_of(made, "trace.full-precision"), HasSubstr("bfloat16")) << name;
    EXPECT_THAT(fix_of(made, "trace.full-precision"), Not(HasSubstr("set_float32"))) << name;
    EXPECT_THAT(made.found("trace.full-precision")->what, Not(HasSubstr("fp32"))) << name;
  }
}

Made that_copies(const std::string& direction) {
  Made made;
  made.kernel("k", 0, 1000)
      .device("gpu_memcpy", "Memcpy " + direction, 1000, 1000, "\"bytes\":1000000");
  return made.kernel("k", 2000, 1000);
}

TEST(Advice, PinningIsAdvisedForTheDirectionOfTheCopies) {
  Made up = that_copies("HtoD (Pageable -> Device)");
  EXPECT_THAT(fix_of(up, "trace.pageable-copies"), HasSubstr("DataLoader"));
  Made down = that_copies("DtoH (Device -> Pageable)");
  EXPECT_THAT(fix_of(down, "trace.pageable-copies"), Not(HasSubstr("DataLoader")));
  EXPECT_THAT(fix_of(down, "trace.pageable-copies"), HasSubstr("buffer.copy_"));
}

TEST(Advice, AnAllReduceIsNamedWhereOneRuns) {
  Made sends;
  sends.kernel("k", 0, 500).kernel("ncclDevKernel_SendRecv", 500, 500);
  EXPECT_THAT(fix_of(sends, "trace.exposed-communication"), HasSubstr("micro-batches"));
  Made reduces;
  reduces.kernel("k", 0, 500).kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 500, 500);
  EXPECT_THAT(fix_of(reduces, "trace.exposed-communication"), HasSubstr("all-reduce"));
}

TEST(Advice, CallsOfOneGapAreNotOneCall) {
  Made made;
  made.kernel("k", 0, 1000);
  for (int i = 0; i < 90; ++i) made.host("cpu_op", "aten::cpu_small", 1000 + 100 * i, 99);
  made.kernel("k", 10'000, 1000);
  EXPECT_THAT(made.found("trace.host-work")->what, HasSubstr("89 calls of aten::cpu_small"));
}

TEST(Advice, AnEmptyTraceTellsNoTimeOfTheHost) {
  const auto empty = trace::TraceReader().parse(R"({"traceEvents":[]})", "made");
  ASSERT_TRUE(empty);
  EXPECT_THAT(summarise(*empty).findings.at(0).what, Not(HasSubstr("host's time")));
  Made host;
  host.host("cpu_op", "aten::mm", 0, 1000);
  EXPECT_THAT(host.found("trace.no-device")->what, HasSubstr("host's time"));
}

TEST(Advice, OfXlaSpeaksOfNoTorch) {
  const auto trace = trace::TraceReader().parse(
      R"({"traceEvents":[{"ph":"M","name":"process_name","pid":1,"args":{"name":"/device:GPU:0"}},)"
      R"({"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"XLA Ops"}},)"
      R"({"ph":"X","name":"fusion","pid":1,"tid":1,"ts":0,"dur":5000},)"
      R"({"ph":"X","name":"ncclDevKernel_AllReduce_Sum_f32","pid":1,"tid":1,"ts":5000,)"
      R"("dur":5000}]})",
      "made");
  ASSERT_TRUE(trace);
  ASSERT_THAT(trace->read.profiler, HasSubstr("XLA"));
  const TraceSummary summary = summarise(*trace);
  ASSERT_FALSE(summary.findings.empty());
  bool communicates = false;
  for (const Finding& finding : summary.findings) {
    if (finding.id != "trace.exposed-communication") continue;
    communicates = true;
    EXPECT_THAT(finding.fix, Not(HasSubstr("DDP")));
    EXPECT_THAT(finding.fix, Not(HasSubstr("bf16")));
  }
  EXPECT_TRUE(communicates);
}

Made that_loads(const std::string& iterator) {
  Made made;
  for (int i = 0; i < 4; ++i) {
    made.host("user_annotation", iterator, 1000 * i, 700);
    made.kernel("k", 1000 * i + 710, 280);
  }
  return made;
}

TEST(Advice, WorkersAreAdvisedByTheIteratorThatRan) {
  Made single = that_loads("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
  EXPECT_THAT(fix_of(single, "trace.data-loading"), HasSubstr("num_workers=0"));
  Made several = that_loads("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
  EXPECT_THAT(fix_of(several, "trace.data-loading"), HasSubstr("already has workers: raise"));
  several.on("Test GPU", 8, 0, R"("num_workers":8,)");
  EXPECT_THAT(fix_of(several, "trace.data-loading"), HasSubstr("already has workers (8)"));
  Made other = that_loads("IteratorGetNext");
  EXPECT_THAT(fix_of(other, "trace.data-loading"), HasSubstr("tf.data.AUTOTUNE"));
}

Made that_launches_slowly(const std::string& runtime) {
  Made made;
  for (int i = 0; i < 100; ++i) {
    const std::string number = fmt::format("\"correlation\":{}", i);
    made.host("cuda_runtime", runtime, 20 * i, 12, number);
    made.device("kernel", "k", 20 * i + 12, 5, number);
  }
  return made;
}

TEST(Advice, GraphsAreNotAdvisedWhereTheyRun) {
  Made eager = that_launches_slowly("cudaLaunchKernel");
  EXPECT_THAT(fix_of(eager, "trace.launch-bound"), HasSubstr("CUDA graphs"));
  Made graphs = that_launches_slowly("cudaGraphLaunch");
  EXPECT_THAT(fix_of(graphs, "trace.launch-bound"), HasSubstr("graphs run already"));
  Made amd =
      that_launches_slowly("hipLaunchKernel").on("", 9, 4, R"("hip_driver_version":70051831,)");
  EXPECT_THAT(fix_of(amd, "trace.launch-bound"), HasSubstr("HIP graphs"));
  EXPECT_THAT(fix_of(amd, "trace.launch-bound"), Not(HasSubstr("CUDA")));
}

// Kernels of 100 us between which the host is in that call.
Made that_waits_in(const std::string& call, const std::string& around = "") {
  Made made;
  for (int i = 0; i < 5; ++i) {
    const int at = 1000 * i;
    made.kernel("k", at + 10, 100);
    if (!around.empty()) made.host("cpu_op", around, at + 15, 880);
    made.host("cuda_runtime", call, at + 20, 870);
  }
  return made.kernel("k", 5000, 100);
}

TEST(Advice, ItemIsBlamedWhereAScalarIsRead) {
  Made item = that_waits_in("cudaStreamSynchronize", "aten::_local_scalar_dense");
  EXPECT_THAT(fix_of(item, "trace.synchronisation"), HasSubstr(".item()"));
  Made plain = that_waits_in("cudaDeviceSynchronize");
  EXPECT_THAT(fix_of(plain, "trace.synchronisation"), HasSubstr("torch.cuda.synchronize()"));
  EXPECT_THAT(fix_of(plain, "trace.synchronisation"), Not(HasSubstr(".item()")));
  Made memory = that_waits_in("cudaFree");
  EXPECT_THAT(fix_of(memory, "trace.synchronisation"), HasSubstr("PYTORCH_CUDA_ALLOC_CONF"));
  EXPECT_THAT(fix_of(memory, "trace.synchronisation"), Not(HasSubstr(".item()")));
  Made amd = that_waits_in("hipFree").on("AMD Instinct MI300X", 9, 4);
  EXPECT_THAT(fix_of(amd, "trace.synchronisation"), HasSubstr("PYTORCH_HIP_ALLOC_CONF"));
}

// Where no operators were recorded the copy of a few bytes tells, and the wait behind it.
TEST(Advice, AScalarIsReportedByItsCopyToo) {
  Made made;
  for (int i = 0; i < 5; ++i) {
    const int at = 1000 * i;
    const std::string number = fmt::format("\"correlation\":{}", 100 + i);
    made.kernel("k", at + 10, 100);
    made.host("cuda_runtime", "cudaMemcpyAsync", at + 20, 5, number);
    made.device("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", at + 111, 1,
                number + ",\"bytes\":4");
    made.host("cuda_runtime", "cudaStreamSynchronize", at + 30, 860);
  }
  made.kernel("k", 5000, 100);
  EXPECT_THAT(fix_of(made, "trace.synchronisation"), HasSubstr(".item()"));
}

TEST(Advice, CopiesWithinADeviceHaveTheirOwn) {
  Made made;
  made.kernel("k", 0, 500);
  made.device("gpu_memcpy", "Memcpy DtoD (Device -> Device)", 500, 400, "\"bytes\":2000000");
  made.device("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 900, 100, "\"bytes\":1000000");
  const Finding* const found = made.found("trace.device-copies");
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(found->gain->high, 0.4, 1e-9);
  EXPECT_THAT(found->what, HasSubstr("2.00 MB within its memory"));
  EXPECT_THAT(found->fix, HasSubstr(".contiguous()"));
  ASSERT_NE(made.found("trace.exposed-copies"), nullptr);
  EXPECT_NEAR(made.found("trace.exposed-copies")->gain->high, 0.1, 1e-9);
  Made between;
  between.kernel("k", 0, 500);
  between.device("gpu_memcpy", "Memcpy PtoP (Device -> Device)", 500, 500);
  EXPECT_THAT(fix_of(between, "trace.device-copies"), HasSubstr("topo -m"));
}

TEST(Advice, OnlyWhatWasRecordedIsLeftOut) {
  Made made;
  for (int i = 0; i < 50; ++i) {
    const std::string number = fmt::format("\"correlation\":{}", i);
    made.host("cuda_runtime", "cudaLaunchKernel", 20 * i, 12, number);
    made.device("kernel", "k", 20 * i + 12, 5, number);
  }
  made.host("python_function", "train.py(1): step", -10, 1100);
  EXPECT_EQ(fix_of(made, "trace.recorder"), "record again with with_stack=False");
}

TEST(Advice, OneLaunchOrOneMemsetIsNone) {
  Made once;
  once.kernel("k", 0, 100);
  once.host("cuda_runtime", "cudaLaunchKernel", 100, 80, "\"correlation\":900");
  once.device("kernel", "k", 190, 100, "\"correlation\":900");
  EXPECT_EQ(once.found("trace.launch-bound"), nullptr);
  Made memset;
  memset.kernel("k", 0, 100).device("gpu_memset", "Memset (Device)", 100, 100);
  EXPECT_EQ(memset.found("trace.exposed-copies"), nullptr);
  memset.device("gpu_memset", "Memset (Device)", 200, 100);
  EXPECT_NE(memset.found("trace.exposed-copies"), nullptr);
}

TEST(Advice, WhatWasAskedForIsNotWhatIsMissing) {
  Made counters;
  counters.host("cuda_profiler_range", "gemm", 0, 100);
  counters.host("cuda_runtime", "cudaLaunchKernel", 0, 10, "\"correlation\":1");
  EXPECT_THAT(fix_of(counters, "trace.no-device"), HasSubstr("without profiler metrics"));
  Made launches;
  launches.host("cuda_runtime", "cudaLaunchKernel", 0, 10, "\"correlation\":1");
  EXPECT_THAT(fix_of(launches, "trace.no-device"), Not(HasSubstr("ProfilerActivity")));
  Made nothing;
  nothing.host("cpu_op", "aten::mm", 0, 10);
  EXPECT_THAT(fix_of(nothing, "trace.no-device"), HasSubstr("ProfilerActivity.CUDA"));
}

TEST(Advice, SaysWhichStepsDoNotCount) {
  Made made;
  made.step(1, 0, 3000).host("user_annotation", "_compile.compile_inner (dynamo_timed)", 10, 2800);
  for (int64_t step = 1; step <= 4; ++step) {
    if (step > 1) made.step(step, 2900 + 100 * step, 100);
    if (step < 4) made.kernel("k", 2910 + 100 * step, 80).kernel("k", 2991 + 100 * step, 5);
  }
  const std::string message = made.summary().message;
  EXPECT_THAT(message, HasSubstr("(2 of 4 steps"));
  EXPECT_THAT(message,
              HasSubstr("Excluded: step 1, 31 times as long as the typical step (compilation)."));
  EXPECT_THAT(message, HasSubstr("Excluded: step 4 (almost no device work in the trace)."));
}

TEST(Advice, SaysThatATraceIsOfACapture) {
  Made made;
  made.host("cuda_runtime", "cudaStreamBeginCapture", 0, 5);
  for (int64_t i = 0; i < 5; ++i) {
    made.host("cuda_runtime", "cudaLaunchKernel", 10 + 10 * i, 5,
              fmt::format("\"correlation\":{}", 100 + i));
  }
  made.host("cuda_runtime", "cudaStreamEndCapture", 100, 5);
  EXPECT_THAT(made.summary().message, testing::StartsWith("This is a trace of a graph capture"));
  EXPECT_THAT(fix_of(made, "trace.no-device"), HasSubstr("after the capture"));
  made.kernel("k", 200, 400);
  EXPECT_THAT(
      made.summary().message,
      testing::StartsWith("This is a trace of a graph capture: 5 of its 6 launches run nothing."));
}

TEST(Advice, NamesADeviceByItsOwnWord) {
  Made made;
  made.on("ARTEMIS", 0, 0);
  made.host("mtia_runtime", "runFunction - job", 0, 10);
  made.device("mtia_ccp_events", "kernel_launch", 20, 100);
  const TraceSummary summary = made.summary();
  EXPECT_EQ(summary.device_word, "MTIA");
  EXPECT_THAT(summary.message, HasSubstr("MTIA 0 (ARTEMIS) is busy"));
}

}  // namespace
}  // namespace batchscope::advice

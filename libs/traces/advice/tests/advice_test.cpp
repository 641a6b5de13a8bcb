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
  EXPECT_THAT(fix_of(several, "trace.data-loading"), HasSubstr("has workers already: raise"));
  several.on("Test GPU", 8, 0, R"("num_workers":8,)");
  EXPECT_THAT(fix_of(several, "trace.data-loading"), HasSubstr("has workers already (8)"));
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
TEST(Advice, AScalarIsToldByItsCopyToo) {
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
  EXPECT_THAT(found->what, HasSubstr("2.00 MB within its own memory"));
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
  EXPECT_EQ(fix_of(made, "trace.recorder"), "record once more with with_stack=False");
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

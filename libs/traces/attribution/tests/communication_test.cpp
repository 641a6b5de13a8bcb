#include <gtest/gtest.h>

#include "activity/communicating_names.hpp"
#include "batchscope/attribution/attribution.hpp"
#include "batchscope/attribution/collectives.hpp"
#include "batchscope/attribution/totals.hpp"
#include "made_trace.hpp"

namespace batchscope::attribution {
namespace {

TEST(CommunicatingNames, OfLibrariesAndEngines) {
  for (const char* name :
       {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)",
        "void vllm::cross_device_reduce_1stage<__half, 2>(vllm::RankData*)",
        "void aiter::allreduce_fusion_kernel_1stage<__hip_bfloat16, 8>(int)",
        "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<4>(int)",
        "void quickreduce::allreduce_prototype_twoshot<quickreduce::CodecFP>(int)",
        "rcclGenericKernel<1, false>(ncclDevKernelArgsStorage<4096ul>)", "mscclKernel_Sum_half",
        "oneShotAllReduceKernel<__nv_bfloat16>", "all-reduce.12", "hcom_allReduce__",
        "void deep_ep::internode::dispatch<false, 8>(int)", "symm_mem::multimem_all_reduce_",
        "<built-in method all_reduce of PyCapsule object at 0x7f>",
        "std::enable_if<(((8)>(0))), void>::type tk::all_gather_kernel<1>(int)"}) {
    EXPECT_TRUE(names_communication(name)) << name;
  }
}

TEST(CommunicatingNames, NotOfWhatOnlySoundsAlike) {
  for (const char* name :
       {"void blockAllReduceSum<float>(float*)", "warp_all_reduce_kernel", "small_reduce_kernel",
        "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, c10d::X>>(int)",
        "triton_red_fused_all_gather_into_tensor_mul_3", "fsdp::all_gather_copy_in", "call_gather",
        "volta_sgemm_64x64_nt"}) {
    EXPECT_FALSE(names_communication(name)) << name;
  }
}

int64_t communication(const MadeTrace& made) {
  const trace::Trace trace = made.made();
  return attribute(trace).devices.front().parts[Part::communication];
}

// A kernel of any name is what launches it; what the framework brings is not.
TEST(Communication, IsReportedByTheOperatorBesideTheName) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  const size_t stream = made.stream(0, 7);
  made.op(thread, "vllm::all_reduce", 0, 100).call(thread, "cuLaunchKernelEx", 10, 20, 1);
  made.op(thread, "aten::copy_", 30, 60).call(thread, "cudaLaunchKernel", 40, 50, 2);
  made.kernel(stream, 20, 60, 1, "fast_sum_of_peers");
  made.kernel(stream, 60, 90, 2, "void at::native::elementwise_kernel<4>(int)");
  EXPECT_EQ(communication(made), 40'000);
  const trace::Trace trace = made.made();
  const TraceIndex index(trace);
  EXPECT_EQ(collectives(index, attribute(index).devices).size(), 1U);
  for (const Total& total : totals(index)) {
    EXPECT_EQ(total.communicates, total.name == "fast_sum_of_peers") << total.name;
  }
}

TEST(Communication, IsReportedByThePythonFunctionThatLaunches) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  made.python(thread, "vllm/custom_all_reduce.py(271): all_reduce", 0, 100);
  made.python(thread, "torch/_ops.py(1243): __call__", 5, 90);
  made.call(thread, "hipLaunchKernel", 10, 20, 1);
  made.kernel(made.stream(0, 7), 20, 60, 1, "fast_sum_of_peers");
  EXPECT_EQ(communication(made), 40'000);
}

TEST(Communication, IsReportedByAStreamThatDoesNothingElse) {
  MadeTrace made;
  const size_t stream = made.stream(0, 20);
  for (int i = 0; i < 5; ++i) {
    made.kernel(stream, 100 * i, 100 * i + 80, -1, "ncclDevKernel_AllGather");
  }
  made.kernel(stream, 500, 560, -1, "barrier_kernel").kernel(stream, 600, 610, -1, "gemm");
  EXPECT_EQ(communication(made), 460'000);
  MadeTrace mixed;
  const size_t other = mixed.stream(0, 7);
  mixed.kernel(other, 0, 80, -1, "ncclDevKernel_AllGather").kernel(other, 100, 500, -1, "gemm");
  mixed.kernel(other, 500, 560, -1, "barrier_kernel");
  EXPECT_EQ(communication(mixed), 80'000);
}

// Twenty layers of three kernels within one step of a server, and the same as steps of their own.
MadeTrace repeated(bool in_one_range, bool with_ends) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  const size_t stream = made.stream(0, 7);
  int at = 10;
  const auto kernel = [&](const std::string& name) {
    made.call(thread, "cudaLaunchKernel", at, at + 2, at);
    made.kernel(stream, at + 3, at + 9, at, name);
    at += 10;
  };
  if (with_ends) kernel("embedding");
  for (int layer = 0; layer < 20; ++layer) {
    for (const char* name : {"norm", "a", "b", "c", "d", "e", "f", "g", "attention"}) kernel(name);
  }
  if (with_ends) kernel("logits");
  if (in_one_range) made.range(thread, "execute_context_1(888)", 0, at + 10);
  return made;
}

StepSource steps_of(const MadeTrace& made) {
  const trace::Trace trace = made.made();
  return attribute(trace).step_source;
}

TEST(InferredSteps, AreNoLayers) {
  EXPECT_EQ(steps_of(repeated(/*in_one_range=*/false, /*with_ends=*/false)), StepSource::inferred);
  EXPECT_EQ(steps_of(repeated(true, false)), StepSource::none);
  EXPECT_EQ(steps_of(repeated(false, true)), StepSource::none) << "what is beside them is a step's";
}

}  // namespace
}  // namespace batchscope::attribution

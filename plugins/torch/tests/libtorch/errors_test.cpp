#include "libtorch/errors.hpp"

#include <ATen/ATen.h>
#include <c10/util/Exception.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace batchscope::torch_plugin {
namespace {

template <class Body>
base::Result<void> run(Body body) {
  return guarded(base::ErrorKind::failed, "model.pt", "the fix", [&]() -> base::Result<void> {
    body();
    return {};
  });
}

TEST(UsefulMessage, TakesTheMessageOutOfTheInterpretersFrames) {
  EXPECT_EQ(useful_message("The following operation failed in the TorchScript interpreter.\n"
                           "Traceback of TorchScript, serialized code (most recent call last):\n"
                           "  File \"code/__torch__.py\", line 9, in forward\n"
                           "    ops.prim.RaiseException(_0)\n"
                           "    ~~~~~~~~~~ <--- HERE\n"
                           "RuntimeError: mat1 and mat2 shapes cannot be multiplied\n"),
            "mat1 and mat2 shapes cannot be multiplied");
}

TEST(UsefulMessage, CutsTheBacktrace) {
  EXPECT_EQ(useful_message("something is wrong\nException raised from f at x.cpp:3\nframe #0"),
            "something is wrong");
}

TEST(UsefulMessage, CutsWhatTheAllocatorAndTheReaderPutAround) {
  EXPECT_EQ(useful_message("[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: "
                           "can't allocate memory: you tried to allocate 5 bytes."),
            "DefaultCPUAllocator: can't allocate memory: you tried to allocate 5 bytes.");
  EXPECT_EQ(useful_message("PytorchStreamReader failed: not a ZIP archive. This is an internal "
                           "miniz error. If you are seeing this error, ..."),
            "PytorchStreamReader failed: not a ZIP archive");
}

TEST(UsefulMessage, JoinsAnAnnouncementWithWhatFollows) {
  EXPECT_EQ(useful_message("Expected:\n  a tensor\n  of rank 2"), "Expected: a tensor");
}

TEST(Guarded, KnowsEveryFaceOfExhaustedMemory) {
  const auto host = run([] { at::empty({int64_t{1} << 50}); });
  const auto device = run([] { TORCH_CHECK_WITH(OutOfMemoryError, false, "CUDA out of memory."); });
  const auto wrapped =
      run([] { throw std::runtime_error("x: DefaultCPUAllocator: can't allocate memory"); });
  for (const auto& result : {host, device, wrapped}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, base::ErrorKind::out_of_memory) << result.error().what;
  }
}

TEST(Guarded, AdvisesOnTheDevicesMemoryWhereThatIsOut) {
  const auto allocator =
      run([] { TORCH_CHECK_WITH(OutOfMemoryError, false, "simulated device out of memory"); });
  const auto call = run([] { TORCH_CHECK(false, "HIP error: out of memory"); });
  const auto wrapped = run([] {
    throw std::runtime_error(
        "The following operation failed in the TorchScript interpreter.\n"
        "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB.");
  });
  const auto level_zero =
      run([] { throw std::runtime_error("returns: 39 (UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)"); });
  for (const auto& result : {allocator, call, wrapped, level_zero}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, base::ErrorKind::out_of_memory) << result.error().what;
    EXPECT_THAT(result.error().fix, testing::HasSubstr("--checkpointing on"));
    EXPECT_THAT(result.error().fix, testing::HasSubstr("nvidia-smi"));
    EXPECT_THAT(result.error().fix, testing::Not(testing::HasSubstr("--memory-limit")))
        << "that limit is the host's";
  }
}

TEST(Guarded, AdvisesOnTheHostsMemoryWhereThatIsOut) {
  const auto allocator = run([] { at::empty({int64_t{1} << 50}); });
  const auto other = run([] { throw std::runtime_error("out of memory"); });
  const auto elsewhere =
      run([] { throw std::runtime_error("the CUDA model is loaded\nout of memory"); });
  for (const auto& result : {allocator, other, elsewhere}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, base::ErrorKind::out_of_memory);
    EXPECT_THAT(result.error().fix, testing::HasSubstr("--memory-limit")) << result.error().what;
  }
}

TEST(Guarded, TakesTheMessageOfLibTorchsOwnExceptions) {
  const auto result = run([] { at::zeros({2, 3}).matmul(at::zeros({2, 3})); });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::failed);
  EXPECT_EQ(result.error().fix, "the fix");
  EXPECT_THAT(result.error().what, testing::HasSubstr("cannot be multiplied"));
  EXPECT_EQ(run([] { throw std::runtime_error(""); }).error().what, "LibTorch gave no reason");
}

TEST(Guarded, AdvisesOnModelsThatMakeTensorsOnAnotherDevice) {
  const auto result =
      run([] { TORCH_CHECK(false, "Expected all tensors to be on the same device, but found"); });
  EXPECT_THAT(result.error().fix, testing::HasSubstr("without device constants"));
}

}  // namespace
}  // namespace batchscope::torch_plugin

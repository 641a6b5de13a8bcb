#include "batchscope/base/memory_words.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "batchscope/base/strings.hpp"
#include "errors/memory_table.hpp"

namespace batchscope::base {
namespace {

MemoryLack lack_of(std::string_view message) {
  return read_memory_words(message).lack;
}

// A row's words with its gaps filled, as a library prints them.
std::string printed(const MemoryRow& row) {
  std::string words(row.words);
  for (size_t at = words.find_first_of("?*"); at != words.npos; at = words.find_first_of("?*", at))
    words.replace(at, 1, "1234567");
  return words;
}

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string with_line_breaks(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '\n');
  return text;
}

std::vector<std::string> as_libraries_print(const std::string& words) {
  const std::string file = "[E:runtime, /build/src/core/arena.cc:376 Alloc()] ";
  return {words,
          upper(words),
          capitalised(words),
          "RuntimeError: " + words + ".",
          file + words + " (code 2)",
          "'" + words + "'",
          "Non-zero status code returned while running MatMul node. Status Message: " + words,
          "the step went wrong\n" + words + "\nframe #0: c10::Error::Error(...)",
          with_line_breaks(words),
          words + "\n\nCompile with `USE_DSA=1` to see where. For debugging pass LAUNCH=1."};
}

TEST(MemoryWords, EveryRowIsReadHoweverItIsPrinted) {
  for (const MemoryRow& row : memory_table()) {
    for (const std::string& message : as_libraries_print(printed(row))) {
      const MemoryLack lack = lack_of(message);
      EXPECT_NE(lack, MemoryLack::none) << row.library << ": " << message;
      EXPECT_TRUE(is_certain(lack) || row.whose == WhoseMemory::perhaps) << message;
      EXPECT_TRUE(lack == MemoryLack::device || row.whose != WhoseMemory::device) << message;
    }
  }
}

TEST(MemoryWords, EveryRowSaysWhoseItIsAndWhereItIsFrom) {
  std::set<std::string_view> known;
  for (const MemoryRow& row : memory_table()) {
    EXPECT_FALSE(row.library.empty());
    EXPECT_FALSE(row.source.empty()) << row.words;
    EXPECT_EQ(to_lower(row.words), row.words);
    EXPECT_TRUE(known.insert(row.words).second) << row.words;
  }
}

// As they were printed, by whom and how.
const std::vector<std::pair<const char*, MemoryLack>> kLacks{
    {"CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of "
     "which 1.2 GiB is free. If reserved but unallocated memory is large try setting "
     "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.",
     MemoryLack::device},
    {"CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported",
     MemoryLack::device},
    {"CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
     MemoryLack::device},
    {"CUBLAS failure 3: the resource allocation failed ; GPU=0", MemoryLack::device},
    {"cuDNN error: CUDNN_STATUS_ALLOC_FAILED", MemoryLack::device},
    {"cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED", MemoryLack::device},
    {"cuFFT error: CUFFT_ALLOC_FAILED", MemoryLack::device},
    {"NCCL WARN Cuda failure 2 'out of memory'", MemoryLack::device},
    {"ncclUnhandledCudaError: Call to CUDA function failed.\nLast error:\nFailed to CUDA calloc "
     "async 608 bytes",
     MemoryLack::device},
    {"HIP out of memory. Tried to allocate 20.00 MiB.", MemoryLack::device},
    {"miopenStatusAllocFailed", MemoryLack::device},
    {"level_zero backend failed with error: 39 (UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)",
     MemoryLack::device},
    {"UR error: UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY", MemoryLack::device},
    {"Native API failed. Native API returns: -5 (PI_ERROR_OUT_OF_RESOURCES)", MemoryLack::device},
    {"ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY", MemoryLack::host},
    {"[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Non-zero status code returned while running "
     "MatMul node. Status Message: /onnxruntime_src/onnxruntime/core/framework/bfc_arena.cc:376 "
     "void* onnxruntime::BFCArena::AllocateRawInternal(size_t, bool) Failed to allocate memory "
     "for requested buffer of size 268435456",
     MemoryLack::host},
    {"BFCArena::AllocateRawInternal Available memory of 34699008 is smaller than requested bytes "
     "of 945041920",
     MemoryLack::host},
    {"[executionContext.cpp::initialize::625] Error Code 2: OutOfMemory (Requested size was "
     "20132809216 bytes.)",
     MemoryLack::device},
    {"Requested amount of GPU memory (3887181312 bytes) could not be allocated. There may not be "
     "enough free memory for allocation to succeed.",
     MemoryLack::device},
    {"[GPU] Exceeded max size of memory object allocation: requested 25600122880 bytes, but max "
     "alloc size supported by device is 4294959104 bytes.",
     MemoryLack::device},
    {"[GPU] clEnqueueNDRangeKernel, error code: -5 CL_OUT_OF_RESOURCES", MemoryLack::device},
    {"[GPU] out of GPU resources", MemoryLack::device},
    {"RESOURCE_EXHAUSTED: Out of memory while trying to allocate 7406166528 bytes.",
     MemoryLack::device},
    {"XlaRuntimeError: RESOURCE_EXHAUSTED: Error loading program 'jit_step': Attempting to "
     "reserve 29.49G at the bottom of memory. That was not possible. There are 147.64M free",
     MemoryLack::device},
    {"RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate 50.00M. That "
     "was not possible. There are 27.86M free.; (0x0x0_HBM0)",
     MemoryLack::device},
    {"RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space "
     "hbm. Used 35.83G of 31.25G hbm. Exceeded hbm capacity by 4.59G.",
     MemoryLack::device},
    {"RESOURCE_EXHAUSTED: Failed to allocate request for 2.0GiB (2147483648B) on device ordinal "
     "0",
     MemoryLack::device},
    {"OOM when allocating tensor with shape[64,1024,1024] and type float on "
     "/job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc",
     MemoryLack::device},
    {"OOM when allocating tensor with shape[64,1024,1024] and type float", MemoryLack::host},
    {"failed to allocate 5.00G (5368709120 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY",
     MemoryLack::device},
    {"MPS backend out of memory (MPS allocated: 17.81 GB, other allocations: 384 KB, max "
     "allowed: 18.13 GB).",
     MemoryLack::device},
    {"[METAL] Command buffer execution failed: Insufficient Memory "
     "(00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)",
     MemoryLack::device},
    {"[metal::malloc] Attempting to allocate 21474836480 bytes which is greater than the maximum "
     "allowed buffer size of 17179869184 bytes.",
     MemoryLack::device},
    {"cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 8,000,000,000 bytes (allocated "
     "so far: 0 bytes).",
     MemoryLack::device},
    {"std::bad_alloc: out_of_memory: CUDA error at: /rmm/mr/cuda.hpp:70: "
     "cudaErrorMemoryAllocation out of memory",
     MemoryLack::device},
    {"ValueError: No available memory for the cache blocks. Try increasing "
     "`gpu_memory_utilization` when initializing the engine.",
     MemoryLack::device},
    {"ValueError: To serve at least one request with the models's max seq len (131072), (4.00 "
     "GiB KV cache is needed, which is larger than the available KV cache memory (0.65 GiB).",
     MemoryLack::device},
    {"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1024.00 MiB on device 0: cudaMalloc "
     "failed: out of memory",
     MemoryLack::device},
    {"llama_kv_cache_init: failed to allocate buffer for kv cache", MemoryLack::host},
    {"ggml_gallocr_reserve_n_impl: failed to allocate CUDA0 buffer of size 1383203328",
     MemoryLack::device},
    {"ggml_vulkan: Device memory allocation of size 1048898304 failed.", MemoryLack::device},
    {"MemoryError", MemoryLack::host},
    {"_ArrayMemoryError: Unable to allocate 273. GiB for an array with shape (101, 363246735) "
     "and data type int64",
     MemoryLack::host},
    {"numpy: Unable to allocate 2.00 MiB for an array with shape (261820,)", MemoryLack::host},
    {"std::bad_alloc", MemoryLack::host},
    {"bad allocation", MemoryLack::host},
    {"[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: "
     "you tried to allocate 4503599627370496 bytes. Error code 12 (Cannot allocate memory)",
     MemoryLack::host},
    {"DefaultCPUAllocator: not enough memory: you tried to allocate 23592960 bytes.",
     MemoryLack::host},
    {"OSError: [Errno 12] Cannot allocate memory", MemoryLack::host},
    {"mmap: Cannot allocate memory", MemoryLack::host},
    {"bash: fork: Cannot allocate memory", MemoryLack::host},
    {"mkl_malloc: failed to allocate memory", MemoryLack::host},
    {"dnnl_out_of_memory", MemoryLack::host},
    {"memory allocation of 34359738368 bytes failed", MemoryLack::host},
    {"OpenBLAS error: Memory allocation still failed after 10 retries, giving up.",
     MemoryLack::host},
    {"Memory cgroup out of memory: Killed process 4711 (python) total-vm:8123456kB",
     MemoryLack::host},
    {"slurmstepd: error: Detected 1 oom_kill event in StepId=17020.18. Some of the step tasks "
     "have been OOM Killed.",
     MemoryLack::host},
    {"[Rank:0] FATAL ERROR :: MODULE:PT_DEVMEM Allocation failed for size::939524096 (896)MB",
     MemoryLack::device},
    {"NPU out of memory. Tried to allocate 2.00 GiB", MemoryLack::device},
    {"The following operation failed in the TorchScript interpreter.\nTraceback of TorchScript:\n"
     "  File \"net.py\", line 3, in forward\n    return self.memory_alloc(x)\n"
     "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB.",
     MemoryLack::device},
    {"the CUDA model is loaded\nout of memory", MemoryLack::host},
    {"Operation could not complete: CUDA error: out of memory", MemoryLack::device},
};

TEST(MemoryWords, WhatLibrariesPrintIsLackOfMemory) {
  for (const auto& [message, lack] : kLacks) EXPECT_EQ(lack_of(message), lack) << message;
}

TEST(MemoryWords, WhatOnlyADeviceSaysIsItsMemory) {
  for (const char* const message :
       {"RESOURCE_EXHAUSTED: Out of memory while trying to allocate 17179869184 bytes.",
        "[TRT] [E] 2: [virtualMemoryBuffer.cpp::resizePhysical::127] Error Code 2: OutOfMemory",
        "cuMemAlloc failed: out of memory",
        "pycuda._driver.MemoryError: cuMemAlloc failed: out of memory",
        "parallel_for failed: out of memory",
        "parallel_for failed: cudaErrorMemoryAllocation: out of memory"}) {
    EXPECT_EQ(lack_of(message), MemoryLack::device) << message;
  }
}

const std::vector<const char*> kPerhaps{
    "NewRT: status 77, memory alloc rejected",
    "XRT_STATUS_MEMORY_ALLOC_ERROR",
    "the pool of device memory is full: allocation of 16 pages refused",
    "the memory could not be allocated",
    "kMemoryAllocFailure",
    "CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`",
    "Failed copying input tensor from CPU:0 to GPU:0 in order to run Equal: Dst tensor is not "
    "initialized.",
    "could not create a memory object",
    "CUBLAS_STATUS_NOT_INITIALIZED",
    "cuDNN error: CUDNN_STATUS_NOT_INITIALIZED",
    "Unable to find a valid cuDNN algorithm to run convolution",
    "DataLoader worker (pid 4711) is killed by signal: Killed.",
    "It is possible that dataloader's workers are out of shared memory.",
    "This could be caused by a segmentation fault while calling the function or by an excessive "
    "memory usage causing the Operating System to kill the worker.",
    "the request may run out of memory",
    "this is possibly out of memory",
    "level_zero backend failed with error: 40 (UR_RESULT_ERROR_OUT_OF_RESOURCES)",
};

TEST(MemoryWords, WhatFitsOtherFailuresTooIsPerhapsMemory) {
  for (const char* const message : kPerhaps)
    EXPECT_EQ(lack_of(message), MemoryLack::perhaps) << message;
}

const std::vector<const char*> kNone{
    "",
    "cuDNN error: CUDNN_STATUS_NOT_SUPPORTED. This error may appear if you passed in a "
    "non-contiguous input.",
    "cuDNN error: CUDNN_STATUS_EXECUTION_FAILED",
    "cuDNN error: CUDNN_STATUS_BAD_PARAM",
    "CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm`",
    "CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling cublasGemmEx",
    "CUDA error: CUBLAS_STATUS_NOT_SUPPORTED when calling `cublasLtMatmul`",
    "CUDA error: an illegal memory access was encountered",
    "CUDA error: an illegal memory access was encountered\nallocated at 0x7f",
    "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)",
    "CUDA error: misaligned address",
    "CUDA error: device-side assert triggered",
    "CUDA error: no kernel image is available for execution on the device",
    "CUDA error: too many resources requested for launch",
    "CUDA error: invalid device ordinal",
    "CUDA error: unspecified launch failure",
    "CUDA driver version is insufficient for CUDA runtime version",
    "Memory access fault by GPU node-1 on address 0x7f0000000000. Reason: Page not present.",
    "unsupported memory format option Preserve",
    "unsupported memory format: the allocator gives channels_last",
    "cannot allocate a tensor in memory format channels_last_3d",
    "cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned memory",
    "failed to allocate pinned memory: cudaHostAlloc is not supported here",
    "out of resource: shared memory, Required: 147456, Hardware limit: 101376. Reducing block "
    "sizes or `num_stages` may help.",
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to "
    "a single memory location.",
    "AttributeError: module 'torch.mps' has no attribute 'max_memory_allocated'",
    "AttributeError: 'BatchSampler' object has no attribute 'out_of_memory'",
    "TypeError: allocate_memory() got an unexpected keyword argument 'pool'",
    "KeyError: 'out_of_memory'",
    "FileNotFoundError: [Errno 2] No such file or directory: 'out of memory.txt'",
    "NameError: name 'OutOfMemoryError' is not defined",
    "ImportError: cannot import name 'OutOfMemoryError' from 'torch'",
    "ModuleNotFoundError: No module named 'memory_allocator'",
    "NotImplementedError: the memory allocator has no such mode",
    "torch.cuda.max_memory_allocated() is of another device",
    "cannot open /data/out_of_memory/model.onnx",
    "https://docs.example.org/errors/out-of-memory tells more",
    "the file ../runs/bad_alloc.json has no field",
    "RESOURCE_EXHAUSTED: Received message larger than max (210771146 vs. 104857600)",
    "RESOURCE_EXHAUSTED: Quota exceeded for requests per minute",
    "mat1 and mat2 shapes cannot be multiplied (4x8 and 7x3)",
    "The size of tensor a (4) must match the size of tensor b (5)",
    "expected scalar type Half but found Float",
    "Expected all tensors to be on the same device, but found at least two devices",
    "shape '[4, -1]' is invalid for input of size 7",
    "index 7 is out of bounds for dimension 0 with size 4",
    "memory access out of bounds",
    "double free or corruption (!prev)",
    "free(): invalid pointer",
    "pointer being freed was not allocated",
    "memory leak: 3 blocks were allocated and never freed",
    "Segmentation fault (core dumped)",
    "Bus error",
    "No space left on device",
    "[Errno 28] No space left on device",
    "Too many open files",
    "Resource temporarily unavailable",
    "NCCL error: unhandled system error, NCCL version 2.18.1",
    "Watchdog caught collective operation timeout",
    "Tensor was allocated in GPU memory",
    "the buffer was allocated by another memory pool",
    "OpenBLAS : Program will terminate because you tried to allocate too many memory regions.",
    "Set the option to avoid running out of memory",
    "set PYTORCH_CUDA_ALLOC_CONF to avoid CUDA out of memory",
    "this prevents out-of-memory errors in the next step",
    "the sampler runs without running out of memory",
    "the failure is not out of memory",
    "this is not an out of memory error",
    "failed to deallocate memory of the stream",
    "invalid memory type for the allocation",
    "the memory map of the allocator cannot be read",
    "failed to open /dev/mem: allocation table is damaged",
    "Loss is NaN",
    "Failed to allocate port 8080",
    "could not allocate a GPU for the job",
    "unable to allocate resources: Requested node configuration is not available",
    "bad allocator name 'native'",
    "memory_format=torch.channels_last is only for tensors of rank 4",
    "Input shape [64,3,224,224] exceeds the profile's maximum [32,3,224,224]",
    "could not find any implementation for node Conv_0",
    "could not create a primitive descriptor for the matmul primitive",
    "INVALID_ARGUMENT: Invalid rank for input: input Got: 3 Expected: 4",
    "failed to find a memory slot for batch of size 512",
    "could not find a KV slot for the batch of size 512",
    "  File \"out_of_memory.py\", line 3, in allocate\n    raise bad_alloc\nValueError: 7",
    "the worker ended with exit code 1 before it answered",
};

TEST(MemoryWords, WhatIsNoLackOfMemoryIsNone) {
  EXPECT_GE(kNone.size(), 60u);
  for (const char* const message : kNone) EXPECT_EQ(lack_of(message), MemoryLack::none) << message;
}

TEST(MemoryWords, ALibrarysOwnWordsAreReported) {
  EXPECT_EQ(read_memory_words("cuFFT error: CUFFT_ALLOC_FAILED").library, "cuFFT");
  EXPECT_EQ(read_memory_words("NewRT: memory alloc rejected").library, "");
}

TEST(JudgeMemory, MakesAnErrorOutOfMemory) {
  const Error error{ErrorKind::failed, "CUFFT_ALLOC_FAILED", "where", "fix"};
  const Error judged = judge_memory(error);
  EXPECT_EQ(judged.kind, ErrorKind::out_of_memory);
  EXPECT_EQ(judged.what, error.what);
  EXPECT_EQ(judge_memory({ErrorKind::failed, "a part", "", ""}, "std::bad_alloc").kind,
            ErrorKind::out_of_memory);
}

TEST(JudgeMemory, SaysOnceWhatItIsNotSureOf) {
  const Error judged = judge_memory({ErrorKind::input, "NewRT: memory alloc rejected", "", ""});
  EXPECT_EQ(judged.kind, ErrorKind::input);
  EXPECT_TRUE(is_perhaps_memory(judged.what));
  EXPECT_EQ(judge_memory(judged).what, judged.what);
}

TEST(JudgeMemory, LeavesOthersAsTheyAre) {
  EXPECT_EQ(judge_memory({ErrorKind::usage, "out of memory", "", ""}).kind, ErrorKind::usage);
  const Error other = judge_memory({ErrorKind::failed, "no such layer", "", ""});
  EXPECT_EQ(other.kind, ErrorKind::failed);
  EXPECT_EQ(other.what, "no such layer");
}

}  // namespace
}  // namespace batchscope::base

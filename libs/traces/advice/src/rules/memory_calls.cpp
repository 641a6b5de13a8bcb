#include "memory_calls.hpp"

#include <algorithm>
#include <array>

namespace batchscope::advice {
namespace {

constexpr std::array<std::string_view, 10> kGet{
    "cudaMalloc",    "cudaHostAlloc", "cudaMallocHost", "cuMemCreate",           "cuMemMap",
    "cuMemAlloc_v2", "hipMalloc",     "hipHostMalloc",  "hipExtMallocWithFlags", "hipMemMap"};
constexpr std::array<std::string_view, 8> kReturn{"cudaFree",    "cuMemFree_v2", "cuMemUnmap",
                                                  "hipFree",     "hipMemUnmap",  "cudaFreeHost",
                                                  "hipHostFree", "cuMemRelease"};
// What was pinned on the host gives nothing of the device back.
constexpr std::array<std::string_view, 5> kOfDevice{"cudaFree", "cuMemFree_v2", "cuMemUnmap",
                                                    "hipFree", "hipMemUnmap"};

template <size_t N>
bool is_in(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool gets_or_returns_memory(std::string_view call) {
  return is_in(kGet, call) || is_in(kReturn, call);
}

bool returns_memory(std::string_view call) {
  return is_in(kOfDevice, call);
}

}  // namespace batchscope::advice

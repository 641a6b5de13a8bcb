#include "values.hpp"

#include <ATen/Parallel.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace batchscope::torch_plugin {
namespace {

constexpr int64_t kBlockLength = 65521;  // the largest prime below 2^16
constexpr int64_t kGrain = 1 << 18;      // elements; below it a thread costs more than it saves

uint64_t mix(uint64_t x) {  // SplitMix64 (Steele, Lea, Flood 2014)
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

// Asks for the pages of [from, to) in one call instead of a fault for each, which halves the time
// that 265 MB take. What it cannot do (an older kernel) the faults do: the outcome is the same.
void populate(char* from, char* to) {
#ifdef MADV_POPULATE_WRITE
  constexpr uintptr_t kPage = 4096;
  const auto begin = (reinterpret_cast<uintptr_t>(from) + kPage - 1) / kPage * kPage;
  const auto end = reinterpret_cast<uintptr_t>(to) / kPage * kPage;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE);
#endif
}

// Copies elements [begin, end) of the endless repetition of `block`.
void copy_tiles(char* to, const char* block, int64_t begin, int64_t end, int64_t element_size,
                int64_t offset) {
  while (begin < end) {
    const int64_t at = (begin + offset) % kBlockLength;
    const int64_t count = std::min(end - begin, kBlockLength - at);
    std::memcpy(to + begin * element_size, block + at * element_size,
                static_cast<size_t>(count * element_size));
    begin += count;
  }
}

}  // namespace

std::vector<float> standard_values(uint64_t seed, int64_t count) {
  // Of four uniform integers in [0, 65535]: mean 4 * 32767.5, variance 4 * (65536^2 - 1) / 12.
  const double mean = 131070.0;
  const double deviation = std::sqrt((65536.0 * 65536.0 - 1) / 3.0);
  std::vector<float> values(static_cast<size_t>(count));
  uint64_t counter = mix(seed);
  for (float& value : values) {
    const uint64_t bits = mix(counter++);
    const uint64_t sum =
        (bits & 0xffff) + ((bits >> 16) & 0xffff) + ((bits >> 32) & 0xffff) + (bits >> 48);
    value = static_cast<float>((static_cast<double>(sum) - mean) / deviation);
  }
  return values;
}

ValueTiles::ValueTiles(uint64_t seed) : seed_(seed) {
  auto values = standard_values(seed, kBlockLength);
  standard_ = at::from_blob(values.data(), {kBlockLength}, at::kFloat).clone();
}

const at::Tensor& ValueTiles::block(Values values, at::ScalarType dtype) {
  auto& block = blocks_[{dtype, {values.mean, values.deviation}}];
  if (!block.defined()) block = (standard_ * values.deviation + values.mean).to(dtype);
  return block;
}

void ValueTiles::fill(const at::Tensor& tensor, Values values, uint64_t stream) {
  const at::Tensor& tile = block(values, tensor.scalar_type());
  const auto offset = static_cast<int64_t>(mix(seed_ ^ mix(stream)) % kBlockLength);
  auto* to = static_cast<char*>(tensor.mutable_data_ptr());
  const auto* from = static_cast<const char*>(tile.const_data_ptr());
  const auto size = static_cast<int64_t>(tensor.element_size());
  at::parallel_for(0, tensor.numel(), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; at += kGrain) {
      const int64_t stop = std::min(end, at + kGrain);
      populate(to + at * size, to + stop * size);
      copy_tiles(to, from, at, stop, size, offset);
    }
  });
}

}  // namespace batchscope::torch_plugin

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/attribution/spans.hpp"
#include "host_facts.hpp"
#include "vendor.hpp"

namespace batchscope::advice {

enum class CopyKind : uint8_t { pageable, on_device, between_devices, other };
inline constexpr size_t kCopyKinds = 4;

struct Copies {
  attribution::Spans spans;  // when they run
  int64_t bytes = 0;
  int64_t to_host_bytes = 0;
};

// What the kernels of one device are like.
struct KernelFacts {
  int64_t kernels = 0;
  int64_t total_ns = 0;           // their durations, without those that communicate
  double median_us = 0;           // of a duration
  int64_t small_ns = 0;           // in launches that cannot fill the device
  int64_t known_ns = 0;           // in launches of known shape
  int64_t full_precision_ns = 0;  // of products and convolutions in fp32, without TF32
  int64_t tf32_ns = 0;
  bool types_are_known = false;  // from the operators that launched them
  std::array<Copies, kCopyKinds> copies;
  int64_t memsets = 0;
};

// What the rules look at.
struct TraceFacts {
  const trace::Trace& trace;
  const attribution::Attribution& attribution;
  const std::vector<attribution::Total>& totals;
  const std::vector<attribution::DeviceMemory>& memory;
  const VendorWords& words;
  HostFacts host;
  std::vector<KernelFacts> kernels;  // by device of the attribution
};

// What a name says of the numbers that are multiplied.
enum class Precision { other, full, tf32 };
struct NamePrecision {
  bool is_product_operator = false;
  bool has_float_inputs = false;  // of a list of types
  Precision kernel = Precision::other;
  bool is_16_bit = false;  // of a kernel
};
std::vector<NamePrecision> precisions_of(const std::vector<std::string>& names);

// `operator_of_row` as of attribution::launching_operators(), `names` of the trace's names.
KernelFacts kernel_facts(const trace::Trace& trace, int64_t device,
                         const std::vector<uint32_t>& operator_of_row,
                         const std::vector<NamePrecision>& names);

}  // namespace batchscope::advice

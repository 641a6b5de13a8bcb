#include <algorithm>
#include <array>

#include "batchscope/base/capped_sum.hpp"
#include "batchscope/base/strings.hpp"
#include "trace_facts.hpp"

namespace batchscope::advice {
namespace {

using base::contains_any_text;
using trace::ActivityKind;

constexpr std::array<std::string_view, 10> kProducts{
    "aten::mm",     "aten::addmm", "aten::bmm",  "aten::baddbmm", "aten::matmul",
    "aten::linear", "convolution", "aten::conv", "attention",     "ConvolutionBackward"};

// How kernels in fp32 are called, with and without TF32's units. Those of AMD's Tensile
// ("Cijk_Ailk_Bljk_SB_MT...") name the types: S of 32 bits, H and B of 16.
constexpr std::array<std::string_view, 6> kFloatKernels{"sgemm",         "ffma",   "scudnn",
                                                        "f32f32_f32f32", "_SB_MT", "_S_B_"};
constexpr std::array<std::string_view, 4> kTf32Kernels{"tf32", "s1688", "tensorop_s", "nvjet_ss"};

constexpr std::array<std::string_view, 12> k16BitKernels{
    "bf16",    "f16f16",  "h16816",  "hgemm",   "nvjet_hs", "nvjet_ts",
    "_BBS_BH", "_HHS_BH", "_BSS_BH", "_HSS_BH", "_HB_MT",   "_BB_MT"};

// The first input decides: "["float", "float", ...]".
bool begins_with_float(std::string_view types) {
  const size_t quote = types.find('"');
  return quote != std::string_view::npos && types.substr(quote).starts_with("\"float\"");
}

NamePrecision precision_of(std::string_view name) {
  NamePrecision result;
  result.is_product_operator = contains_any_text(name, kProducts);
  result.has_float_inputs = name.starts_with('[') && begins_with_float(name);
  result.is_16_bit = contains_any_text(name, k16BitKernels);
  if (result.is_16_bit) return result;
  if (contains_any_text(name, kTf32Kernels)) {
    result.kernel = Precision::tf32;
  } else if (contains_any_text(name, kFloatKernels)) {
    result.kernel = Precision::full;
  }
  return result;
}

double median_us(std::vector<int64_t>& durations) {
  if (durations.empty()) return 0;
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::nth_element(durations.begin(), middle, durations.end());
  return static_cast<double>(*middle) / 1e3;
}

// A launch that leaves multiprocessors without a block, or most of their threads without work.
bool is_small(const trace::LaunchFacts& launch, int multiprocessors) {
  const int64_t available = launch.multiprocessors > 0 ? launch.multiprocessors : multiprocessors;
  if (launch.grid_blocks > 0 && available > 0 && launch.grid_blocks < available) return true;
  return launch.occupancy >= 0 && launch.occupancy < 0.25F;
}

bool shape_is_known(const trace::LaunchFacts& launch) {
  return launch.grid_blocks > 0 || launch.occupancy >= 0;
}

CopyKind kind_of(const trace::CopyFacts* copy) {
  if (copy == nullptr) return CopyKind::other;
  if (copy->direction == trace::CopyDirection::on_device) return CopyKind::on_device;
  if (copy->direction == trace::CopyDirection::between_devices) return CopyKind::between_devices;
  const bool is_pageable = copy->host_memory == trace::HostMemory::pageable;
  return is_pageable ? CopyKind::pageable : CopyKind::other;
}

void count(int64_t& sum, int64_t more) {
  sum = base::capped_sum(sum, more);
}

class KernelSums {
 public:
  KernelSums(const trace::Trace& trace, int64_t device,
             const std::vector<uint32_t>& operator_of_row, const std::vector<NamePrecision>& names)
      : trace_(trace), operators_(operator_of_row), names_(names) {
    const trace::DeviceInfo* const info = trace.device_info(device);
    if (info != nullptr) multiprocessors_ = info->multiprocessors;
  }

  void add(size_t row) {
    const auto& rows = trace_.activities;
    if (rows.kind[row] == ActivityKind::memcpy) return add_copy(row);
    facts_.memsets += rows.kind[row] == ActivityKind::memset ? 1 : 0;
    if (rows.kind[row] != ActivityKind::kernel) return;
    const trace::LaunchFacts* const launch = trace_.launch_of(row);
    if (launch != nullptr && launch->is_collective) return;
    const int64_t duration = rows.duration_ns[row];
    ++facts_.kernels;
    count(facts_.total_ns, duration);
    durations_.push_back(duration);
    if (launch != nullptr && shape_is_known(*launch)) {
      count(facts_.known_ns, duration);
      if (is_small(*launch, multiprocessors_)) count(facts_.small_ns, duration);
    }
    add_precision(row, duration);
  }

  KernelFacts take() {
    facts_.median_us = median_us(durations_);
    if (!facts_.types_are_known) {
      facts_.full_precision_ns = full_by_name_ns_;
      facts_.tf32_ns = tf32_by_name_ns_;
    }
    for (Copies& copies : facts_.copies) {
      copies.spans = attribution::united(std::move(copies.spans));
    }
    return std::move(facts_);
  }

 private:
  void add_copy(size_t row) {
    const trace::CopyFacts* const copy = trace_.copy_of(row);
    const auto& rows = trace_.activities;
    Copies& copies = facts_.copies[static_cast<size_t>(kind_of(copy))];
    copies.spans.push_back({rows.start_ns[row], rows.end_ns(row)});
    if (copy == nullptr) return;
    count(copies.bytes, copy->bytes);
    if (copy->direction == trace::CopyDirection::to_host) count(copies.to_host_bytes, copy->bytes);
  }

  // Types decide; names only say whether TF32's units are used, and all where no types are known.
  void add_precision(size_t row, int64_t duration) {
    const auto& rows = trace_.activities;
    const Precision by_name = names_[rows.name[row]].kernel;
    if (by_name == Precision::full) count(full_by_name_ns_, duration);
    if (by_name == Precision::tf32) count(tf32_by_name_ns_, duration);
    const uint32_t op = operators_[row];
    if (op == trace::kNone) return;
    facts_.types_are_known = true;
    // Under autocast operators take floats, and their kernels do not.
    const bool product = names_[rows.name[op]].is_product_operator;
    if (!product || names_[rows.name[row]].is_16_bit || !names_[rows.detail[op]].has_float_inputs)
      return;
    count(by_name == Precision::tf32 ? facts_.tf32_ns : facts_.full_precision_ns, duration);
  }

  const trace::Trace& trace_;
  const std::vector<uint32_t>& operators_;
  const std::vector<NamePrecision>& names_;
  std::vector<int64_t> durations_;
  int multiprocessors_ = 0;
  int64_t full_by_name_ns_ = 0;
  int64_t tf32_by_name_ns_ = 0;
  KernelFacts facts_;
};

}  // namespace

std::vector<NamePrecision> precisions_of(const std::vector<std::string>& names) {
  std::vector<NamePrecision> precisions;
  precisions.reserve(names.size());
  for (const std::string& name : names) precisions.push_back(precision_of(name));
  return precisions;
}

KernelFacts kernel_facts(const trace::Trace& trace, int64_t device,
                         const std::vector<uint32_t>& operator_of_row,
                         const std::vector<NamePrecision>& names) {
  KernelSums sums(trace, device, operator_of_row, names);
  for (size_t track = 0; track < trace.tracks.size(); ++track) {
    if (trace.tracks[track].device != device) continue;
    for (size_t row = trace.first_of_track[track]; row < trace.first_of_track[track + 1]; ++row) {
      sums.add(row);
    }
  }
  return sums.take();
}

}  // namespace batchscope::advice

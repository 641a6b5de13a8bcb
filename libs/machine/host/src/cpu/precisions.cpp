#include "batchscope/host/precisions.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "batchscope/schema/device_name.hpp"

namespace batchscope::host {
namespace {

using schema::Precision;

constexpr int kFirstWithBf16 = 8;  // compute capability: Ampere

// Whether a line of /proc/cpuinfo that lists features has one of this name.
bool lists(std::string_view cpuinfo, std::string_view feature) {
  for (std::size_t at = cpuinfo.find(feature); at != std::string_view::npos;
       at = cpuinfo.find(feature, at + 1)) {
    const char before = at == 0 ? ' ' : cpuinfo[at - 1];
    const std::size_t end = at + feature.size();
    const char after = end == cpuinfo.size() ? '\n' : cpuinfo[end];
    if (before == ' ' && (after == ' ' || after == '\n')) return true;
  }
  return false;
}

bool processor_has_bf16(const base::SystemRoot& root) {
  constexpr std::array<std::string_view, 3> kFeatures = {"avx512_bf16", "amx_bf16", "bf16"};
  const std::string cpuinfo = root.read("/proc/cpuinfo").value_or("");
  return std::any_of(kFeatures.begin(), kFeatures.end(),
                     [&](std::string_view feature) { return lists(cpuinfo, feature); });
}

std::optional<int> oldest_capability(const gpu::Gpus& gpus) {
  std::optional<int> oldest;
  for (int i = 0; i < gpus.count(); ++i) {
    const auto capability = gpus.read(i).compute_capability;
    if (!capability) return std::nullopt;
    oldest = std::min(oldest.value_or(*capability), *capability);
  }
  return oldest;
}

}  // namespace

std::vector<Precision> fast_precisions(const std::string& device, const base::SystemRoot& root,
                                       const gpu::Gpus& gpus) {
  if (schema::is_cpu(device)) {
    if (processor_has_bf16(root)) return {Precision::fp32, Precision::bf16};
    return {Precision::fp32};
  }
  if (!schema::is_cuda(device)) return {Precision::fp32};
  const auto capability = oldest_capability(gpus);
  if (!capability) return {Precision::fp32, Precision::bf16, Precision::fp16};
  return {Precision::fp32, *capability >= kFirstWithBf16 ? Precision::bf16 : Precision::fp16};
}

}  // namespace batchscope::host

#include "cause_rules.hpp"

#include <fmt/format.h>

#include <vector>

namespace batchscope::analyze {
namespace {

// Below these, page faults cannot cost what an analysis could tell from noise.
constexpr double kFewestFaults = 1000;
constexpr double kSmallestSystemShare = 0.01;

// Memory that is given back is zeroed and mapped page by page when it is taken again: both are
// charged as system time.
double heap_returned(const ConfigSignals& signals) {
  if (signals.minor_faults < kFewestFaults) return 0;
  const double share = signals.system_share();
  return share >= kSmallestSystemShare ? share : 0;
}

std::vector<CauseRule> make_rules() {
  return {{"cause.heap-returned",
           "the C library gives freed memory back to the kernel and takes it anew in every "
           "iteration",
           // Never map a block on its own, never trim, and grow the heap in large steps.
           {{"GLIBC_TUNABLES",
             "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=4294967296:"
             "glibc.malloc.top_pad=268435456"}},
           heap_returned}};
}

}  // namespace

std::span<const CauseRule> cause_rules() {
  static const std::vector<CauseRule> kRules = make_rules();
  return kRules;
}

std::string export_line(const std::map<std::string, std::string>& environment) {
  std::string text = "export";
  for (const auto& [name, value] : environment) text += fmt::format(" {}={}", name, value);
  return text;
}

}  // namespace batchscope::analyze

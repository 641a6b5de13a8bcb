// Uses one function of each library, so that a missing symbol or header shows when this is linked.
#include <cstdio>
#include <vector>

#include "batchscope/base/ranges.hpp"
#include "batchscope/schema/finding.hpp"
#include "batchscope/stats/descriptive.hpp"

int main() {
  const auto sizes = batchscope::base::parse_range("1-8*2");
  if (!sizes) return 1;
  if (batchscope::schema::to_string(batchscope::schema::Severity::high) != "high") return 1;
  if (batchscope::stats::median(std::vector<double>{3.0, 1.0, 2.0}) != 2.0) return 1;
  const char* separator = "";
  for (const auto size : *sizes) {
    std::printf("%s%lld", separator, static_cast<long long>(size));
    separator = " ";
  }
  std::printf("\n");
  return 0;
}

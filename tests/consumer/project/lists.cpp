// The lowest library alone.
#include "batchscope/base/lists.hpp"

#include <cstdio>

int main() {
  const auto sizes = batchscope::base::parse_integers("1-8*2");
  if (!sizes) return 1;
  for (const auto size : *sizes) std::printf("%lld ", static_cast<long long>(size));
  return 0;
}

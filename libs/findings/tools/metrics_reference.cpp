// Prints docs/reference/metrics.md from the table of metrics.
//
//   metrics_reference > docs/reference/metrics.md

#include <cstdio>

#include "batchscope/findings/metrics.hpp"

int main() {
  std::fputs(batchscope::findings::metrics_markdown().c_str(), stdout);
  return 0;
}

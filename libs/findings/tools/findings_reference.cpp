// Prints docs/reference/findings.md from the catalogue of findings.
//
//   findings_reference > docs/reference/findings.md

#include <cstdio>

#include "batchscope/findings/catalogue.hpp"

int main() {
  std::fputs(batchscope::findings::catalogue_markdown().c_str(), stdout);
  return 0;
}

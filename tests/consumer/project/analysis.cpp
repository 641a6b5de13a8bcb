// A library with others below it, whose private dependencies have to be linked as well.
#include <cstdio>
#include <vector>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/csv/import_csv.hpp"

int main() {
  const auto table =
      batchscope::csv::import_csv("batch,time_ms\n1,10\n2,25\n4,30\n", "table.csv", {});
  if (!table) return 1;
  const auto summary = batchscope::analyze::analyze(std::vector{*table});
  std::printf("%zu groups", summary.groups.size());
  return 0;
}

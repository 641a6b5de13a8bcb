#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/csv/import_csv.hpp"

// Whatever stands in a table: importing it ends in a value or an error; what was imported can be
// written, read back as many visits, and analysed.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace schema = batchscope::schema;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto run = batchscope::csv::import_csv(text, "fuzz", {});
  if (!run) return 0;
  std::string lines = schema::header_line(run->header) + "\n";
  int index = 0;
  for (const auto& config : run->configs) lines += schema::config_line(index++, config) + "\n";
  for (const auto& visit : run->visits) lines += schema::visit_line(visit) + "\n";
  const auto again = schema::parse_run_file(lines, "fuzz");
  if (!again || again->visits.size() != run->visits.size()) __builtin_trap();
  static_cast<void>(batchscope::analyze::analyze(std::span(&*again, 1)));
  return 0;
}

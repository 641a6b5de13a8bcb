#include "batchscope/schema/run_file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/report/json.hpp"

// Whatever stands in a run file: reading it ends in a value or an error, and what was read can be
// analysed.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto run = batchscope::schema::parse_run_file(text, "fuzz");
  if (run) {
    const auto summary = batchscope::analyze::analyze(std::span(&*run, 1));
    static_cast<void>(batchscope::report::to_json(summary));
  }
  return 0;
}

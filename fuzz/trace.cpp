#include <cstddef>
#include <cstdint>
#include <string_view>

#include "batchscope/trace/reader.hpp"
#include "check_trace.hpp"

// Whatever stands in a trace, packed or not: reading it ends in a trace or an error, on any number
// of threads in the same one.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace trace = batchscope::trace;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  trace::ReadOptions options;
  options.threads = 1;
  options.block_bytes = 256;
  options.most_bytes = 16 << 20;
  options.most_activities = 100'000;
  const auto read = trace::TraceReader(options).parse(text, "fuzz");
  if (read) check_trace(*read);
  return 0;
}

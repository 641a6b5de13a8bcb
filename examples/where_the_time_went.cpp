// Where the time of a device went in a trace, from a program of one's own: reading, attribution and
// rules one by one. where_the_time_went TRACE
#include <cstdio>
#include <string>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/attribution/attribution.hpp"
#include "batchscope/trace/reader.hpp"

int main(int count, char** arguments) {
  using namespace batchscope;
  if (count != 2) {
    std::fputs("usage: where_the_time_went TRACE\n", stderr);
    return 2;
  }
  const auto trace = trace::TraceReader().read(arguments[1]);
  if (!trace) {
    std::fprintf(stderr, "%s\n", to_string(trace.error()).c_str());
    return 3;
  }
  for (const attribution::DeviceTime& device : attribution::attribute(*trace).devices) {
    std::printf("device %lld:\n", static_cast<long long>(device.id));
    for (size_t i = 0; i < attribution::kParts; ++i) {
      const auto part = static_cast<attribution::Part>(i);
      std::printf("  %-16s %10.3f ms\n", std::string(to_string(part)).c_str(),
                  static_cast<double>(device.parts[part]) / 1e6);
    }
  }
  for (const findings::Finding& finding : advice::summarise(*trace).findings) {
    std::printf("%s: %s\n", std::string(to_string(finding.severity)).c_str(), finding.what.c_str());
  }
  return 0;
}

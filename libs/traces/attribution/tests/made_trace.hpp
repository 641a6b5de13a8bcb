#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/trace/trace.hpp"

namespace batchscope::attribution {

// A trace written by hand, in microseconds.
class MadeTrace {
 public:
  // Their numbers, for what follows.
  size_t thread(int64_t number, int64_t process = 1);
  size_t stream(int64_t device, int64_t number, int64_t process = 0);

  MadeTrace& op(size_t thread, const std::string& name, int64_t start, int64_t end);
  MadeTrace& range(size_t thread, const std::string& name, int64_t start, int64_t end);
  MadeTrace& python(size_t thread, const std::string& name, int64_t start, int64_t end);
  MadeTrace& call(size_t thread, const std::string& name, int64_t start, int64_t end,
                  int64_t correlation = -1);
  MadeTrace& kernel(size_t stream, int64_t start, int64_t end, int64_t correlation = -1,
                    const std::string& name = "gemm");
  MadeTrace& copy(size_t stream, trace::HostMemory memory, int64_t start, int64_t end,
                  int64_t correlation);

  // As readers make them: sorted.
  trace::Trace made() const;

 private:
  MadeTrace& add(size_t track, trace::ActivityKind kind, const std::string& name, int64_t start,
                 int64_t end, int64_t correlation = -1);

  struct Row {
    trace::Activity activity;
    std::string name;
    trace::HostMemory memory = trace::HostMemory::unknown;
  };
  std::vector<trace::Track> tracks_;
  std::vector<Row> rows_;
};

}  // namespace batchscope::attribution

#pragma once

#include <memory>

#include "batchscope/trace/trace.hpp"

namespace batchscope::attribution {

// What is looked up in a trace again and again, made once: what its names mean, and which call
// started what. The trace has to outlive it.
class TraceIndex {
 public:
  explicit TraceIndex(const trace::Trace& trace);
  TraceIndex(const TraceIndex&) = delete;
  TraceIndex& operator=(const TraceIndex&) = delete;
  ~TraceIndex();

  const trace::Trace& trace() const { return trace_; }
  struct Found;  // of this library
  const Found& found() const { return *found_; }

 private:
  const trace::Trace& trace_;
  std::unique_ptr<const Found> found_;
};

}  // namespace batchscope::attribution

#pragma once

#include <gmock/gmock.h>

#include <string_view>

#include "batchscope/trace/reader.hpp"

namespace batchscope::trace {

// What the text holds; the test fails where it cannot be read at all.
inline Trace read(std::string_view text, const ReadOptions& options = {}) {
  auto trace = TraceReader(options).parse(text, "test");
  EXPECT_TRUE(trace) << (trace ? "" : to_string(trace.error()));
  return trace ? std::move(*trace) : Trace{};
}

}  // namespace batchscope::trace

#pragma once

#include <string_view>

#include "collector.hpp"
#include "event_array.hpp"

namespace batchscope::trace {

// How far a stretch of an array of events could be read where it is no JSON as it stands.
struct Recovered {
  // Where the array was closed: behind its bracket. kNotFound: it goes on.
  size_t closed_at = std::string_view::npos;
  // What was read; behind it stands an event that does not end here.
  size_t read_to = 0;
};

// Reads events one by one, mends what can be mended, and passes over the others: each is counted.
// `key` as of first_key(). `is_last`: no more text comes, so an event that does not end is lost.
Recovered recover_events(std::string_view text, std::string_view key, bool is_last,
                         EventArrayParser& parser, Collector& into);

}  // namespace batchscope::trace

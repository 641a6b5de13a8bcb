#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "block_reader.hpp"
#include "raw_event.hpp"

namespace batchscope::trace {

// Takes the events of an array one after another; what they hold lives as long as the array.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void event(const RawEvent& event) = 0;
  // An element of the array that is no event, or cannot be read.
  virtual void broken(std::string_view why) = 0;
};

struct ArrayOutcome {
  // It is JSON from its first character to where it was closed. Otherwise nothing of what the sink
  // got is to be used.
  bool is_valid = false;
  size_t closed_at = 0;  // behind the closing bracket
};

// Walks arrays of events; one a thread.
class EventArrayParser {
 public:
  EventArrayParser();
  EventArrayParser(const EventArrayParser&) = delete;
  EventArrayParser& operator=(const EventArrayParser&) = delete;
  ~EventArrayParser();

  // `bytes` are readable for BlockReader::kPadding behind `size`.
  ArrayOutcome parse(const char* bytes, size_t size, EventSink& sink);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace batchscope::trace

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "batchscope/trace/trace.hpp"
#include "block_reader.hpp"

namespace batchscope::trace {

// What stands beside the events: members of the outermost object, as JSON.
struct TopLevel {
  struct Member {
    std::string key;
    std::string value;
  };
  std::vector<Member> members;
  bool is_array = false;  // the file is a bare array of events
};

// That `source` is none, and what to give instead.
base::Error no_trace(std::string_view source, std::string what);
// Reads up to the first event; what comes behind the array's '[' is put back. Errors: input (it is
// no JSON that has events).
base::Result<TopLevel> read_head(BlockReader& reader, std::string_view source);
// What stands behind the array's ']'. Where it ends; kNotFound where the object is not closed.
size_t read_tail(std::string_view text, TopLevel& into);

// Sets what the members say: the rank, devices, the clock's base, the recorder.
// `recorder`: whose it is, if it is not Kineto's; may be empty.
void take_over(const TopLevel& members, bool is_kineto, std::string_view recorder, Trace& trace);

}  // namespace batchscope::trace

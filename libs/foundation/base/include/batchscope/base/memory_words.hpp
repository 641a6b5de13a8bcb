#pragma once

#include <string_view>

#include "batchscope/base/result.hpp"

// What a message of a library says of memory: one table for all who have to know whether memory
// was out (src/errors/memory_table.cpp).
namespace batchscope::base {

// perhaps: the words fit lack of memory and other failures. Tried once more with a smaller batch
// it may be clear.
enum class MemoryLack { none, perhaps, host, device };

struct MemoryWords {
  MemoryLack lack = MemoryLack::none;
  std::string_view library{};  // whose words they are; empty: of none that is known
};

inline bool is_certain(MemoryLack lack) {
  return lack == MemoryLack::host || lack == MemoryLack::device;
}

// Reads the message of an exception, or the text that a program printed: of many lines, in any
// case, with whatever was put around it.
MemoryWords read_memory_words(std::string_view message);

// What stands behind a message whose words are no proof.
inline constexpr std::string_view kPerhapsMemory = "(perhaps for lack of memory)";

// The error as memory_words say: of the kind out_of_memory, or with kPerhapsMemory behind its text.
// Errors of usage and of the user's interruption stay as they are. `words`: all that was said,
// where `error.what` is only a part of it.
Error judge_memory(Error error, std::string_view words);
Error judge_memory(Error error);

// A message that judge_memory() was not sure of.
bool is_perhaps_memory(std::string_view message);

}  // namespace batchscope::base

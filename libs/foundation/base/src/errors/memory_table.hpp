#pragma once

#include <span>
#include <string_view>

namespace batchscope::base {

// Whose memory the words mean. of_line: the device's where the line names one, else the host's.
enum class WhoseMemory { host, device, of_line, perhaps };

// What a library says where memory could not be had.
struct MemoryRow {
  std::string_view library;
  std::string_view
      words;  // in lower case; '?' stands for at most 32 characters of a sentence, '*' for 100
  WhoseMemory whose;
  std::string_view source;  // where the library has these words
};
std::span<const MemoryRow> memory_table();

// Words with "memory" in them that speak of something else than its lack.
std::span<const std::string_view> other_memory_words();

// Words before a phrase that take it back, or make it a guess: right before it, or near.
struct MemoryDoubt {
  enum Effect { denies_next, denies_near, doubts };
  std::string_view before;
  Effect effect;
};
std::span<const MemoryDoubt> memory_doubts();

}  // namespace batchscope::base

#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What the words of a column's name tell, where no table of names has it.
namespace batchscope::csv {

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& known) {
  return std::find(known.begin(), known.end(), word) != known.end();
}

// "Latency (us)" -> "latency_us": lower case, every run of other characters one underscore. Letters
// beyond ASCII stay: what is left out of a unit makes another unit of it.
std::string normalised(std::string_view name);

// Bytes of a unit of memory ("mib", "bytes"); nullopt: it is none.
std::optional<double> bytes_of_unit(std::string_view unit);

// A column of the memory that a batch took on its device.
struct MemoryName {
  std::optional<double> bytes_per_unit;  // absent: no unit is stated, or one that is not known
  std::string unit{};                    // the one that is not known
};
// "peak_memory_mb", "memory_gib", "max_memory_allocated" (of torch, in bytes). `name` is
// normalised; nullopt: of something else, such as the memory that there is.
std::optional<MemoryName> memory_in(std::string_view name);

// Whether a column of numbers was measured, rather than set: a time, a rate, memory, power, a use.
bool is_measured(std::string_view name);

// What numbers the repeats of a configuration, and sets nothing.
bool counts_repeats(std::string_view name);

}  // namespace batchscope::csv

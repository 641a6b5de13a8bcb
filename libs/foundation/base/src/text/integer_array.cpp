#include "batchscope/base/integer_array.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace batchscope::base {
namespace {

constexpr std::size_t kWord = 8;
constexpr uint64_t kEachByte = 0x0101010101010101;
constexpr std::array<int64_t, kWord + 1> kPowers = {
    1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};

// The next 8 bytes, the first the lowest, each less '0': digits are themselves.
uint64_t next_word(const char* at) {
  uint64_t word = 0;
  std::memcpy(&word, at, kWord);
  return word ^ (kEachByte * '0');
}

// How many of the lowest bytes are digits.
std::size_t count_digits(uint64_t word) {
  const uint64_t others = ((word + kEachByte * 0x76) | word) & (kEachByte * 0x80);
  return static_cast<std::size_t>(std::countr_zero(others)) / kWord;
}

// The number whose digits are the lowest `count` bytes, from 1 to 8. Neighbours are joined to
// numbers of 2, 4 and then 8 digits (D. Lemire, "Quickly parsing eight digits", 2018).
int64_t number_of(uint64_t word, std::size_t count) {
  word <<= kWord * (kWord - count);
  word = word * 10 + (word >> 8U);
  constexpr uint64_t kPairs = 0x000000FF000000FF;
  const uint64_t high = (word & kPairs) * (100 + (uint64_t{1'000'000} << 32U));
  const uint64_t low = ((word >> 16U) & kPairs) * (1 + (uint64_t{10'000} << 32U));
  return static_cast<int64_t>((high + low) >> 32U);
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  bool take(char c) {
    if (at_ == end_ || (*at_ != c && !is_behind_space(c))) return false;
    ++at_;
    return true;
  }

  bool take_integer(int64_t& value) {
    const bool is_negative = take('-');
    const char* const start = at_;
    value = 0;
    std::size_t count = take_digits(value);
    if (count == kWord) count = take_digits(value);
    if (is_negative) value = -value;
    const bool has_leading_zero = *start == '0' && at_ - start > 1;
    return at_ != start && count < kWord && !has_leading_zero;
  }

 private:
  bool is_behind_space(char c) {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
    return at_ != end_ && *at_ == c;
  }

  // Up to 8 of them, behind those in `value`; how many there were, and 8 also where the text ends.
  std::size_t take_digits(int64_t& value) {
    if (end_ - at_ < static_cast<std::ptrdiff_t>(kWord)) return kWord;
    const uint64_t word = next_word(at_);
    const std::size_t count = count_digits(word);
    if (count > 0) value = value * kPowers[count] + number_of(word, count);
    at_ += count;
    return count;
  }

  const char* at_;
  const char* end_;
};

}  // namespace

bool take_integers(std::string_view text, std::vector<int64_t>& values) {
  if constexpr (std::endian::native != std::endian::little) return false;
  values.clear();
  Scanner scanner(text);
  if (!scanner.take('[')) return false;
  if (scanner.take(']')) return true;
  do {
    int64_t value = 0;
    if (!scanner.take_integer(value)) return false;
    values.push_back(value);
  } while (scanner.take(','));
  return scanner.take(']');
}

}  // namespace batchscope::base

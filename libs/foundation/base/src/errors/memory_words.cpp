#include "batchscope/base/memory_words.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/strings.hpp"
#include "errors/memory_table.hpp"
#include "errors/message_text.hpp"

namespace batchscope::base {
namespace {

using std::string_view;

constexpr size_t kShortGap = 32, kLongGap = 100;
constexpr size_t kNearWords = 6;

bool is_of_name(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

struct Range {
  size_t begin = 0, end = 0;
};

// The end of `words` at `begin` of `text`, gaps included; nothing: they are not there.
std::optional<size_t> end_of(string_view text, size_t begin, string_view words) {
  const size_t gap = words.find_first_of("?*");
  const string_view first = words.substr(0, gap);
  if (text.substr(begin, first.size()) != first) return std::nullopt;
  const size_t end = begin + first.size();
  if (gap == words.npos) return end;
  const bool is_short = words[gap] == '?';
  const string_view rest = words.substr(gap + 1);
  for (size_t skipped = 0; skipped <= (is_short ? kShortGap : kLongGap); ++skipped) {
    if (const auto found = end_of(text, std::min(end + skipped, text.size()), rest)) return found;
    if (is_short && end_of_sentence(text, end + skipped)) break;
  }
  return std::nullopt;
}

std::optional<Range> find(string_view text, string_view words, size_t from) {
  const string_view first = words.substr(0, words.find_first_of("?*"));
  for (size_t at = text.find(first, from); at != text.npos; at = text.find(first, at + 1)) {
    const auto end = end_of(text, at, words);
    const bool within_name =
        end && is_of_name(words.back()) && *end < text.size() && is_of_name(text[*end]);
    if (end && !within_name) return Range{at, *end};
  }
  return std::nullopt;
}

// What of the sentence stands before a place, its last words alone.
string_view words_before(string_view text, size_t place) {
  size_t begin = place;
  for (size_t words = 0; begin > 0; --begin) {
    if (end_of_sentence(text, begin - 1)) break;
    if (text[begin - 1] == ' ' && begin < place && ++words > kNearWords) break;
  }
  return trim(text.substr(begin, place - begin));
}

bool has_words(string_view text, string_view words) {
  for (size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) {
    const size_t end = at + words.size();
    const bool begins = at == 0 || !is_of_name(text[at - 1]);
    const bool ends = end == text.size() || !is_of_name(text[end]);
    const bool taken_back = text.substr(end).starts_with(" not");
    if (begins && ends && !taken_back) return true;
  }
  return false;
}

bool ends_with_words(string_view text, string_view words) {
  if (!text.ends_with(words)) return false;
  return text.size() == words.size() || !is_of_name(text[text.size() - words.size() - 1]);
}

// How much weight a phrase has: the name of an error is taken as it is.
MemoryLack weighed(string_view text, const MemoryRow& row, const Range& at, MemoryLack lack) {
  if (row.words.find('_') != row.words.npos) return lack;
  const string_view before = words_before(text, at.begin);
  for (const MemoryDoubt& doubt : memory_doubts()) {
    const bool next = doubt.effect == MemoryDoubt::denies_next;
    const bool stated =
        next ? ends_with_words(before, doubt.before) : has_words(before, doubt.before);
    if (!stated) continue;
    return doubt.effect == MemoryDoubt::doubts ? MemoryLack::perhaps : MemoryLack::none;
  }
  return lack;
}

bool names_device(string_view line) {
  constexpr std::array kDevices = {
      string_view("cuda"), string_view("hip"), string_view("xpu"),    string_view("mtia"),
      string_view("mps"),  string_view("npu"), string_view("hpu"),    string_view("gpu"),
      string_view("tpu"),  string_view("hbm"), string_view("device"), string_view("vulkan"),
      string_view("metal")};
  return std::any_of(kDevices.begin(), kDevices.end(), [line](string_view device) {
    for (size_t at = line.find(device); at != line.npos; at = line.find(device, at + 1)) {
      if (at == 0 || !(line[at - 1] >= 'a' && line[at - 1] <= 'z')) return true;
    }
    return false;
  });
}

MemoryLack lack_of(const MemoryRow& row, const MessageText& text, const Range& at) {
  switch (row.whose) {
    case WhoseMemory::host:
      return MemoryLack::host;
    case WhoseMemory::device:
      return MemoryLack::device;
    case WhoseMemory::perhaps:
      return MemoryLack::perhaps;
    case WhoseMemory::of_line:
      break;
  }
  return names_device(text.line_of(at.begin)) ? MemoryLack::device : MemoryLack::host;
}

// A phrase with a gap may have taken in what speaks of something else.
bool speaks_of_other(string_view text, const MemoryRow& row, const Range& at) {
  if (row.words.find_first_of("?*") == row.words.npos) return false;
  const auto& other = other_memory_words();
  return std::any_of(other.begin(), other.end(), [&](string_view words) {
    const size_t found = text.find(words, at.begin);
    return found < at.end;
  });
}

MemoryWords read_row(const MessageText& text, const MemoryRow& row) {
  MemoryWords read;
  auto at = find(text.lower, row.words, 0);
  for (; at && !is_certain(read.lack); at = find(text.lower, row.words, at->end)) {
    if (speaks_of_other(text.lower, row, *at)) continue;
    const MemoryLack lack = weighed(text.lower, row, *at, lack_of(row, text, *at));
    if (lack != MemoryLack::none) read = {lack, row.library};
  }
  return read;
}

// "allocated" tells where something is, unless it could not be.
bool speaks_of_allocating(string_view name, string_view before) {
  if (name.find("alloc") == name.npos) return false;
  if (name.find("dealloc") != name.npos || name.find("unalloc") != name.npos) return false;
  return name != "allocated" || before == "be" || before == "get" || before == "not";
}

// Words that no row has. Names in a program are none: max_memory_allocated().
MemoryLack read_unknown(MessageText text) {
  for (const string_view words : other_memory_words()) text.blank(words);
  bool memory = false, allocating = false;
  std::string before;
  for (const Name& name : names_in(text)) {
    if (name.is_of_program) continue;
    memory = memory || name.lower.find("memory") != name.lower.npos;
    allocating = allocating || speaks_of_allocating(name.lower, before);
    before = name.lower;
  }
  return memory && allocating ? MemoryLack::perhaps : MemoryLack::none;
}

}  // namespace

MemoryWords read_memory_words(string_view message) {
  const MessageText text = message_text(message);
  MemoryWords read;
  for (const MemoryRow& row : memory_table()) {
    const MemoryWords by_row = read_row(text, row);
    if (by_row.lack == MemoryLack::none) continue;
    // A device's own words say more than a phrase that all have.
    const bool more = !is_certain(read.lack) && (is_certain(by_row.lack) || read.library.empty());
    if (more || by_row.lack == MemoryLack::device) read = by_row;
  }
  if (read.lack == MemoryLack::none) read.lack = read_unknown(text);
  return read;
}

Error judge_memory(Error error, string_view words) {
  if (error.kind != ErrorKind::failed && error.kind != ErrorKind::input) return error;
  const MemoryLack lack = read_memory_words(words).lack;
  if (is_certain(lack)) error.kind = ErrorKind::out_of_memory;
  if (lack == MemoryLack::perhaps && !is_perhaps_memory(error.what)) {
    error.what.append(" ").append(kPerhapsMemory);
  }
  return error;
}

Error judge_memory(Error error) {
  const std::string words = error.what;
  return judge_memory(std::move(error), words);
}

bool is_perhaps_memory(string_view message) {
  return message.find(kPerhapsMemory) != message.npos;
}

}  // namespace batchscope::base

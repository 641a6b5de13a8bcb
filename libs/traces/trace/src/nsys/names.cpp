#include "names.hpp"

#include <algorithm>

#include "batchscope/base/characters.hpp"

namespace batchscope::trace {
namespace {

constexpr size_t kMostBytes = 4096;  // of a name

std::string_view as_it_is(std::string_view text) {
  return text;
}

// Not in the middle of a character.
std::string_view cut(std::string_view text) {
  if (text.size() <= kMostBytes) return text;
  size_t size = kMostBytes;
  while (size > kMostBytes - 4 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size);
}

}  // namespace

Names::Names(SqliteFile& file, InternTable& into)
    : lookup_(file, kind_of(file, "StringIds") == TableKind::plain
                        ? "SELECT value FROM main.StringIds WHERE id = ?1"
                        : "SELECT NULL WHERE ?1 IS NULL"),
      names_(into) {}

bool Names::has(int64_t id) {
  if (known_.contains(id)) return true;
  lookup_.restart(id);
  return lookup_.step() && !lookup_.is_null(0);
}

uint32_t Names::number_of(int64_t id, std::string_view (*shown)(std::string_view),
                          Chunk& problems) {
  const auto known = known_.find(id);
  if (known != known_.end()) return known->second;
  uint32_t number = kNone;
  if (has(id)) {
    number = number_of_text(shown(lookup_.text(0)));
  } else {
    problems.problem("a name that StringIds does not have");
    number = number_of_text("string " + std::to_string(id));
  }
  known_.emplace(id, number);
  return number;
}

uint32_t Names::number_of(int64_t id, Chunk& problems) {
  return number_of(id, as_it_is, problems);
}

uint32_t Names::number_of_text(std::string_view text) {
  return names_.number_of(cut(text));
}

std::string_view without_version(std::string_view name) {
  // Those of the driver have versions of their own that are part of the name: cuMemAlloc_v2.
  constexpr size_t kFewestDigits = 4;
  const size_t last = name.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last == 0 || name.size() - last - 1 < kFewestDigits) {
    return name;
  }
  return name.substr(last - 1, 2) == "_v" ? name.substr(0, last - 1) : name;
}

std::string readable_name(std::string_view text) {
  if (!base::first_not_utf8(text)) return std::string(text);
  std::string readable;
  for (size_t at = 0; at < text.size();) {
    const size_t bytes = base::utf8_bytes_at(text, at);
    readable += bytes == 0 ? "?" : text.substr(at, bytes);
    at += std::max<size_t>(1, bytes);
  }
  return readable;
}

}  // namespace batchscope::trace

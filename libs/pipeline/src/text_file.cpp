#include "batchscope/pipeline/text_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "batchscope/base/file.hpp"

namespace batchscope::pipeline {
namespace {

using base::Error;
using base::ErrorKind;

// Of the character that begins here; 0 when it is not well formed (Unicode 15, table 3-7: no
// overlong forms, no surrogates, nothing above U+10FFFF).
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  unsigned low = 0x80, high = 0xBF;  // of the second byte
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  return length;
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = character_bytes(text.substr(at));
    if (bytes == 0) return at;
    at += bytes;
  }
  return std::string_view::npos;
}

base::Result<std::vector<std::string>> read_texts(const std::filesystem::path& path) {
  auto content = base::read_file(path);
  if (!content) return std::move(content).error();
  std::vector<std::string> texts;
  const std::string_view all = *content;
  for (std::size_t from = 0; from < all.size();) {
    const std::size_t end = std::min(all.find('\n', from), all.size());
    std::string_view line = all.substr(from, end - from);
    if (line.ends_with('\r')) line.remove_suffix(1);
    texts.emplace_back(line);
    from = end + 1;
    if (const std::size_t bad = find_invalid_utf8(line); bad != std::string_view::npos) {
      return Error{ErrorKind::input, fmt::format("byte {} of the line is not UTF-8", bad + 1),
                   fmt::format("{}:{}", path.string(), texts.size()),
                   "convert the file, e.g. with iconv -f latin1 -t utf-8"};
    }
  }
  if (texts.empty()) {
    return Error{ErrorKind::input, "the file has no texts", path.string(),
                 "give a file with one text a line"};
  }
  return texts;
}

}  // namespace batchscope::pipeline

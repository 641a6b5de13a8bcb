#include "text/line.hpp"

#include <algorithm>

#include "batchscope/base/characters.hpp"

namespace batchscope::monitor_report {
namespace {

std::string_view sequence_of(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return "";
    case Tone::strong:
      return "\x1b[1m";
    case Tone::faint:
      return "\x1b[2m";
    case Tone::good:
      return "\x1b[32m";
    case Tone::warning:
      return "\x1b[33m";
    case Tone::bad:
      return "\x1b[1;31m";
  }
  return "";
}

// As many whole characters of a clean text as fit into `width` columns.
std::string_view prefix_of(std::string_view text, std::size_t width) {
  std::size_t bytes = 0, used = 0;
  while (bytes < text.size()) {
    const std::size_t next = std::max<std::size_t>(base::utf8_bytes_at(text, bytes), 1);
    used += base::display_width(text.substr(bytes, next));
    if (used > width) break;
    bytes += next;
  }
  return text.substr(0, bytes);
}

}  // namespace

std::string shown(std::string_view text, const Look& look) {
  std::string safe = base::clean(text);
  return look.utf8 ? safe : base::to_ascii(safe);
}

std::string beginning(std::string_view text, std::size_t width, const Look& look) {
  if (base::display_width(text) <= width) return std::string(text);
  const std::string_view mark = look.utf8 ? "…" : "..";
  const std::size_t marked = look.utf8 ? 1 : 2;
  if (width <= marked) return std::string(prefix_of(text, width));
  std::string cut(prefix_of(text, width - marked));
  while (cut.ends_with(' ')) cut.pop_back();
  return cut.append(mark);
}

ScreenLine& ScreenLine::add(std::string_view text, Tone tone) {
  put(beginning(shown(text, look_), left(), look_), tone);
  return *this;
}

ScreenLine& ScreenLine::add_name(std::string_view name, std::size_t width, Tone tone) {
  std::string text = shown(name, look_);
  const std::size_t most = std::min(width, left());
  // The ellipsis in the middle is no ASCII.
  if (look_.utf8 && most >= 3) text = base::shorten(text, most);
  put(beginning(text, most, look_), tone);
  return *this;
}

ScreenLine& ScreenLine::pad_to(std::size_t column) {
  const std::size_t to = std::min(column, width_);
  if (to > used_) put(std::string(to - used_, ' '), Tone::plain);
  return *this;
}

void ScreenLine::put(const std::string& fitting, Tone tone) {
  if (fitting.empty()) return;
  const bool painted = look_.colour && tone != Tone::plain;
  if (painted) text_ += sequence_of(tone);
  text_ += fitting;
  if (painted) text_ += "\x1b[0m";
  used_ += base::display_width(fitting);
}

}  // namespace batchscope::monitor_report

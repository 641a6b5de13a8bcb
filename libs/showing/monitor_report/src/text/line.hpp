#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace batchscope::monitor_report {

enum class Tone { plain, strong, faint, good, warning, bad };

struct Look {
  bool colour = false;
  bool utf8 = true;
};

// A text that came from anywhere as it is safe to show: one line, no control characters.
std::string shown(std::string_view text, const Look& look);

// The beginning of a shown text that takes at most `width` columns; where it was longer, with an
// ellipsis.
std::string beginning(std::string_view text, std::size_t width, const Look& look);

// One line of a screen, put together from the left. Whatever is added, it stays in its width and
// steers no terminal.
class ScreenLine {
 public:
  ScreenLine(std::size_t width, const Look& look) : width_(width), look_(look) {}

  ScreenLine& add(std::string_view text, Tone tone = Tone::plain);
  // The middle of a long text left out: for names, which their ends tell apart.
  ScreenLine& add_name(std::string_view name, std::size_t width, Tone tone = Tone::plain);
  ScreenLine& pad_to(std::size_t column);

  std::size_t used() const { return used_; }
  std::size_t left() const { return width_ - used_; }
  const Look& look() const { return look_; }
  const std::string& text() const { return text_; }

 private:
  void put(const std::string& fitting, Tone tone);

  std::size_t width_;
  Look look_;
  std::size_t used_ = 0;
  std::string text_;
};

}  // namespace batchscope::monitor_report

#include <algorithm>
#include <string_view>

#include "batchscope/base/characters.hpp"
#include "batchscope/monitor_report/screen.hpp"

namespace batchscope::monitor_report {
namespace {

// Control sequences of ECMA-48, and private modes that every terminal of today knows (xterm).
constexpr std::string_view kHome = "\x1b[H";
constexpr std::string_view kEraseToEnd = "\x1b[K";
constexpr std::string_view kEraseBelow = "\x1b[J";
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J\x1b[H";
constexpr std::string_view kLeave = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";

}  // namespace

std::string enter_screen() {
  return std::string(kEnter);
}

std::string next_frame(const Screen& screen, const ScreenSize& size) {
  std::string text(kHome);
  const auto rows = static_cast<std::size_t>(std::max(size.rows, 0));
  const auto columns = static_cast<std::size_t>(std::max(size.columns, 0));
  const std::size_t lines = std::min(screen.lines.size(), rows);
  for (std::size_t i = 0; i < lines; ++i) {
    if (i > 0) text += "\r\n";
    text += screen.lines[i];
    // Behind a full line the cursor stands on its last character, which would be erased.
    if (base::display_width(base::clean(screen.lines[i])) < columns) text += kEraseToEnd;
  }
  if (lines < rows) text.append(lines > 0 ? "\r\n" : "").append(kEraseBelow);
  return text;
}

std::string leave_screen() {
  return std::string(kLeave);
}

}  // namespace batchscope::monitor_report

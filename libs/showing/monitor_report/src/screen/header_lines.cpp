#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/characters.hpp"
#include "screen/sections.hpp"
#include "text/quantities.hpp"

namespace batchscope::monitor_report {
namespace {

constexpr std::size_t kHostWidth = 30;
constexpr std::size_t kTitleFrom = 60;  // columns of the screen

// "1 high, 2 medium"
std::string counts_of(const std::vector<const watch::ActiveFinding*>& active) {
  using findings::Severity;
  std::string text;
  for (const Severity severity :
       {Severity::high, Severity::medium, Severity::low, Severity::info}) {
    int count = 0;
    for (const watch::ActiveFinding* one : active)
      count += one->finding.severity == severity ? 1 : 0;
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, findings::to_string(severity));
  }
  return text;
}

ScreenLine first_line(const View& view, const Canvas& canvas) {
  ScreenLine line = canvas.line();
  if (canvas.columns >= kTitleFrom) line.add("batchscope monitor", Tone::strong).add("  ");
  if (!view.host.empty()) line.add_name(view.host, kHostWidth, Tone::strong).add("  ");
  line.add(time_of_day(view.sample.time_ns) + " UTC");
  const auto active = active_of(view);
  if (!active.empty()) {
    line.add("  ").add(counts_of(active), tone_of(active.front()->finding.severity));
  }
  return line;
}

// What is watched, and where its metrics are.
std::string surroundings(const View& view) {
  std::string text;
  if (!view.watched.empty()) text += "watching " + view.watched;
  if (!view.exporter.empty()) text += (text.empty() ? "metrics " : "  metrics ") + view.exporter;
  return text;
}

bool fits_behind(const ScreenLine& first, const std::string& text, const Canvas& canvas) {
  return base::display_width(shown(text, canvas.look)) + 2 <= first.left();
}

}  // namespace

std::size_t header_wants(const View& view, const Canvas& canvas) {
  const std::string text = surroundings(view);
  return text.empty() || fits_behind(first_line(view, canvas), text, canvas) ? 1 : 2;
}

Lines header_lines(const View& view, const Canvas& canvas, std::size_t most) {
  Lines lines;
  if (most == 0) return lines;
  ScreenLine first = first_line(view, canvas);
  const std::string text = surroundings(view);
  const bool behind = fits_behind(first, text, canvas);
  if (!text.empty() && behind) first.add("  ").add(text, Tone::faint);
  lines.push_back(first.text());
  if (text.empty() || behind || most < 2) return lines;
  // Where both are too long for one line, the address keeps its end.
  ScreenLine second = canvas.line();
  const std::string metrics = view.exporter.empty() ? "" : "  metrics " + view.exporter;
  const std::size_t room =
      second.left() - std::min(second.left() / 2, base::display_width(metrics));
  if (!view.watched.empty()) second.add_name("watching " + view.watched, room, Tone::faint);
  second.add_name(second.used() == 0 && !metrics.empty() ? metrics.substr(2) : metrics,
                  second.left(), Tone::faint);
  lines.push_back(second.text());
  return lines;
}

}  // namespace batchscope::monitor_report

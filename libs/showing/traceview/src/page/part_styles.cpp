#include "part_styles.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "batchscope/base/strings.hpp"
#include "batchscope/document/html.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::traceview {
namespace {

using attribution::kParts;
using attribution::Part;
using attribution::TimeParts;
using document::html_text;

// Light ones beside dark ones, with and without lines: also in grey no two neighbours look alike.
constexpr std::array<PartStyle, kParts> kStyles{{
    {"compute", "compute", "a kernel runs", ""},
    {"memcpy", "copies, exposed", "only a copy or a memset runs", "M-1 1L1 -1M-1 9L9 -1M7 9L9 7"},
    {"communication", "communication, exposed", "only a communication kernel runs",
     "M-1 7L1 9M-1 -1L9 9M7 -1L9 1"},
    {"data-loading", "idle: data loading", "the host waits for data", ""},
    {"synchronisation", "idle: synchronisation",
     "the host waits for the device, or launches late after such a wait", "M0 2H8M0 6H8"},
    {"launch", "idle: launch", "the host launches operators more slowly than they run",
     "M1 2H3M2 1V3M5 6H7M6 5V7"},
    {"host", "idle: host work", "the host does other work", "M2 0V8M6 0V8"},
    {"device", "idle: device", "the host launched in time, but the device delays the work",
     "M0 0L8 8M8 0L0 8"},
    {"unknown", "idle: unknown", "the trace does not show why", "M0 4H8M4 0V8"},
}};

constexpr std::array<Part, kParts> all_parts() {
  std::array<Part, kParts> all{};
  for (size_t i = 0; i < kParts; ++i) all[i] = static_cast<Part>(i);
  return all;
}
constexpr std::array kAll = all_parts();

std::string legend_item(Part part) {
  const PartStyle& look = look_of(part);
  return fmt::format(
      "<li><svg class=\"sample\" viewBox=\"0 0 34 12\" aria-hidden=\"true\"><rect width=\"34\" "
      "height=\"12\" fill=\"{}\"/></svg><span>{}<span class=\"means\">: {}</span></span></li>\n",
      part_fill(part), look.name, look.means);
}

}  // namespace

std::string PartStyle::short_name() const {
  constexpr std::string_view kIdle = "idle: ";
  const std::string_view all = name;
  return std::string(all.starts_with(kIdle) ? all.substr(kIdle.size()) : all);
}

const PartStyle& look_of(Part part) {
  return kStyles[static_cast<size_t>(part)];
}

std::string part_fill(Part part) {
  return fmt::format("url(#part-{})", look_of(part).key);
}

std::string part_patterns() {
  std::string patterns;
  for (const PartStyle& look : kStyles) {
    patterns += fmt::format(
        "<pattern id=\"part-{0}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><rect "
        "class=\"part-{0}\" width=\"8\" height=\"8\"/><path class=\"ink-{0}\" d=\"{1}\"/>"
        "</pattern>\n",
        look.key, *look.weave == '\0' ? "M0 0" : look.weave);
  }
  return "<svg class=\"patterns\" width=\"0\" height=\"0\" aria-hidden=\"true\">" + patterns +
         "</svg>\n";
}

std::string parts_in_words(const TimeParts& parts) {
  std::vector<std::string> stated;
  for (const Part part : kAll) {
    if (parts[part] == 0) continue;
    stated.push_back(
        fmt::format("{} {}", look_of(part).name, findings::percent(parts.share(part))));
  }
  return base::join(stated, ", ");
}

std::string part_bar(const TimeParts& parts, int height) {
  if (parts.wall_ns() <= 0) return "";
  std::string rectangles;
  double at = 0;
  for (const Part part : kAll) {
    const double width = 100 * parts.share(part);
    if (width <= 0) continue;
    rectangles += fmt::format(
        "<rect x=\"{:.3f}%\" width=\"{:.3f}%\" height=\"{}\" fill=\"{}\"><title>{} {}</title>"
        "</rect>",
        at, width, height, part_fill(part), look_of(part).name,
        html_text(findings::percent(parts.share(part))));
    at += width;
  }
  return fmt::format(
      "<svg class=\"parts-bar\" width=\"100%\" height=\"{}\" role=\"img\" aria-label=\"{}\">{}"
      "</svg>",
      height, html_text(parts_in_words(parts)), rectangles);
}

std::string part_legend(const TimeParts& parts) {
  std::string items;
  for (const Part part : kAll) {
    if (parts[part] > 0) items += legend_item(part);
  }
  return items.empty() ? "" : "<ul class=\"legend parts\">\n" + items + "</ul>\n";
}

}  // namespace batchscope::traceview

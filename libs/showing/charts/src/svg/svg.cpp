#include "batchscope/charts/svg.hpp"

#include <fmt/format.h>

#include <cmath>

#include "batchscope/document/html.hpp"

namespace batchscope::charts {
namespace {

using document::html_text;

std::string with_space(std::string_view attributes) {
  return attributes.empty() ? "" : fmt::format(" {}", attributes);
}

// The end of an element that may hold a title.
std::string end_of(std::string_view element, std::string_view title) {
  if (title.empty()) return "/>";
  return fmt::format("><title>{}</title></{}>", html_text(title), element);
}

}  // namespace

std::string number(double value) {
  const std::string text = fmt::format("{:.2f}", value);
  if (text == "-0.00") return "0";
  const std::size_t last = text.find_last_not_of('0');
  return text.substr(0, text[last] == '.' ? last : last + 1);
}

std::string path_through(const std::vector<Spot>& spots) {
  std::string d;
  bool joined = false;
  for (const Spot& spot : spots) {
    const bool has_place = std::isfinite(spot.x) && std::isfinite(spot.y);
    if (has_place) d += (joined ? "L" : "M") + number(spot.x) + " " + number(spot.y);
    joined = has_place;
  }
  return d;
}

void Svg::path(std::string_view look, std::string_view d, std::string_view more) {
  if (!d.empty())
    markup_ += fmt::format("<path class=\"{}\"{} d=\"{}\"/>\n", look, with_space(more), d);
}

void Svg::rect(std::string_view look, Spot corner, double width, double height,
               std::string_view title) {
  markup_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}\n",
                         look, number(corner.x), number(corner.y), number(width), number(height),
                         end_of("rect", title));
}

void Svg::circle(std::string_view look, Spot centre, double radius, std::string_view title) {
  markup_ +=
      fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"{}\n", look, number(centre.x),
                  number(centre.y), number(radius), end_of("circle", title));
}

void Svg::text(std::string_view look, Spot at, std::string_view anchor, std::string_view text,
               std::string_view more) {
  markup_ +=
      fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", look,
                  number(at.x), number(at.y), anchor, with_space(more), html_text(text));
}

void Svg::title(std::string_view text) {
  markup_ += fmt::format("<title>{}</title>", html_text(text));
}

std::string Svg::drawing(double width, double height, std::string_view about) const {
  return fmt::format("<svg viewBox=\"0 0 {} {}\"{}>\n{}</svg>\n", number(width), number(height),
                     with_space(about), markup_);
}

}  // namespace batchscope::charts

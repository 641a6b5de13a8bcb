#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace batchscope::charts {

// Pieces of drawings in SVG. How they look is a matter of their classes: in a page of its style, in
// a picture of its own (palette.hpp). Texts are untrusted, and escaped here.

struct Spot {
  double x = 0, y = 0;
};

// A place or a length, in units of the drawing.
std::string number(double value);
// From spot to spot; it begins anew after one that has no place.
std::string path_through(const std::vector<Spot>& spots);

class Svg {
 public:
  // `more`: attributes.
  void path(std::string_view look, std::string_view d, std::string_view more = {});
  // `title` is shown while it is pointed at.
  void rect(std::string_view look, Spot corner, double width, double height,
            std::string_view title = {});
  void circle(std::string_view look, Spot centre, double radius, std::string_view title = {});
  // `anchor`: start, middle, end.
  void text(std::string_view look, Spot at, std::string_view anchor, std::string_view text,
            std::string_view more = {});
  void line(std::string_view look, Spot from, Spot to) { path(look, path_through({from, to})); }
  // Of the element that it stands in: shown while that is pointed at.
  void title(std::string_view text);
  void add(std::string_view markup) { markup_ += markup; }

  const std::string& markup() const { return markup_; }
  // As a whole: `about` is an attribute or more, such as role and label.
  std::string drawing(double width, double height, std::string_view about) const;

 private:
  std::string markup_;
};

}  // namespace batchscope::charts

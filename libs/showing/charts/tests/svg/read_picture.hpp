#pragma once

#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "batchscope/charts/svg.hpp"

namespace batchscope::charts {

// What somebody reads off a picture: places become values by the ticks beside them.
struct ReadPicture {
  struct Mark {
    double place = 0;
    std::string text;
  };
  struct Point {
    Spot at;
    std::string title;
  };
  std::vector<Mark> across, up;
  std::vector<Point> points;
  std::vector<std::string> texts;

  explicit ReadPicture(const std::string& svg) {
    const std::regex tick(
        "<text class=\"f\\d+ tick-(up|across)\" x=\"([^\"]*)\" y=\"([^\"]*)\"[^>]*>([^<]*)<");
    each(svg, tick, [&](const std::smatch& found) {
      // A text stands so much below the middle of its letters.
      if (found[1] == "up") up.push_back({std::stod(found[3]) - 4.5, found[4]});
      if (found[1] == "across") across.push_back({std::stod(found[2]), found[4]});
    });
    const std::regex point("translate\\(([-0-9.]+) ([-0-9.]+)\\)\"><path[^>]*>\\s*<title>([^<]*)<");
    each(svg, point, [&](const std::smatch& found) {
      points.push_back({{std::stod(found[1]), std::stod(found[2])}, found[3]});
    });
    each(svg, std::regex("<text[^>]*>([^<]*)<"),
         [&](const std::smatch& found) { texts.push_back(found[1]); });
  }

  double value(double y, bool logarithmic) const { return read(up, y, logarithmic); }

  static double read(const std::vector<Mark>& ticks, double place, bool logarithmic) {
    const auto to = [&](const Mark& tick) {
      return logarithmic ? std::log(std::stod(tick.text)) : std::stod(tick.text);
    };
    const Mark& first = ticks.front();
    const Mark& last = ticks.back();
    const double share = (place - first.place) / (last.place - first.place);
    const double at = to(first) + share * (to(last) - to(first));
    return logarithmic ? std::exp(at) : at;
  }

 private:
  template <typename Act>
  static void each(const std::string& svg, const std::regex& pattern, const Act& act) {
    for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at) act(*at);
  }
};

}  // namespace batchscope::charts

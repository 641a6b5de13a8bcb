#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// How points of a scatter look that are alike; the colour is a series' own.
struct ScatterLook {
  std::string name;
  const char* colour = "";
  std::size_t style = 0;
  bool hollow = false;
  bool joined = false;  // by a line, from left to right
};

enum class ScatterMark { none, recommended, nearest, standard, slow };

struct ScatterPoint {
  double x = 0, y = 0;
  std::optional<stats::Interval> interval;  // of y
  std::string name;                         // in words
  std::string label;                        // beside it; empty: none
  std::string text;                         // its figures
  std::size_t look = 0;
  ScatterMark mark = ScatterMark::none;
};

struct ScatterBound {
  double value = 0;
  std::string text;
};

// Measured settings by two measures, for the page and as a picture.
struct Scatter {
  std::string id;
  std::string title;
  std::string subtitle;  // what all points share; untrusted
  std::string across, up;
  std::string note;
  std::vector<ScatterLook> looks;
  std::vector<ScatterPoint> points;   // by x
  std::optional<ScatterBound> bound;  // of x; not where it is far from all points

  bool logarithmic_across() const;
  bool logarithmic_up() const;
};

// Puts the points in their order, and the bound where it is near, else into the note.
void finish(Scatter& scatter, const std::optional<ScatterBound>& bound);

// Every batch size by throughput and latency. Nothing below two.
std::optional<Scatter> answer_scatter(const findings::Summary& summary,
                                      std::optional<double> latency_budget_ms);
// Every point of a search by throughput and latency, then by throughput and memory; what there is.
std::vector<Scatter> tuning_scatters(const findings::Tuning& tuning);

}  // namespace batchscope::charts

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::planning {
struct CapacityPlan;
}  // namespace batchscope::planning

namespace batchscope::schema {
struct RunFile;
}  // namespace batchscope::schema

namespace batchscope::charts {

// How points of a scatter look that are alike; the colour is a series' own.
struct ScatterLook {
  std::string name;
  const char* colour = "";
  std::size_t style = 0;
  bool hollow = false;
  bool joined = false;  // by a line, from left to right
};

enum class ScatterMark { none, recommended, nearest, standard, slow, disturbed };

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
  std::vector<ScatterLook> styles;
  std::vector<ScatterPoint> points;     // by x
  std::optional<ScatterBound> bound;    // of x; not where it is far from all points
  std::optional<ScatterBound> level{};  // of y
  std::string stops = "points";         // what the points are
  bool linear = false;                  // across, however far they spread

  bool logarithmic_across() const;
  bool logarithmic_up() const;
};

// Puts the points in their order, and the bound where it is near, else into the note.
void finish(Scatter& scatter, const std::optional<ScatterBound>& bound);

// What a batch may take by the plan of the last run that has a bound, ms.
std::optional<double> latency_budget_ms(std::span<const schema::RunFile> runs);
// Every batch size by throughput and latency. Nothing below two.
std::optional<Scatter> answer_scatter(const findings::Summary& summary,
                                      std::optional<double> budget_ms);
// Of each run that has enough of them, every visit by when it was made and how long it took.
std::vector<Scatter> visits_scatters(std::span<const schema::RunFile> runs);
// Every point of a search by throughput and latency, then by throughput and memory; what there is.
std::vector<Scatter> tuning_scatters(const findings::Tuning& tuning);
// Latency by load, a line a policy. Nothing without a load that was simulated.
std::optional<Scatter> plan_scatter(const planning::CapacityPlan& plan);

}  // namespace batchscope::charts

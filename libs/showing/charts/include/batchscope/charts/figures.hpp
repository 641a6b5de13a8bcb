#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/charts/scatter.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// Charts as data: the page carries them as JSON, and pictures.hpp draws them. Names are cleaned and
// shortened; numbers are those of the summary, and texts read as in its tables.
struct FigureTexts {
  std::string id;     // of the picture's file, and of the chart on the page
  std::string title;  // what it shows, found
  std::string axis;
  std::string note;
  std::string subtitle{};  // what all of it shares; of the picture alone
};

// The law of a table in what a subject counts, and how far off it a size may lie and be no anomaly.
struct LawCurve {
  struct Point {
    double size = 0, value = 0;
    double low = 0, high = 0;  // of the tolerance
  };
  std::string name;
  std::string band;  // "±3.0 %"; empty: none
  std::vector<Point> points;
};

enum class PointMark { none, best, slow, fast };

struct SizePoint {
  int64_t size = 0;
  double value = 0;
  std::string text{};   // its figures
  std::string brief{};  // what stands beside it where there is room
  findings::Verdict verdict = findings::Verdict::ok;
  std::optional<stats::Interval> interval{};
  std::optional<double> reference{};
  PointMark mark = PointMark::none;
  std::string label{};  // of what stands out: "+26 %, proven"
};

struct SizeSeries {
  std::string name;
  std::size_t style = 0;
  std::size_t dash = 0;
  bool hollow = false;
  std::vector<SizePoint> points{};
};

// Values at each batch size: one line a series, and what it is held against.
struct SizeFigure {
  FigureTexts texts;
  std::string short_title{};  // where it stands among others
  bool logarithmic = false;
  bool from_zero = false;
  bool ratio = false;            // two decimals throughout
  bool shared_reference = true;  // of all series
  bool stems = false;            // from zero to each value, in place of a line
  std::vector<LawCurve> curves{};
  std::optional<ScatterBound> limit{};
  std::vector<SizeSeries> series{};
};

// Forward time per sample and the other subjects (chart_subjects.hpp); without those that no row
// has a value of.
std::vector<SizeFigure> size_figures(const findings::Summary& summary);
// How far each size is off the law of its table.
std::optional<SizeFigure> residual_figure(const findings::Summary& summary);
// Whatever peaks were recorded, and fragmentation.
std::vector<SizeFigure> memory_figures(const std::vector<findings::Group>& groups);

struct Box {
  int64_t size = 0;
  double low = 0, q1 = 0, median = 0, q3 = 0, high = 0;
  std::vector<double> points;        // in the window; of those within the whiskers some
  std::size_t above = 0, below = 0;  // further out than the window
  std::string text;
};

struct BoxSeries {
  std::string name;
  std::size_t style = 0;
  std::vector<Box> boxes{};
};

// Single iterations, per sample or around their median.
struct BoxFigure {
  FigureTexts texts;
  bool logarithmic = false;
  bool ratio = false;
  stats::Interval window;
  std::vector<BoxSeries> series{};
};

std::optional<BoxFigure> box_figure(const std::vector<findings::Group>& groups);

struct StackPart {
  double share = 0, ms = 0;
  std::string text;
};

struct StackBar {
  int64_t size = 0;
  double mean_ms = 0;
  std::string text;
  std::vector<StackPart> parts;  // one a phase
};

struct StackPhase {
  std::string name;
  const char* colour = "";
  std::size_t style = 0;
};

// The phases' shares of an iteration, of one table.
struct StackFigure {
  FigureTexts texts;
  std::vector<StackPhase> phases{};
  std::vector<StackBar> bars{};
};

std::vector<StackFigure> stack_figures(const std::vector<findings::Group>& groups);

}  // namespace batchscope::charts

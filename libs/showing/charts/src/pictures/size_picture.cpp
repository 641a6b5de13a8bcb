#include <algorithm>

#include "batchscope/charts/pictures.hpp"
#include "batchscope/charts/scale.hpp"
#include "batchscope/charts/series.hpp"
#include "svg/palette.hpp"
#include "svg/sheet.hpp"

namespace batchscope::charts {
namespace {

constexpr std::size_t kMostValueLabels = 10;
constexpr double kHeight = 390;
constexpr Stroke kReference{kReferenceColour, "8 6", 1.6};
// Beside the level that a ratio is held against, which has the usual dashes.
constexpr Stroke kLawOfRatio{kReferenceColour, "3 4", 1.6};
constexpr Stroke kLimit{kAnomalyColour, "6 5", 1.6};

std::vector<int64_t> sizes_of(const SizeFigure& figure) {
  std::vector<int64_t> sizes;
  for (const SizeSeries& series : figure.series) {
    for (const SizePoint& point : series.points) sizes.push_back(point.size);
  }
  return sizes;
}

ValueAxis values_of(const SizeFigure& figure) {
  ValueAxis values;
  if (figure.limit) values.include(figure.limit->value);
  if (figure.stems || figure.from_zero) values.include(0);
  for (const SizeSeries& series : figure.series) {
    for (const SizePoint& point : series.points) {
      values.include(point.value);
      if (point.reference) values.include(*point.reference);
      if (point.interval) values.include(*point.interval);
    }
  }
  for (const LawCurve& curve : figure.curves) {
    if (!figure.stems) break;
    for (const LawCurve::Point& point : curve.points) {
      values.include(point.low);
      values.include(point.high);
    }
  }
  return values;
}

const std::string kAnomaly = fill_of(kAnomalyColour);

// Draws one figure.
class SizePicture {
 public:
  explicit SizePicture(const SizeFigure& figure)
      : figure_(figure),
        axis_(sizes_of(figure), SizeAxis::Spacing::log2),
        sheet_(figure.texts.title, figure.texts.subtitle),
        panel_(panel()) {}

  std::string draw() {
    for (const LawCurve& curve : figure_.curves) add_curve(curve);
    if (figure_.limit) panel_.level(figure_.limit->value, kLimit);
    for (const SizeSeries& series : figure_.series) add_reference(series);
    for (const SizeSeries& series : figure_.series) add_series(series);
    sheet_.add(panel_);
    add_legend();
    return sheet_.finish(figure_.texts.note);
  }

 private:
  Panel panel() {
    const ValueAxis values = values_of(figure_);
    const bool logarithmic = figure_.logarithmic && !figure_.from_zero && values.logarithmic();
    const stats::Interval ends = values.ends(
        {.logarithmic = logarithmic, .from_zero = figure_.from_zero, .ratio = figure_.ratio});
    const Axis up{figure_.texts.axis, ends,
                  logarithmic ? logarithmic_ticks(ends) : round_ticks(ends), logarithmic};
    const Frame frame = sheet_.next(kHeight, up.ticks);
    return {frame, {"batch size (samples)", axis_.ends(), axis_.ticks(frame.width())}, up};
  }

  double position(double size) const { return axis_.position(size); }

  void add_curve(const LawCurve& curve) {
    std::vector<Spot> line;
    std::vector<BandSpot> band;
    for (const LawCurve::Point& point : curve.points) {
      line.push_back({position(point.size), point.value});
      band.push_back({position(point.size), point.low, point.high});
    }
    if (!curve.band.empty()) panel_.band(band);
    panel_.line(line, figure_.ratio ? kLawOfRatio : kReference);
  }

  // A level is drawn across; a line of several is of their own series.
  void add_reference(const SizeSeries& series) {
    if (figure_.shared_reference && &series != &figure_.series.front()) return;
    const Stroke own{series_style(series.style).colour, "3 4", 1.5};
    const Stroke& stroke = figure_.shared_reference ? kReference : own;
    std::vector<Spot> line;
    for (const SizePoint& point : series.points) {
      if (point.reference) line.push_back({position(double(point.size)), *point.reference});
    }
    const bool flat = std::all_of(line.begin(), line.end(),
                                  [&](const Spot& spot) { return spot.y == line.front().y; });
    if (line.empty()) return;
    flat ? panel_.level(line.front().y, stroke) : panel_.line(line, stroke);
  }

  Stroke stroke_of_series(const SizeSeries& series) const {
    return {series_style(series.style).colour, series_style(series.dash).dash};
  }
  Marker marker_of(const SizeSeries& series) const {
    const SeriesStyle& style = series_style(series.style);
    return {style.shape, style.colour, series.hollow};
  }

  void add_series(const SizeSeries& series) {
    const Stroke stroke = stroke_of_series(series);
    std::vector<Spot> line;
    for (const SizePoint& point : series.points) {
      const double x = position(double(point.size));
      line.push_back({x, point.value});
      if (figure_.stems) panel_.line({{x, 0}, {x, point.value}}, {stroke.colour, "", 3});
      if (point.interval) panel_.interval(x, *point.interval, stroke.colour);
    }
    if (!figure_.stems) panel_.line(line, stroke);
    for (const SizePoint& point : series.points) add_point(series, point);
  }

  void add_point(const SizeSeries& series, const SizePoint& point) {
    const Spot at{position(double(point.size)), point.value};
    Marker marker = marker_of(series);
    if (point.mark == PointMark::slow) marker.colour = kAnomalyColour;
    marker.hollow = marker.hollow || point.verdict == findings::Verdict::suspect;
    panel_.point(at, marker, "batch " + std::to_string(point.size) + ": " + point.text);
    if (point.mark == PointMark::best) panel_.ring(at, kPickColour);
    if (point.mark == PointMark::slow || point.mark == PointMark::fast) {
      panel_.ring(at, point.mark == PointMark::slow ? kAnomalyColour : marker.colour);
    }
    const bool slow = point.mark == PointMark::slow;
    const double away = point.mark == PointMark::none ? 7 : 12;
    if (!point.label.empty()) {
      panel_.label(at, point.label, slow ? "strong " + kAnomaly : "strong ink", true, away);
    }
    const bool few = figure_.series.size() == 1 && axis_.count() <= kMostValueLabels;
    if (few || (slow && point.label.empty())) {
      panel_.label(at, point.brief, slow ? kAnomaly : "ink", slow && point.label.empty(), away);
    }
  }

  void add_legend() {
    for (const SizeSeries& series : figure_.series) {
      if (figure_.stems) {
        sheet_.legend(series.name, marker_of(series));
      } else {
        sheet_.legend(series.name, stroke_of_series(series), marker_of(series));
      }
    }
    for (const LawCurve& curve : figure_.curves) {
      sheet_.legend(curve.name + (curve.band.empty() ? "" : ", " + curve.band),
                    figure_.ratio ? kLawOfRatio : kReference);
    }
    if (figure_.limit) sheet_.legend(figure_.limit->text, kLimit);
  }

  const SizeFigure& figure_;
  SizeAxis axis_;
  Sheet sheet_;
  Panel panel_;
};

}  // namespace

std::string picture(const SizeFigure& figure) {
  return SizePicture(figure).draw();
}

}  // namespace batchscope::charts

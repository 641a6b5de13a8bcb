#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/charts/figures.hpp"
#include "batchscope/charts/fitted_law.hpp"
#include "batchscope/charts/intervals.hpp"
#include "batchscope/charts/outliers.hpp"
#include "batchscope/charts/scale.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/findings/numbers.hpp"
#include "chart_subjects.hpp"

namespace batchscope::charts {
namespace {

using findings::ConfigRow;
using findings::Estimate;
using findings::Group;
using findings::Quantity;
using findings::Shown;
using findings::Summary;

std::string with_unit(const Shown& shown, const std::string& unit, bool interval) {
  std::string text = shown.value;
  if (interval && !shown.interval.empty()) text += " " + shown.interval;
  return unit.empty() ? text : text + " " + unit;
}

void mark(SizePoint& point, const Summary& summary, const ConfigRow& row,
          const std::vector<OutlierSize>& notable) {
  const OutlierSize* const found = outlier_at(notable, row.config.shape.batch_size);
  if (found != nullptr) {
    point.mark = found->is_slow() ? PointMark::slow : PointMark::fast;
    point.label = mark_words(*found);
  } else if (row.verdict == findings::Verdict::proven) {
    point.mark = PointMark::slow;
    point.label = "proven";
  }
  if (is_answer(summary, row)) {
    point.mark = PointMark::best;
    point.label = found == nullptr ? "best" : "best, " + mark_words(*found);
  }
}

// Those rows that have a value, as points.
class Points {
 public:
  Points(const Summary& summary, const ChartSubject& subject, const Group& group)
      : subject_(subject), group_(group), has_law_(bool(time_by_law(group))) {
    const std::vector<OutlierSize> notable = outliers(summary, group);
    for (const ConfigRow& row : group.rows) {
      const auto value = subject.value(row);
      if (!value) continue;
      estimates_.push_back(*value);
      rows_.push_back(&row);
    }
    const std::vector<Shown> shown = texts();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      points_.push_back(point(i, shown[i]));
      mark(points_.back(), summary, *rows_[i], notable);
    }
  }

  std::vector<SizePoint> take() { return std::move(points_); }

 private:
  std::vector<Shown> texts() const {
    std::vector<const Estimate*> column;
    for (const Estimate& estimate : estimates_) column.push_back(&estimate);
    return findings::show_column(column, subject_.quantity);
  }

  SizePoint point(std::size_t i, const Shown& shown) const {
    const ConfigRow& row = *rows_[i];
    SizePoint point{.size = row.config.shape.batch_size,
                    .value = estimates_[i].value,
                    .brief = shown.value,
                    .verdict = row.verdict,
                    .interval = supported(row, estimates_[i]).ci};
    point.text = with_unit(shown, subject_.unit, point.interval.has_value());
    // A ratio has its own level to be held against, and the others the law where there is one.
    const bool by_law = has_law_ && subject_.quantity == Quantity::amount;
    // One size scales with nothing.
    if (!by_law && rows_.size() > 1) point.reference = subject_.linear(row, group_);
    return point;
  }

  const ChartSubject& subject_;
  const Group& group_;
  bool has_law_;
  std::vector<Estimate> estimates_;
  std::vector<const ConfigRow*> rows_;
  std::vector<SizePoint> points_;
};

bool any_row(const std::vector<Group>& groups, bool (*holds)(const ConfigRow&)) {
  return std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
    return std::any_of(group.rows.begin(), group.rows.end(), holds);
  });
}

// What the marks mean that the legend does not name.
std::string marks_in_words(const std::vector<Group>& groups, bool references, bool one_reference) {
  std::string note;
  if (references) {
    note = fmt::format("{}: linear scaling from batch {}. ", one_reference ? "Dashed" : "Dotted",
                       groups.front().base_batch_size);
  }
  const bool repeats = any_row(groups, [](const ConfigRow& row) {
    return row.time_ms.ci.has_value() && row.n >= kFewestForIntervals;
  });
  note += repeats ? fmt::format("Bars: {} CIs, with an arrow beyond the chart.",
                                base::format_level(groups.front().level))
                  : "Too few visits for CIs.";
  const bool suspect = any_row(
      groups, [](const ConfigRow& row) { return row.verdict == findings::Verdict::suspect; });
  return suspect ? note + " Outline: suspect." : note;
}

bool has_reference(const SizeSeries& series) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [](const SizePoint& point) { return point.reference.has_value(); });
}

// The title says what was found; then the subtitle says of what.
std::string subtitle_of(const ChartSubject& subject, const std::string& title,
                        const std::string& common) {
  if (title == subject.title) return common;
  return common.empty() ? subject.title : subject.title + "; " + common;
}

constexpr std::size_t kFewestForLaw = 3;

// Of a table alone: of several, the lines would only hide the points. Nothing without a law, and
// below three sizes.
std::optional<LawCurve> law_curve(const ChartSubject& subject, const std::vector<Group>& groups) {
  if (groups.size() != 1) return {};
  const Group& group = groups.front();
  const auto law = time_by_law(group);
  if (!law || group.rows.size() < kFewestForLaw) return {};
  LawCurve curve{"law of the sizes: " + shown_name(group.law->formula), tolerance_words(), {}};
  for (const double size : sizes_along(group)) {
    const double ms = law(size);
    if (!(ms > 0)) continue;
    const auto value = subject.of_time(ms, size, group);
    const auto one = subject.of_time(ms / (1 + kTolerance), size, group);
    const auto other = subject.of_time(ms * (1 + kTolerance), size, group);
    if (!value || !one || !other) return {};
    curve.points.push_back({size, *value, std::min(*one, *other), std::max(*one, *other)});
  }
  return curve;
}

SizeFigure figure_of(const Summary& summary, const ChartSubject& subject) {
  const SeriesNames names = series_names(summary.groups);
  const bool alone = summary.groups.size() == 1;
  const std::string title = title_of(subject, summary);
  SizeFigure figure{.texts = {subject.name, title, subject.y_title, "",
                              subtitle_of(subject, title, names.common)},
                    .short_title = subject.short_title,
                    .ratio = subject.quantity == Quantity::ratio};
  figure.shared_reference = alone || figure.ratio;
  ValueAxis axis;
  for (std::size_t g = 0; g < summary.groups.size(); ++g) {
    figure.series.push_back({alone ? "measured" : shown_name(names.own[g]), g, g, false,
                             Points(summary, subject, summary.groups[g]).take()});
    for (const SizePoint& point : figure.series.back().points) axis.include(point.value);
  }
  if (axis.empty()) return {};
  figure.logarithmic = axis.logarithmic();
  const bool references = std::any_of(figure.series.begin(), figure.series.end(), has_reference);
  figure.texts.note = marks_in_words(summary.groups, references, figure.shared_reference);
  if (auto curve = law_curve(subject, summary.groups)) figure.curves.push_back(*std::move(curve));
  return figure;
}

}  // namespace

std::vector<SizeFigure> size_figures(const Summary& summary) {
  std::vector<SizeFigure> figures = base::mapped(
      chart_subjects(), [&](const ChartSubject& subject) { return figure_of(summary, subject); });
  std::erase_if(figures, [](const SizeFigure& figure) { return figure.series.empty(); });
  return figures;
}

}  // namespace batchscope::charts

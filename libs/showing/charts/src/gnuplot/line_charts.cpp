#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/units.hpp"
#include "batchscope/charts/chart_axis.hpp"
#include "batchscope/charts/chart_subjects.hpp"
#include "batchscope/charts/intervals.hpp"
#include "batchscope/charts/law_curve.hpp"
#include "batchscope/charts/stand_outs.hpp"
#include "batchscope/findings/numbers.hpp"
#include "chart_kinds.hpp"
#include "chart_style.hpp"

namespace batchscope::charts {
namespace {

using findings::ConfigRow;
using findings::Estimate;
using findings::Group;
using findings::Quantity;
using findings::show;
using findings::Summary;
using Rows = std::vector<ChartScript::Row>;

constexpr std::size_t kMostValueLabels = 10;
constexpr const char* kThinReference = "lw 1.5 dt (3,4)";
// Beside the level of one, which has the usual dashes.
constexpr const char* kLawOfRatio = "lc rgb '#707070' lw 1.6 dt (3,4)";

bool is_anomalous(const ConfigRow& row) {
  return row.verdict == findings::Verdict::proven;
}
bool is_suspect(const ConfigRow& row) {
  return row.verdict == findings::Verdict::suspect;
}

std::string ring_of(const char* colour) {
  return fmt::format("using 1:2 with points lc rgb '{}' pt 6 ps 2.8 lw 2", colour);
}

// Draws one subject for all groups.
class LineChart {
 public:
  LineChart(const ChartSubject& subject, const Summary& summary)
      : subject_(subject),
        summary_(summary),
        groups_(summary.groups),
        axis_(groups_, SizeAxis::Spacing::log2),
        names_(series_names(groups_)),
        law_(law_curve(subject, groups_)) {}

  std::optional<Chart> make() {
    const ValueAxis values = value_axis();
    if (values.empty()) return {};
    const std::string title = title_of(subject_, summary_);
    const std::string what = title == subject_.title ? "" : subject_.title;
    const std::string_view between = what.empty() || names_.common.empty() ? "" : "; ";
    set_frame(script_, title, fmt::format("{}{}{}", what, between, names_.common),
              subject_.y_title);
    script_.command(axis_.commands(kAxisPixels));
    const ValueAxis::Look look{.logarithmic = true, .ratio = is_ratio()};
    script_.command(values.commands(look));
    ends_ = values.ends(look);
    add_law();
    if (has_reference()) add_reference();
    for (std::size_t g = 0; g < groups_.size(); ++g) add_series(groups_[g], series_style(g));
    // Over everything else, so that no other series crosses the word.
    script_.draw(marked_, fmt::format("using 1:3:4 with labels boxed offset character 0,1.3 "
                                      "font 'sans-serif:Bold,11' tc rgb '{}'",
                                      kAnomalyColour));
    script_.draw(best_,
                 "using 1:3:4 with labels boxed offset character 0,1.3 "
                 "font 'sans-serif:Bold,11' tc rgb '#111111'");
    add_legend();
    const int height = kChartHeight + set_legend(script_);
    script_.plot();
    return Chart{subject_.name, kChartWidth, height, script_.take()};
  }

 private:
  ValueAxis value_axis() const {
    ValueAxis values;
    for (const Group& group : groups_) {
      for (const ConfigRow& row : group.rows) {
        const auto value = subject_.value(row);
        if (!value) continue;
        values.include(vouched(row, *value));
        const auto linear = subject_.linear(row, group);
        if (linear && has_reference()) values.include(*linear);
      }
    }
    return values;
  }

  bool is_ratio() const { return subject_.quantity == Quantity::ratio; }
  bool same_reference_for_all() const { return groups_.size() == 1 || is_ratio(); }
  // The law stands in place of linear scaling; a ratio is held against one as well.
  bool has_reference() const { return !law_ || is_ratio(); }

  void add_law() {
    if (!law_) return;
    Rows line, band;
    for (const LawCurve::Point& point : law_->points) {
      const std::string x = number(std::log2(point.size));
      line.push_back({x, number(point.value)});
      band.push_back({x, number(point.low), number(point.high)});
    }
    script_.draw(band, kBand);
    script_.draw(line, fmt::format("with lines {}", is_ratio() ? kLawOfRatio : kReferenceLine));
  }

  void add_reference() {
    if (is_ratio()) {
      draw_level("1", kReferenceLine);
      return;
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Rows rows;
      for (const ConfigRow& row : groups_[g].rows) {
        if (const auto linear = subject_.linear(row, groups_[g])) {
          rows.push_back({number(x_of(row)), number(*linear)});
        }
      }
      const std::string line =
          same_reference_for_all()
              ? kReferenceLine
              : fmt::format("lc rgb '{}' {}", series_style(g).colour, kThinReference);
      if (rows.size() == 1) {
        draw_level(rows[0][1], line);  // a single size still shows its level
      } else {
        script_.draw(rows, "with lines " + line);
      }
      reference_drawn_ = reference_drawn_ || !rows.empty();
    }
  }

  void draw_level(const std::string& y, const std::string& line) {
    script_.draw({{number(axis_.low()), y}, {number(axis_.high()), y}}, "with lines " + line);
    reference_drawn_ = true;
  }

  void add_series(const Group& group, const SeriesStyle& style) {
    Rows line, filled, hollow, slow, rings, best;
    std::vector<Bar> bars;
    const std::vector<StandOut> notable = stand_outs(summary_, group);
    for (const ConfigRow& row : group.rows) {
      const auto measured = subject_.value(row);
      if (!measured) continue;
      const Estimate value = vouched(row, *measured);
      const ChartScript::Row at = {number(x_of(row)), number(value.value)};
      const double top = value.ci ? std::min(value.ci->high, ends_.high) : value.value;
      line.push_back(at);
      const StandOut* const found = stand_out_at(notable, row.config.shape.batch_size);
      const bool is_slow = is_anomalous(row) && (found == nullptr || found->is_slow());
      (is_suspect(row) ? hollow : is_slow ? slow : filled).push_back(at);
      const std::string words = found == nullptr ? "proven" : mark_words(*found);
      if (is_anomalous(row)) rings.push_back({at[0], at[1], number(top), label(words)});
      if (is_answer(summary_, row)) best.push_back({at[0], at[1], number(top), label("best")});
      if (value.ci) bars.push_back({x_of(row), value.value, *value.ci});
    }
    draw_series(style, line, bars, filled, hollow);
    script_.draw(slow,
                 fmt::format("with points lc rgb '{}' pt {} ps 1.5", kAnomalyColour, style.filled));
    script_.draw(rings, ring_of(kAnomalyColour));
    script_.draw(best, ring_of(kPickColour));
    marked_.insert(marked_.end(), rings.begin(), rings.end());
    best_.insert(best_.end(), best.begin(), best.end());
    if (groups_.size() == 1 && axis_.count() <= kMostValueLabels) add_value_labels(group);
    has_hollow_ = has_hollow_ || !hollow.empty();
  }

  void draw_series(const SeriesStyle& style, const Rows& line, const std::vector<Bar>& bars,
                   const Rows& filled, const Rows& hollow) {
    const std::string colour = fmt::format("lc rgb '{}'", style.colour);
    script_.draw(line, fmt::format("with lines {} lw 2 {}", colour, style.dash));
    has_clipped_ = draw_bars(script_, bars, ends_, style.colour) || has_clipped_;
    script_.draw(filled, fmt::format("with points {} pt {} ps 1.3", colour, style.filled));
    // The background hides the line behind the outline.
    script_.draw(hollow, fmt::format("with points lc rgb '#ffffff' pt {} ps 1.3", style.filled));
    script_.draw(hollow, fmt::format("with points {} pt {} ps 1.3 lw 2", colour, style.hollow));
  }

  // Right of the point, on the side that the line to the next point leaves free.
  void add_value_labels(const Group& group) {
    Rows above, below;
    for (std::size_t i = 0; i < group.rows.size(); ++i) {
      const auto value = subject_.value(group.rows[i]);
      if (!value) continue;
      const auto next =
          i + 1 < group.rows.size() ? subject_.value(group.rows[i + 1]) : std::nullopt;
      (next && next->value > value->value ? below : above)
          .push_back({number(x_of(group.rows[i])), number(value->value),
                      show(vouched(group.rows[i], *value), subject_.quantity).value});
    }
    const std::string look = "font 'sans-serif,10' tc rgb '#333333'";
    script_.draw(above, "with labels left offset character 1.1,0.6 " + look);
    script_.draw(below, "with labels left offset character 1.1,-0.6 " + look);
  }

  void add_legend() {
    const std::string bars =
        has_repeats() ? fmt::format("bars: {} interval", base::format_level(groups_.front().level))
                      : "no repeats, no intervals";
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const SeriesStyle& style = series_style(g);
      script_.legend(fmt::format("with linespoints lc rgb '{}' lw 2 {} pt {} ps 1.3", style.colour,
                                 style.dash, style.filled),
                     groups_.size() == 1 ? "measured (" + bars + ")" : names_.own[g]);
    }
    if (reference_drawn_) {
      script_.legend(same_reference_for_all()
                         ? fmt::format("with lines {}", kReferenceLine)
                         : fmt::format("with lines lc rgb '#707070' {}", kThinReference),
                     fmt::format("linear scaling from batch {}", groups_.front().base_batch_size));
    }
    if (law_) {
      script_.legend(fmt::format("with lines {}", is_ratio() ? kLawOfRatio : kReferenceLine),
                     fmt::format("law of the sizes: {}, {}", law_->formula, law_->band));
    }
    if (has_clipped_) add_clipped_legend(script_);
    if (!marked_.empty()) {
      script_.legend(fmt::format("with points lc rgb '{}' pt 6 ps 2.2 lw 2", kAnomalyColour),
                     "proven anomaly");
    }
    if (!best_.empty()) {
      script_.legend(fmt::format("with points lc rgb '{}' pt 6 ps 2.2 lw 2", kPickColour), "best");
    }
    if (has_hollow_) {
      script_.legend(fmt::format("with points lc rgb '{}' pt {} ps 1.3 lw 2",
                                 series_style(0).colour, series_style(0).hollow),
                     "suspect (outline)");
    }
    if (groups_.size() > 1) script_.legend("with points pt 7 ps 0", bars);
  }

  // Asked of the times: the base's efficiency is one by definition and has no interval ever.
  bool has_repeats() const {
    return std::any_of(groups_.begin(), groups_.end(), [](const Group& group) {
      return std::any_of(group.rows.begin(), group.rows.end(),
                         [](const ConfigRow& row) { return row.time_ms.ci.has_value(); });
    });
  }

  double x_of(const ConfigRow& row) const { return axis_.position(row.config.shape.batch_size); }

  const ChartSubject& subject_;
  const Summary& summary_;
  const std::vector<Group>& groups_;
  SizeAxis axis_;
  SeriesNames names_;
  std::optional<LawCurve> law_;
  ChartScript script_;
  stats::Interval ends_;
  Rows marked_, best_;
  bool reference_drawn_ = false, has_hollow_ = false, has_clipped_ = false;
};

}  // namespace

std::vector<Chart> line_charts(const Summary& summary) {
  std::vector<Chart> charts;
  for (const ChartSubject& subject : chart_subjects()) {
    if (auto chart = LineChart(subject, summary).make()) charts.push_back(std::move(*chart));
  }
  return charts;
}

}  // namespace batchscope::charts

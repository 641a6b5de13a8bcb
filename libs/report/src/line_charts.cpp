#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "characters.hpp"
#include "chart_axis.hpp"
#include "chart_kinds.hpp"
#include "chart_style.hpp"
#include "numbers.hpp"

namespace batchscope::report {
namespace {

using schema::ConfigRow;
using schema::Estimate;
using schema::Group;
using Rows = std::vector<ChartScript::Row>;

constexpr std::size_t kMostValueLabels = 10;

// What a line chart shows.
struct Subject {
  std::string name;
  std::string title;
  std::string y_title;
  Quantity quantity;
  std::function<std::optional<Estimate>(const ConfigRow&)> value;
  // What linear scaling from the base would give; empty for none.
  std::function<std::optional<double>(const ConfigRow&, const Group&)> linear;
  bool from_zero = false;
};

std::optional<double> base_per_sample(const Group& group) {
  for (const ConfigRow& row : group.rows) {
    if (row.config.shape.batch_size == group.base_batch_size) return row.per_sample_ms.value;
  }
  return {};
}

std::optional<double> one(const ConfigRow&, const Group&) {
  return 1.0;
}

std::vector<Subject> subjects() {
  const auto expected = [](const ConfigRow& row, const Group&) { return row.expected_ms; };
  const auto flat = [](const ConfigRow&, const Group& group) { return base_per_sample(group); };
  const auto rate = [](const ConfigRow&, const Group& group) -> std::optional<double> {
    const auto base = base_per_sample(group);
    return base && *base > 0 ? std::optional(1000 / *base) : std::nullopt;
  };
  return {{"forward_pass_time", "Time of one iteration", "time (ms)", Quantity::amount,
           [](const ConfigRow& row) { return std::optional(row.time_ms); }, expected},
          {"forward_pass_efficiency", "Efficiency: linear time / measured time, higher is better",
           "efficiency (ratio)", Quantity::ratio,
           [](const ConfigRow& row) { return row.efficiency; }, one},
          {"forward_time_per_sample", "Time per sample, lower is better", "time per sample (ms)",
           Quantity::amount, [](const ConfigRow& row) { return std::optional(row.per_sample_ms); },
           flat},
          {"relative_slowdown", "Relative slowdown per sample, lower is better",
           "time per sample / that of the smallest size (ratio)", Quantity::ratio,
           [](const ConfigRow& row) { return row.relative_slowdown; }, one},
          {"throughput", "Throughput, higher is better", "throughput (samples/s)", Quantity::amount,
           [](const ConfigRow& row) { return std::optional(row.throughput_per_s); }, rate, true}};
}

bool is_anomalous(const ConfigRow& row) {
  return row.verdict == schema::Verdict::proven;
}
bool is_suspect(const ConfigRow& row) {
  return row.verdict == schema::Verdict::suspect;
}

// Draws one subject for all groups.
class LineChart {
 public:
  LineChart(const Subject& subject, const std::vector<Group>& groups)
      : subject_(subject),
        groups_(groups),
        axis_(groups, SizeAxis::Spacing::log2),
        names_(series_names(groups)) {}

  std::optional<Chart> make() {
    const ValueAxis values = value_axis();
    if (values.empty()) return {};
    set_frame(script_, subject_.title, names_.common, subject_.y_title);
    script_.command(axis_.commands(kAxisPixels));
    script_.command(values.commands(true, subject_.from_zero && groups_.size() == 1));
    add_reference();
    for (std::size_t g = 0; g < groups_.size(); ++g) add_series(groups_[g], series_style(g));
    add_legend();
    const int height = height_for(script_.legend_entries(), longest_);
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
        values.include(*value);
        if (const auto linear = subject_.linear(row, group)) values.include(*linear);
      }
    }
    return values;
  }

  // One line for all when it is the same for all.
  void add_reference() {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Rows rows;
      for (const ConfigRow& row : groups_[g].rows) {
        if (const auto linear = subject_.linear(row, groups_[g])) {
          rows.push_back({number(x_of(row)), number(*linear)});
        }
      }
      if (rows.size() == 1) {
        // A single size still shows the level.
        rows = {{number(axis_.low()), rows[0][1]}, {number(axis_.high()), rows[0][1]}};
      }
      const std::string line =
          groups_.size() == 1 || subject_.quantity == Quantity::ratio
              ? kReferenceLine
              : fmt::format("lc rgb '{}' lw 1.1 dt (3,6)", series_style(g).colour);
      script_.draw(rows, "with lines " + line);
      has_reference_ = has_reference_ || !rows.empty();
    }
  }

  void add_series(const Group& group, const SeriesStyle& style) {
    Rows line, bars, filled, hollow, rings, values;
    for (const ConfigRow& row : group.rows) {
      const auto value = subject_.value(row);
      if (!value) continue;
      const ChartScript::Row at = {number(x_of(row)), number(value->value)};
      line.push_back(at);
      (is_suspect(row) ? hollow : filled).push_back(at);
      if (is_anomalous(row)) rings.push_back({at[0], at[1], "proven"});
      if (value->ci)
        bars.push_back({at[0], at[1], number(value->ci->low), number(value->ci->high)});
      values.push_back({at[0], at[1], plain(value->value, subject_.quantity)});
    }
    const std::string colour = fmt::format("lc rgb '{}'", style.colour);
    script_.draw(line, fmt::format("with lines {} lw 2 {}", colour, style.dash));
    script_.draw(bars, fmt::format("with yerrorbars {} lw 1.6 pt 7 ps 0", colour));
    script_.draw(filled, fmt::format("with points {} pt {} ps 1.3", colour, style.filled));
    // The background hides the line behind the outline.
    script_.draw(hollow, fmt::format("with points lc rgb '#ffffff' pt {} ps 1.3", style.filled));
    script_.draw(hollow, fmt::format("with points {} pt {} ps 1.3 lw 2", colour, style.hollow));
    script_.draw(rings, "using 1:2 with points lc rgb '#111111' pt 6 ps 2.8 lw 2");
    script_.draw(rings, "with labels offset character 0,1.5 font 'Sans:Bold,11' tc rgb '#111111'");
    if (groups_.size() == 1 && axis_.count() <= kMostValueLabels) {
      script_.draw(values, "with labels offset character 0,-1.4 font 'Sans,10' tc rgb '#333333'");
    }
    has_interval_ = has_interval_ || !bars.empty();
    has_ring_ = has_ring_ || !rings.empty();
    has_hollow_ = has_hollow_ || !hollow.empty();
  }

  void add_legend() {
    const std::string bars = has_interval_
                                 ? fmt::format("bars: {} interval", percent(groups_.front().level))
                                 : "no repeats, no intervals";
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const SeriesStyle& style = series_style(g);
      legend(fmt::format("with linespoints lc rgb '{}' lw 2 {} pt {} ps 1.3", style.colour,
                         style.dash, style.filled),
             groups_.size() == 1 ? "measured (" + bars + ")" : names_.own[g]);
    }
    if (has_reference_) {
      legend(fmt::format("with lines {}", kReferenceLine),
             fmt::format("linear scaling from batch {}", groups_.front().base_batch_size));
    }
    if (has_ring_) {
      legend("with points lc rgb '#111111' pt 6 ps 2.2 lw 2", "proven anomaly");
    }
    if (has_hollow_) {
      legend(fmt::format("with points lc rgb '{}' pt {} ps 1.3 lw 2", series_style(0).colour,
                         series_style(0).hollow),
             "suspect (outline)");
    }
    if (groups_.size() > 1) legend("with points pt 7 ps 0", bars);
  }

  void legend(const std::string& style, const std::string& title) {
    longest_ = std::max(longest_, display_width(clean(title)));
    script_.legend(style, title);
  }

  double x_of(const ConfigRow& row) const { return axis_.position(row.config.shape.batch_size); }

  const Subject& subject_;
  const std::vector<Group>& groups_;
  SizeAxis axis_;
  SeriesNames names_;
  ChartScript script_;
  std::size_t longest_ = 0;
  bool has_reference_ = false, has_interval_ = false, has_ring_ = false, has_hollow_ = false;
};

}  // namespace

std::vector<Chart> line_charts(const std::vector<Group>& groups) {
  std::vector<Chart> charts;
  for (const Subject& subject : subjects()) {
    if (auto chart = LineChart(subject, groups).make()) charts.push_back(std::move(*chart));
  }
  return charts;
}

}  // namespace batchscope::report

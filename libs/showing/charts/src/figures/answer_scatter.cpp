#include <fmt/format.h>

#include <algorithm>

#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/intervals.hpp"
#include "batchscope/charts/outliers.hpp"
#include "batchscope/charts/scatter.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::charts {
namespace {

using findings::ConfigRow;
using findings::Group;
using findings::inline_estimate;
using findings::plain;
using findings::Quantity;
using findings::Summary;

struct MeasuredRow {
  const ConfigRow* row = nullptr;
  std::size_t group = 0;
  const OutlierSize* outlier = nullptr;
  bool on_front = false;  // no other has both more throughput and less latency
};

bool beats(const ConfigRow& a, const ConfigRow& b) {
  const bool no_worse =
      a.throughput_per_s.value >= b.throughput_per_s.value && a.time_ms.value <= b.time_ms.value;
  return no_worse &&
         (a.throughput_per_s.value > b.throughput_per_s.value || a.time_ms.value < b.time_ms.value);
}

std::string row_text(const MeasuredRow& each) {
  const ConfigRow& row = *each.row;
  return fmt::format("{} samples/s, {} ms per batch{}",
                     inline_estimate(supported(row, row.throughput_per_s), Quantity::amount),
                     plain(row.time_ms.value), each.on_front ? "; Pareto-optimal" : "");
}

std::string row_label(const MeasuredRow& each, bool best) {
  std::string label = std::to_string(each.row->config.shape.batch_size);
  if (best) label = "batch " + label + ", best";
  if (each.outlier != nullptr) label += ": " + mark_words(*each.outlier);
  return label;
}

class AnswerScatter {
 public:
  explicit AnswerScatter(const Summary& summary)
      : summary_(summary), names_(series_names(summary.groups)) {
    for (const Group& group : summary.groups) notable_.push_back(outliers(summary, group));
    for (std::size_t g = 0; g < summary.groups.size(); ++g) {
      for (const ConfigRow& row : summary.groups[g].rows) {
        all_.push_back({&row, g, outlier_at(notable_[g], row.config.shape.batch_size)});
      }
    }
    // Where nothing is told from the others, none is beaten.
    for (MeasuredRow& each : all_) {
      each.on_front =
          is_reported() && std::none_of(all_.begin(), all_.end(), [&](const MeasuredRow& other) {
            return beats(*other.row, *each.row);
          });
    }
  }

  std::optional<Scatter> make(const std::optional<ScatterBound>& budget) const {
    if (all_.size() < 2) return {};
    Scatter scatter{.id = "answer",
                    .title = answer_title(summary_),
                    .subtitle = names_.common,
                    .across = "time per batch (ms)",
                    .up = "throughput (samples/s)",
                    .note =
                        "Numbers at the points: batch sizes. Up and to the left is better. Bars: "
                        "CIs, with an arrow beyond the chart.",
                    .styles = styles(),
                    .points = {},
                    .bound = {}};
    for (const MeasuredRow& each : all_) scatter.points.push_back(point_of(each));
    finish(scatter, budget);
    return scatter;
  }

 private:
  bool alone() const { return summary_.groups.size() == 1; }
  bool is_reported() const { return names_a_setting(summary_); }

  // Of one table the front is a line through its points; of several it would hide which is whose.
  std::vector<ScatterLook> styles() const {
    if (alone() && !is_reported()) return {{"measured", series_style(0).colour, 0}};
    if (alone()) {
      return {{"Pareto-optimal", series_style(0).colour, 0, false, true},
              {"not Pareto-optimal", kFaintColour, 0, true}};
    }
    std::vector<ScatterLook> styles;
    for (std::size_t g = 0; g < summary_.groups.size(); ++g) {
      styles.push_back({names_.own[g], series_style(g).colour, g});
    }
    return styles;
  }

  ScatterPoint point_of(const MeasuredRow& each) const {
    const ConfigRow& row = *each.row;
    const bool best = is_answer(summary_, row);
    const bool slow = each.outlier != nullptr && each.outlier->is_slow();
    const std::string name = fmt::format("batch {}", row.config.shape.batch_size);
    const std::size_t own_look = each.on_front || !is_reported() ? 0 : 1;
    return {row.time_ms.value,
            row.throughput_per_s.value,
            supported(row, row.throughput_per_s).ci,
            alone() ? name : name + ", " + names_.own[each.group],
            row_label(each, best),
            row_text(each),
            alone() ? own_look : each.group,
            best   ? ScatterMark::recommended
            : slow ? ScatterMark::slow
                   : ScatterMark::none};
  }

  const Summary& summary_;
  SeriesNames names_;
  std::vector<std::vector<OutlierSize>> notable_;
  std::vector<MeasuredRow> all_;
};

}  // namespace

std::optional<double> latency_budget_ms(std::span<const schema::RunFile> runs) {
  std::optional<double> budget_ms;
  for (const schema::RunFile& run : runs) {
    if (run.header.plan.latency_budget_s) budget_ms = 1000 * *run.header.plan.latency_budget_s;
  }
  return budget_ms;
}

std::optional<Scatter> answer_scatter(const Summary& summary, std::optional<double> budget_ms) {
  if (!budget_ms) return AnswerScatter(summary).make({});
  const std::string words = "latency budget " + findings::milliseconds(*budget_ms);
  return AnswerScatter(summary).make(ScatterBound{*budget_ms, words});
}

}  // namespace batchscope::charts

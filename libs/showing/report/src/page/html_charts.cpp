#include "html_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::report {
namespace {

using charts::Scatter;

// In the order of the page: what a reader wants first.
class PageCharts {
 public:
  template <typename Figure>
  void add(const char* place, const Figure& figure) {
    put(place, chart_json(figure));
  }
  template <typename Figure>
  void add_all(const char* place, const std::vector<Figure>& figures) {
    for (const Figure& figure : figures) add(place, figure);
  }

  // The same measurements seen in several ways.
  void add_views(const findings::Summary& summary) {
    Json views = Json::array();
    for (const charts::SizeFigure& figure : charts::size_figures(summary)) {
      views.push_back({{"name", figure.short_title}, {"chart", chart_json(figure)}});
    }
    if (views.empty()) return;
    put(places::kMain, {{"kind", "views"},
                        {"id", "sizes"},
                        {"title", charts::time_title(summary)},
                        {"axis", ""},
                        {"note", ""},
                        {"views", std::move(views)}});
  }

  // Every point of each search; whether there is one. The first leads the page.
  bool add_searches(const std::vector<findings::Tuning>& tunings) {
    for (std::size_t i = 0; i < tunings.size(); ++i) {
      for (Scatter& scatter : charts::tuning_scatters(tunings[i])) {
        if (i > 0) scatter.id += fmt::format("_{}", i + 1);
        if (tunings.size() > 1) {
          scatter.title = charts::shown_name(tunings[i].run) + ": " + scatter.title;
        }
        add(all_.empty() ? places::kAnswer : places::kTuning, scatter);
      }
    }
    return !all_.empty();
  }

  Json take() { return std::move(all_); }

 private:
  void put(const char* place, Json chart) {
    chart["place"] = place;
    all_.push_back(std::move(chart));
  }

  Json all_ = Json::array();
};

}  // namespace

Json html_charts(const findings::Summary& summary, std::span<const schema::RunFile> runs) {
  const std::vector<findings::Group>& groups = summary.groups;
  PageCharts page;
  if (!page.add_searches(summary.tunings)) {
    const auto answer = charts::answer_scatter(summary, charts::latency_budget_ms(runs));
    if (answer) page.add(places::kAnswer, *answer);
  }
  page.add_views(summary);
  if (const auto residual = charts::residual_figure(summary)) page.add(places::kMain, *residual);
  page.add_all(places::kMain, charts::visits_scatters(runs));
  std::vector<charts::SizeFigure> memory = charts::memory_figures(groups);
  const auto is_peaks = [](const charts::SizeFigure& figure) {
    return figure.texts.id == "memory";
  };
  const auto rest = std::find_if_not(memory.begin(), memory.end(), is_peaks);
  page.add_all(places::kMain, std::vector(memory.begin(), rest));
  page.add_all(places::kMain, charts::stack_figures(groups));
  if (const auto boxes = charts::box_figure(groups)) page.add(places::kMore, *boxes);
  page.add_all(places::kMore, operation_figures(groups));
  page.add_all(places::kMore, std::vector(rest, memory.end()));
  return page.take();
}

}  // namespace batchscope::report

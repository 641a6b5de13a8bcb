#include "small_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/charts/fitted_law.hpp"
#include "batchscope/charts/outliers.hpp"
#include "batchscope/charts/scale.hpp"
#include "batchscope/charts/svg.hpp"

namespace batchscope::report {
namespace {

using charts::outlier_at;
using charts::outliers;
using charts::OutlierSize;
using charts::signed_percent;
using charts::sizes_along;
using charts::Spot;
using charts::time_by_law;
using findings::ConfigRow;
using findings::Group;

// Units of the drawing.
constexpr double kWidth = 340, kHeight = 130;
constexpr double kLeft = 14, kRight = 326, kTop = 26, kBottom = 104;
constexpr double kDigit = 8;  // of a label

double size_of(const ConfigRow& row) {
  return static_cast<double>(row.config.shape.batch_size);
}

charts::Scale scale_of_times(const Group& group) {
  stats::Interval times{1e300, 0};
  for (const ConfigRow& row : group.rows) {
    times.low = std::min(times.low, row.per_sample_ms.value);
    times.high = std::max(times.high, row.per_sample_ms.value);
  }
  const double room = std::exp(0.05 * std::max(0.02, std::log(times.high / times.low)));
  return {{times.low / room, times.high * room}, kBottom, kTop, true};
}

class SmallChart {
 public:
  SmallChart(const findings::Summary& summary, const Group& group,
             const std::vector<int64_t>& sizes)
      : group_(group),
        sizes_(sizes),
        notable_(outliers(summary, group)),
        across_({size_of(group.rows.front()), size_of(group.rows.back())}, kLeft, kRight, true),
        up_(scale_of_times(group)) {}

  std::string draw() {
    add_law();
    add_points();
    return fmt::format(
        "<figure class=\"small\">{}<figcaption>time per sample{}</figcaption></figure>\n",
        svg_.drawing(kWidth, kHeight,
                     "role=\"img\" aria-label=\"Time per sample at each batch size\""),
        group_.law ? "; dashed: the law" : "");
  }

 private:
  Spot place(double size, double per_sample) const {
    return {across_.at(size), std::clamp(up_.at(per_sample), kTop - 10, kBottom + 4)};
  }

  void add_law() {
    const auto time = time_by_law(group_);
    if (!time || group_.rows.size() < 3) return;
    std::vector<Spot> law;
    const auto instances = static_cast<double>(std::max<int64_t>(1, group_.key.instances));
    for (const double size : sizes_along(group_)) {
      const double value = time(size) / size / instances;
      if (!(value > 0)) return;
      law.push_back(place(size, value));
    }
    svg_.path("law", charts::path_through(law));
  }

  void add_points() {
    std::vector<Spot> line;
    for (const ConfigRow& row : group_.rows) {
      line.push_back(place(size_of(row), row.per_sample_ms.value));
    }
    svg_.path("line", charts::path_through(line));
    double free_from = -1;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const int64_t size = group_.rows[i].config.shape.batch_size;
      const bool meant = base::contains(sizes_, size);
      add_point(line[i], size, meant);
      const double half = kDigit * static_cast<double>(std::to_string(size).size()) / 2;
      if (!meant && line[i].x - half < free_from) continue;
      svg_.text("size", {line[i].x, 124}, "middle", std::to_string(size));
      free_from = line[i].x + half + 4;
    }
  }

  void add_point(Spot at, int64_t size, bool meant) {
    const OutlierSize* const found = outlier_at(notable_, size);
    const char* const look = !meant                                 ? "other"
                             : found != nullptr && found->is_slow() ? "slow"
                                                                    : "meant";
    svg_.circle(look, at, meant ? 6 : 3.5);
    if (!meant || found == nullptr) return;
    svg_.text(look, {std::clamp(at.x, 26.0, kWidth - 26), at.y - 11}, "middle",
              signed_percent(found->excess));
  }

  const Group& group_;
  const std::vector<int64_t>& sizes_;
  std::vector<OutlierSize> notable_;
  charts::Scale across_, up_;
  charts::Svg svg_;
};

bool is_drawable(const ConfigRow& row) {
  return row.per_sample_ms.value > 0 && row.config.shape.batch_size > 0;
}

}  // namespace

std::string small_chart(const findings::Summary& summary, const Group& group,
                        const std::vector<int64_t>& sizes) {
  const bool drawable = std::all_of(group.rows.begin(), group.rows.end(), is_drawable);
  if (group.rows.size() < 2 || !drawable) return "";
  return SmallChart(summary, group, sizes).draw();
}

}  // namespace batchscope::report

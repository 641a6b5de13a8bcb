#include "small_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/charts/fitted_law.hpp"
#include "batchscope/charts/stand_outs.hpp"

namespace batchscope::report {
namespace {

using charts::signed_percent;
using charts::sizes_along;
using charts::stand_out_at;
using charts::stand_outs;
using charts::StandOut;
using charts::time_by_law;
using findings::ConfigRow;
using findings::Group;

// Units of the drawing.
constexpr double kWidth = 340, kHeight = 130;
constexpr double kLeft = 14, kRight = 326, kTop = 26, kBottom = 104;
constexpr double kDigit = 8;  // of a label

class SmallChart {
 public:
  SmallChart(const findings::Summary& summary, const Group& group,
             const std::vector<int64_t>& sizes)
      : group_(group), sizes_(sizes), notable_(stand_outs(summary, group)) {
    for (const ConfigRow& row : group.rows) {
      low_ = std::min(low_, std::log(row.per_sample_ms.value));
      high_ = std::max(high_, std::log(row.per_sample_ms.value));
    }
    const double room = std::max(0.02, high_ - low_);
    low_ -= 0.05 * room;
    high_ += 0.05 * room;
    first_ = std::log2(static_cast<double>(group.rows.front().config.shape.batch_size));
    last_ = std::log2(static_cast<double>(group.rows.back().config.shape.batch_size));
  }

  std::string draw() const {
    return fmt::format(
        "<figure class=\"small\"><svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Time per "
        "sample at each batch size\">{}{}{}</svg><figcaption>time per sample{}</figcaption>"
        "</figure>\n",
        kWidth, kHeight, law(), line(), points(), group_.law ? "; dashed: the law" : "");
  }

 private:
  double x(double size) const {
    return kLeft + (kRight - kLeft) * (std::log2(size) - first_) / (last_ - first_);
  }
  double y(double per_sample) const {
    const double at = kBottom - (kBottom - kTop) * (std::log(per_sample) - low_) / (high_ - low_);
    return std::clamp(at, kTop - 10, kBottom + 4);
  }
  static double size_of(const ConfigRow& row) {
    return static_cast<double>(row.config.shape.batch_size);
  }

  std::string law() const {
    const auto time = time_by_law(group_);
    if (!time || group_.rows.size() < 3) return "";
    std::string path;
    const auto instances = static_cast<double>(std::max<int64_t>(1, group_.key.instances));
    for (const double size : sizes_along(group_)) {
      const double value = time(size) / size / instances;
      if (!(value > 0)) return "";
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(size), y(value));
    }
    return fmt::format("<path class=\"law\" d=\"{}\"/>", path);
  }

  std::string line() const {
    std::string path;
    for (const ConfigRow& row : group_.rows) {
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(size_of(row)),
                          y(row.per_sample_ms.value));
    }
    return fmt::format("<path class=\"line\" d=\"{}\"/>", path);
  }

  std::string points() const {
    std::string out;
    double free_from = -1;
    for (const ConfigRow& row : group_.rows) {
      const int64_t size = row.config.shape.batch_size;
      const bool meant = base::contains(sizes_, size);
      const StandOut* const found = stand_out_at(notable_, size);
      const bool slow = found != nullptr && found->is_slow();
      const double left = x(size_of(row)), top = y(row.per_sample_ms.value);
      out += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>",
                         !meant ? "other"
                         : slow ? "slow"
                                : "meant",
                         left, top, meant ? 6 : 3.5);
      if (meant && found != nullptr) {
        out += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                           slow ? "slow" : "meant", std::clamp(left, 26.0, kWidth - 26), top - 11,
                           signed_percent(found->excess));
      }
      const double half = kDigit * static_cast<double>(std::to_string(size).size()) / 2;
      if (!meant && left - half < free_from) continue;
      out += fmt::format("<text class=\"size\" x=\"{:.1f}\" y=\"124\">{}</text>", left, size);
      free_from = left + half + 4;
    }
    return out;
  }

  const Group& group_;
  const std::vector<int64_t>& sizes_;
  std::vector<StandOut> notable_;
  double low_ = 1e300, high_ = -1e300;
  double first_ = 0, last_ = 1;
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

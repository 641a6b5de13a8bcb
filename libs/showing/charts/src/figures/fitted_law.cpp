#include "batchscope/charts/fitted_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/law.hpp"

namespace batchscope::charts {
namespace {

using stats::LawKind;

constexpr std::size_t kSteps = 48;

struct Kind {
  std::string_view name;
  LawKind kind;
  std::size_t coefficients;
};
constexpr std::array<Kind, 4> kKinds = {{{"affine", LawKind::affine, 2},
                                         {"staircase", LawKind::staircase, 3},
                                         {"roofline", LawKind::roofline, 4},
                                         {"two-segments", LawKind::two_segments, 5}}};

}  // namespace

std::string tolerance_words() {
  return "±" + findings::percent(kTolerance);
}

std::function<double(double)> time_by_law(const findings::Group& group) {
  if (!group.law) return {};
  for (const Kind& kind : kKinds) {
    if (group.law->kind != kind.name || group.law->coefficients.size() != kind.coefficients)
      continue;
    return [law = stats::Law{kind.kind, group.law->coefficients}](double size) {
      return law.evaluate(size);
    };
  }
  return {};
}

std::optional<findings::Estimate> law_residual(const findings::Group& group,
                                               const findings::ConfigRow& row) {
  const auto law = time_by_law(group);
  if (!law) return {};
  const double expected = law(static_cast<double>(row.config.shape.batch_size));
  if (!(expected > 0)) return {};
  findings::Estimate residual{row.time_ms.value / expected - 1, {}};
  if (row.time_ms.ci) {
    residual.ci =
        stats::Interval{row.time_ms.ci->low / expected - 1, row.time_ms.ci->high / expected - 1};
  }
  return residual;
}

std::vector<double> sizes_along(const findings::Group& group) {
  if (group.rows.empty()) return {};
  const auto size = [](const findings::ConfigRow& row) {
    return static_cast<double>(row.config.shape.batch_size);
  };
  const double low = size(group.rows.front()), high = size(group.rows.back());
  std::vector<double> sizes;
  for (std::size_t i = 0; i <= kSteps; ++i) {
    sizes.push_back(low * std::pow(high / low, static_cast<double>(i) / kSteps));
  }
  for (const findings::ConfigRow& row : group.rows) sizes.push_back(size(row));
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace batchscope::charts

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/law.hpp"
#include "smooth_facts.hpp"

namespace batchscope::tables {
namespace {

using findings::milliseconds;

std::string_view name_of(stats::LawKind kind) {
  switch (kind) {
    case stats::LawKind::affine:
      return "affine";
    case stats::LawKind::staircase:
      return "staircase";
    case stats::LawKind::roofline:
      return "roofline";
    case stats::LawKind::two_segments:
      return "two-segments";
  }
  return "affine";
}

std::string line(double a, double b, std::string_view x) {
  const std::string slope = fmt::format("{} x {}", milliseconds(b), x);
  if (a == 0) return slope;
  return fmt::format("{} {} {}", milliseconds(std::abs(a)), b < 0 ? "-" : "+", slope);
}

std::string formula_of(const stats::Law& law) {
  const std::vector<double>& c = law.coefficients;
  switch (law.kind) {
    case stats::LawKind::affine:
      return line(c[0], c[1], "batch_size");
    case stats::LawKind::staircase:
      return line(c[0], c[1], fmt::format("ceil(batch_size / {:.0f})", c[2]));
    case stats::LawKind::roofline:
      return fmt::format("max({}, {}, {})", milliseconds(c[0]), line(c[1], c[2], "batch_size"),
                         line(0, c[3], "batch_size"));
    case stats::LawKind::two_segments:
      return fmt::format("{} up to {:.0f}, then {} x batch_size {} {}",
                         line(c[0], c[1], "batch_size"), c[2], milliseconds(c[4]),
                         c[3] < 0 ? "-" : "+", milliseconds(std::abs(c[3])));
  }
  return "";
}

bool departs(const GroupClaims& claims, int64_t size) {
  if (claims.departure.outcome != DepartureOutcome::departs) return false;
  const auto& members = claims.departure.sets.front().members;
  return std::any_of(members.begin(), members.end(), [&](const DepartureMember& member) {
    return claims.departure_sizes[member.size_index] == size;
  });
}

void keep_worst(findings::TimeLaw& fit, double error, double size) {
  if (std::abs(error) <= std::abs(fit.largest_loo_error)) return;
  fit.largest_loo_error = error;
  fit.worst_batch_size = static_cast<int64_t>(size);
}

}  // namespace

std::optional<findings::TimeLaw> law_of(const findings::Group& group, const GroupClaims& claims) {
  std::vector<double> x, t, odd_x, odd_t;
  for (const findings::ConfigRow& row : group.rows) {
    const int64_t size = row.config.shape.batch_size;
    const bool odd = departs(claims, size);
    (odd ? odd_x : x).push_back(static_cast<double>(size));
    (odd ? odd_t : t).push_back(row.time_ms.value);
  }
  const auto choice = stats::choose_law(x, t);
  if (!choice) return std::nullopt;
  const stats::LawFit& best = choice->best();
  findings::TimeLaw fit;
  fit.kind = name_of(best.law.kind);
  fit.formula = formula_of(best.law);
  fit.coefficients = best.law.coefficients;
  for (std::size_t i = 0; i < x.size(); ++i) keep_worst(fit, best.loo_errors[i], x[i]);
  for (std::size_t i = 0; i < odd_x.size(); ++i) {
    keep_worst(fit, odd_t[i] / best.law.evaluate(odd_x[i]) - 1, odd_x[i]);
  }
  return fit;
}

}  // namespace batchscope::tables

#pragma once

#include <optional>
#include <string>

#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// Compared settings as a forest plot: a row a comparison with its ratio of times, its interval, the
// line of no difference and that of the margin: a gate's own, else `margin` (0.02: 2 % more time).
// Verdicts are the gate's where it has any. Empty without comparisons.
std::string forest_html(const findings::Summary& summary, std::optional<double> margin);
// Whether it is what the run was made for, and leads the page.
bool forest_leads(const findings::Summary& summary);

}  // namespace batchscope::report

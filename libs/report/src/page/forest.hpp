#pragma once

#include <string>

#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// Compared settings as a forest plot: a row a comparison with its ratio of times, its interval, the
// line of no difference and that of the margin. Empty without comparisons.
std::string forest_html(const findings::Summary& summary);
// Whether it is what the run was made for, and leads the page.
bool forest_leads(const findings::Summary& summary);

}  // namespace batchscope::report

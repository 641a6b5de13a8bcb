#pragma once

#include <optional>
#include <string>

#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// The part of the page that leads it, as HTML: what to set, how sure that is, on what machine,
// three figures, what to do next, and the places of its charts. `margin` as forest_html has it.
std::string answer_part(const findings::Summary& summary, std::optional<double> margin = {});

}  // namespace batchscope::report

#pragma once

#include <string>

#include "batchscope/document/text.hpp"
#include "batchscope/findings/tuning.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::report {

// What is told of a search: of a run that measured, or of a replay; the answer last. Names are
// untrusted: what steers a terminal is spelt out.
std::string tune_text(const findings::Tuning& tuning, const document::TextStyle& style = {});

// Of a search that was not measured: the grid, what of it would be measured, and for how long.
std::string tune_grid_text(const measure::Job& job, const tune::TunePlan& plan);
std::string tune_grid_json(const measure::Job& job, const tune::TunePlan& plan);

}  // namespace batchscope::report

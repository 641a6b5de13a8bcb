#pragma once

#include <vector>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/findings/answer.hpp"
#include "batchscope/tables/run_view.hpp"
#include "question.hpp"

namespace batchscope::analyze {

// What leads every format: made last, of all else that the summary says. Several runs, and one that
// compares models or engines, are answered by their comparison, all others by the setting to use.
findings::Answer answer_of(const std::vector<tables::RunView>& views,
                           const findings::Summary& summary, const Options& options);

// What to set, by the recommendations of a run, of which there is one.
findings::Answer setting_answer(const Question& question);

// Whether a recommendation is such that a setting can be named, and how surely.
findings::Confidence confidence_of(const findings::Recommendation& pick);

}  // namespace batchscope::analyze

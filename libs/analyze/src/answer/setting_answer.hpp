#pragma once

#include "batchscope/findings/answer.hpp"
#include "question.hpp"

namespace batchscope::analyze {

// What to set, by the recommendations of a run, of which there is one.
findings::Answer setting_answer(const Question& question);

// Whether a recommendation is such that a setting can be named, and how surely.
findings::Confidence confidence_of(const findings::Recommendation& pick);

}  // namespace batchscope::analyze

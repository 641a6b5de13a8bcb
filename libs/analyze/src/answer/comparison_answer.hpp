#pragma once

#include <optional>

#include "batchscope/findings/answer.hpp"
#include "question.hpp"

namespace batchscope::analyze {

// Which of two models, engines or runs takes less time; absent where none were compared. What a
// gate on regressions says goes before.
std::optional<findings::Answer> comparison_answer(const Question& question);

}  // namespace batchscope::analyze

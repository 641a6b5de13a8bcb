#pragma once

#include <string>

#include "batchscope/tune/outcome.hpp"

namespace batchscope::tune {

// "Use batch 48, fp32, ...: 430 samples/s at 112 ms a batch." Figures of the search itself are said
// to be that: of the best of many measured ones they are too good.
std::string use_words(const schema::RunConfig& config, const Figures& figures, const Goal& goal);

// "It cannot be told which setting is best: none is shown to be better than the default, ...":
// neither is named as that.
std::string open_words(const schema::RunConfig& standard, const Figures& figures, const Goal& goal);

// "Keep batch 1, ...: 45 samples/s at 22 ms a batch. Nothing is shown to be better by at least 1 %;
// batch 8, ... looked best." `best`: what the search found.
std::string keep_words(const schema::RunConfig& config, const Figures& figures, const Goal& goal,
                       const schema::RunConfig& best, double practical);

}  // namespace batchscope::tune

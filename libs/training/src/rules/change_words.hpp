#pragma once

#include <string>
#include <vector>

#include "series/machine_window.hpp"

namespace batchscope::training {

// "the SM clock of GPU 0 fell from 1980 to 1410 MHz"; of at most two changes, by "and".
std::string in_words(const std::vector<SignalChange>& changes);
// What to do about the first of them; empty: nothing that could be said.
std::string what_to_do(const std::vector<SignalChange>& changes);

}  // namespace batchscope::training

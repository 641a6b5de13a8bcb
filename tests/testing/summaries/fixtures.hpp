#pragma once

#include <string>

#include "batchscope/findings/commands.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::fixtures {

// The table that started it all: four times without repeats, imported.
findings::Summary seed_table();
// DistilBERT on a CPU, 12 blocks, batch 8 proven slower, phases, memory and control sizes to add.
findings::Summary one_group();
// The same model at three precisions, compared.
findings::Summary three_groups();
findings::Summary single_size();
// Twenty sizes up to 1024 on a GPU, with a device's memory and a staircase.
findings::Summary many_sizes();
// one_group() with every name, path and message chosen to break the output.
findings::Summary hostile();

// Those of a program that is not ours: "measure MODEL SIZE... into RUN".
findings::Commands commands();

// What hostile() is made of: ANSI sequences, control characters, markup, quotes, a line break.
const std::string& hostile_name();

}  // namespace batchscope::fixtures

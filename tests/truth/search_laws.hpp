#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "batchscope/tune/replay.hpp"

namespace batchscope::truth {

// A kind of cost law, drawn at random, with the grid that it is searched over.
struct LawFamily {
  const char* name;  // "staircase"
  const char* grid;  // in words: "1-24 to 1-256"
  std::vector<tune::RecordedTable> (*draw)(uint64_t seed);
  bool settings = false;  // beside the batch size
  bool hard = false;      // half of the points are needed to find the best
};

// One batch size each from 1 to n, n of 24 to 256; and grids over engine, precision, threads and
// instances beside it.
std::span<const LawFamily> law_families();

}  // namespace batchscope::truth

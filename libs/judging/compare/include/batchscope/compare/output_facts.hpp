#pragma once

#include <string>
#include <vector>

#include "batchscope/schema/outputs.hpp"
#include "batchscope/schema/run_config.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::compare {

// Below this cosine similarity two outputs are not those of one model: rounding in bf16 leaves
// embeddings above 0.999.
inline constexpr double kEquivalentCosine = 0.99;

// How far apart the outputs of two configurations are that differ in engine, whatever their batch
// sizes, threads and instances; null where that was not recorded.
const schema::OutputDifference* outputs_between(const schema::RunFile& run,
                                                const schema::RunConfig& a,
                                                const schema::RunConfig& b);

// Whether the speeds of the two may be held against each other: one engine, or equivalent
// outputs.
bool may_compare_engines(const schema::RunFile& run, const schema::RunConfig& a,
                         const schema::RunConfig& b);

// "on the same input the outputs differ by at most 0.001 % of the largest value, cosine similarity
// at least 0.99999998"
std::string output_words(const schema::OutputDifference& outputs);

// What tables of engines that may not be compared have to be told, a sentence each.
std::vector<std::string> engines_not_compared(const tables::RunView& view);

}  // namespace batchscope::compare

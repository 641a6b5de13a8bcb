#pragma once

#include <string>
#include <vector>

#include "programs/draft.hpp"
#include "trial.hpp"

namespace batchscope::torch_plugin {

// The inputs of a call that was accepted, or as far as it went.
struct Shapes {
  std::vector<Draft> drafts;
  bool accepted = false;
  std::string refusal;    // the last one
  bool has_batch = true;  // false: no dimension behaves as one of samples
  // The second dimension is the batch because the first has one size only: samples nearly always
  // stand in the first, so the second may as well count features.
  bool first_fixed = false;
};

// Of a file that keeps the shapes of its example: which dimensions are the batch size is tried.
Shapes shapes_of_example(Trial& trial, std::vector<Draft> drafts);

// Of a file that tells names alone: numbers of dimensions are tried, and what the model refuses
// tells sizes.
Shapes shapes_by_trial(Trial& trial, const std::vector<Draft>& drafts);

// Whether the name says that an input holds tokens, or something for each of them.
bool names_tokens(const std::string& name);

}  // namespace batchscope::torch_plugin

#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "programs/draft.hpp"

namespace batchscope::torch_plugin {

// What a call with made-up inputs came to.
struct Tried {
  bool accepted = false;
  std::vector<at::Tensor> outputs;  // on the host
  std::string refusal;              // what the model, or LibTorch, said; one line
};

// What the dimensions B are, by the outputs.
enum class Samples {
  apart,   // samples: the output of one is the same whatever stands before it
  mixed,   // something else, such as the steps of a sequence
  unseen,  // no output has a row for each
};

// Calls a model with inputs that may be wrong. Whoever lets it do so does it in a process that may
// end by it, or hang.
class Trial {
 public:
  explicit Trial(TriedProgram& tried);

  Tried call(const std::vector<Draft>& drafts);

  // The calls took longer than anyone would wait: from then on each is refused, and says nothing.
  bool out_of_time() const;

  // Of a call that was accepted.
  Samples samples_of(const std::vector<Draft>& drafts);

 private:
  Tried call_with(const std::vector<at::Tensor>& inputs);
  std::vector<at::Tensor> inputs_of(const std::vector<Draft>& drafts) const;

  TriedProgram& tried_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

// Whether values of this input are tokens, positions or the like: it has a range to be found.
bool has_values_to_find(const Draft& draft);
// The size of the dimensions B in the next call; nothing where there is none.
std::optional<int64_t> batch_of(const std::vector<Draft>& drafts);

}  // namespace batchscope::torch_plugin

#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program.hpp"

namespace batchscope::torch_plugin {

// One dimension of an input that nobody described, while it is found out what it is.
struct Extent {
  enum class Is {
    open,      // any size may be tried
    reported,  // the file, or a call, told the size
    batch,     // B
    length,    // S
  };
  int64_t size = 0;  // of the next trial call
  Is is = Is::open;
  std::optional<int64_t> largest{};  // that may be tried
};

// What is known of one input so far.
struct Draft {
  std::string name;
  at::ScalarType type = at::kFloat;
  std::vector<Extent> extents;    // empty: not even how many there are
  std::optional<int64_t> high{};  // integers: the largest value that the model takes
  int64_t fill = 0;               // integers: every element of the next trial call
  bool turned = false;            // its type was changed after a refusal
};

// A model to be tried, and what its file tells of its inputs.
struct TriedProgram {
  std::unique_ptr<Program> program;
  c10::Device device = at::kCPU;
  at::ScalarType floating = at::kFloat;  // of its weights
  std::vector<Draft> drafts;
  // What it refuses ends the process: a check inside of a parallel loop throws where nobody
  // catches.
  bool aborts = false;
  bool shapes_reported = false;  // the file has the shapes of examples, or what it was compiled for
  std::string expects;           // one line for errors: what the model takes
};

}  // namespace batchscope::torch_plugin

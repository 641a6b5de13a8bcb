#pragma once

#include <string_view>

namespace batchscope::trace {

// Whether a frame of Python, as recorders write it ("train.py(12): step", "nn.Module: Linear_0",
// "<built-in method add>"), is of an installed package, of torch or of Python itself: not a line
// that whoever trains wrote.
bool is_of_a_library(std::string_view frame);

// Of a stack of them, the innermost first and joined by semicolons, as Kineto wrote one until 2021
// ("Call stack"): the innermost that is not of a library; else the innermost. Empty of none.
std::string_view telling_frame(std::string_view stack);

}  // namespace batchscope::trace

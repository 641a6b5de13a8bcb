#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "batchscope/engine/guarded.hpp"

namespace batchscope::torch_plugin {

// How LibTorch speaks in what it throws.
extern const engine::ExceptionWords kWords;

// The useful part of what LibTorch threw: without C++ backtraces, without the interpreter's frames;
// one line.
std::string useful_message(std::string_view what);

// Whether a message says that an operation does not exist for a type of 16 bits.
bool speaks_of_absent_kernel(std::string_view what);

// Runs `body`, which returns a Result; whatever it throws becomes an Error, as of engine::to_error.
template <class Body>
auto guarded(base::ErrorKind kind, std::string where, std::string fix, Body&& body) {
  return engine::guarded(kWords, kind, std::move(where), std::move(fix), std::forward<Body>(body));
}

}  // namespace batchscope::torch_plugin

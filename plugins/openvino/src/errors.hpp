#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "batchscope/engine/guarded.hpp"

namespace batchscope::openvino_plugin {

// How OpenVINO speaks in what it throws.
extern const engine::ExceptionWords kWords;

// The useful part of what OpenVINO threw: without its source positions and the text of the checks
// that failed; one line.
std::string useful_message(std::string_view what);

// Runs `body`, which returns a Result; whatever it throws becomes an Error, as of engine::to_error.
template <class Body>
auto guarded(base::ErrorKind kind, std::string where, std::string fix, Body&& body) {
  return engine::guarded(kWords, kind, std::move(where), std::move(fix), std::forward<Body>(body));
}

}  // namespace batchscope::openvino_plugin

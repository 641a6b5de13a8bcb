#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "batchscope/base/result.hpp"

namespace batchscope::openvino_plugin {

// The useful part of what OpenVINO threw: without its source positions and the text of the checks
// that failed; one line, at most about 400 characters.
std::string useful_message(std::string_view what);

// The exception as an Error: out_of_memory where it is that, else `kind`.
base::Error to_error(const std::exception_ptr& thrown, base::ErrorKind kind, std::string where,
                     std::string fix);

// Runs `body`, which returns a Result; whatever it throws becomes an Error.
template <class Body>
auto guarded(base::ErrorKind kind, std::string where, std::string fix, Body&& body)
    -> decltype(body()) {
  try {
    return std::forward<Body>(body)();
  } catch (...) {
    return to_error(std::current_exception(), kind, std::move(where), std::move(fix));
  }
}

}  // namespace batchscope::openvino_plugin

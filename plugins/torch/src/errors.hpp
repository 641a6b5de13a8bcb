#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "batchscope/base/result.hpp"

namespace batchscope::torch_plugin {

// The useful part of what LibTorch threw: without C++ backtraces, without the interpreter's frames;
// one line, at most about 400 characters.
std::string useful_message(std::string_view what);

// Whether a message speaks of memory that could not be had, on the host or the device.
bool speaks_of_memory(std::string_view what);

// Whether it is memory of a device: "CUDA out of memory", "HIP error: out of memory". What the
// host lacks is said in other words ("can't allocate memory", "bad_alloc"), or names no device.
bool speaks_of_device_memory(std::string_view what);

// Whether a message says that an operation does not exist for a type of 16 bits.
bool speaks_of_absent_kernel(std::string_view what);

// The exception as an Error: out_of_memory where it is that, with what helps on the host or the
// device, whichever it is; else `kind` and `fix`.
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

}  // namespace batchscope::torch_plugin

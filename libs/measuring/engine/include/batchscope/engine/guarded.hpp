#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "batchscope/base/memory_words.hpp"
#include "batchscope/base/result.hpp"

// How a plugin turns what its framework throws into Errors: the plugin says what is its own, and
// this does the rest. Which words mean that memory was out is read by base/memory_words.hpp.
namespace batchscope::engine {

// none: what the text says of memory is read from it.
struct Thrown {
  std::string text;
  base::MemoryLack lack = base::MemoryLack::none;
};

// What is a framework's own in its exceptions. Optional functions are null where it has no such.
struct ExceptionWords {
  std::string_view framework;  // "LibTorch", for a message that is empty
  // The useful part of what(): one line, without source positions and backtraces.
  std::string (*useful)(std::string_view what) = nullptr;
  std::string_view device_fix;  // what helps where a device's memory is out
  // Optional: reads the framework's own types, which tell more than what(); nothing for others.
  std::optional<Thrown> (*read_own)(const std::exception_ptr& thrown) = nullptr;
  // Optional: the fix for a message that is known, instead of the caller's; nothing for others.
  std::optional<std::string_view> (*known_fix)(std::string_view what) = nullptr;
};

// At most 400 bytes of a message; "..." behind one that was cut.
std::string shortened(std::string message);

// The exception as an Error: out_of_memory where it is that, with what helps on the host or the
// device, whichever it is; else `kind` and `fix`.
base::Error to_error(const ExceptionWords& words, const std::exception_ptr& thrown,
                     base::ErrorKind kind, std::string where, std::string fix);

// Runs `body`, which returns a Result; whatever it throws becomes an Error.
template <class Body>
auto guarded(const ExceptionWords& words, base::ErrorKind kind, std::string where, std::string fix,
             Body&& body) -> decltype(body()) {
  try {
    return std::forward<Body>(body)();
  } catch (...) {
    return to_error(words, std::current_exception(), kind, std::move(where), std::move(fix));
  }
}

}  // namespace batchscope::engine

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "batchscope/base/diagnostic.hpp"

namespace batchscope::base {

// Who has to act on an error; the command line turns it into the exit code.
enum class ErrorKind {
  failed,  // the work could not be done: a missing backend, no point measured, nothing written
  usage,   // a wrong flag, name or value on the command line
  input,   // a file that cannot be read, or whose content is wrong
  out_of_memory,  // a memory limit was reached (host or device)
  interrupted,    // the user asked to stop
};
std::string_view to_string(ErrorKind kind);  // "failed", "out-of-memory"

// An expected failure as a value: what happened, where (file:line, a path, a configuration, or the
// flag that was set wrong, "--seq-lens"), and what mends it.
struct Error : Diagnostic<std::string> {
  Error() = default;
  Error(ErrorKind of, std::string what_happened, std::string at = "", std::string mended_by = "")
      : Diagnostic{std::move(what_happened), std::move(at), std::move(mended_by)}, kind(of) {}

  ErrorKind kind = ErrorKind::failed;
};

// As in_one_line, with the place.
std::string to_string(const Error& error);

// Prints the misuse (and the error, when there is one) and aborts.
[[noreturn]] void abort_on_error_access(const Error* error);

// A value or an Error. Like std::expected (C++23); accessing the wrong side is a programming error
// and aborts.
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & {
    if (!has_value()) abort_on_error_access(std::get_if<1>(&state_));
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    if (!has_value()) abort_on_error_access(std::get_if<1>(&state_));
    return *std::get_if<0>(&state_);
  }
  T&& value() && { return std::move(value()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & {
    if (has_value()) abort_on_error_access(nullptr);
    return *std::get_if<1>(&state_);
  }
  const Error& error() const& {
    if (has_value()) abort_on_error_access(nullptr);
    return *std::get_if<1>(&state_);
  }
  Error&& error() && { return std::move(error()); }

  T value_or(T fallback) const& { return has_value() ? value() : std::move(fallback); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  const Error& error() const {
    if (!error_.has_value()) abort_on_error_access(nullptr);
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace batchscope::base

#include "batchscope/base/result.hpp"

#include <cstdio>
#include <cstdlib>

#include "batchscope/base/characters.hpp"

namespace batchscope::base {

std::string_view to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::failed:
      return "failed";
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::input:
      return "input";
    case ErrorKind::out_of_memory:
      return "out-of-memory";
    case ErrorKind::interrupted:
      return "interrupted";
  }
  return "?";
}

std::string in_one_line(std::string_view where, std::string_view what, std::string_view fix) {
  std::string text(where);
  if (!where.empty() && !what.empty()) text += ": ";
  text += what;
  if (fix.empty()) return text;
  if (text.empty()) return std::string(fix);
  return text.append(" (").append(fix).append(")");
}

std::string to_string(const Error& error) {
  constexpr std::size_t kLongest = 600;  // characters that somebody still reads
  return shorten(in_one_line(error.where, error.what, error.fix), kLongest);
}

void abort_on_error_access(const Error* error) {
  if (error != nullptr) {
    std::fprintf(stderr, "batchscope: value of a failed result was used: %s\n",
                 to_string(*error).c_str());
  } else {
    std::fputs("batchscope: error of a successful result was used\n", stderr);
  }
  std::abort();
}

}  // namespace batchscope::base

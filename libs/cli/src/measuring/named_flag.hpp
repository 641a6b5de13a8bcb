#pragma once

#include <string_view>
#include <utility>

#include "batchscope/base/result.hpp"

namespace batchscope::cli {

// Puts the flag's name where the parser of its value knows only the text.
template <class T>
base::Result<T> named(base::Result<T> result, std::string_view flag) {
  if (result) return result;
  base::Error error = std::move(result).error();
  error.kind = base::ErrorKind::usage;
  error.where = flag;
  return error;
}

}  // namespace batchscope::cli

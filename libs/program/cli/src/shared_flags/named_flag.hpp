#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/base/strings.hpp"

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

// Parses what was typed for an axis, in several words or one, into its values; nothing typed leaves
// them as they are.
template <class T, class Parse>
base::Result<void> read_values(const std::vector<std::string>& typed, std::string_view flag,
                               std::vector<T>& axis, Parse parse) {
  if (typed.empty()) return {};
  auto values = named(parse(base::join(typed, ",")), flag);
  if (!values) return std::move(values).error();
  axis = *std::move(values);
  return {};
}

}  // namespace batchscope::cli

#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::base {

// The values of an enumeration with the names that flags and files use: one table for both ways.
template <class T>
using Name = std::pair<T, std::string_view>;

// "?" for a value that is not in the table.
template <class T, std::size_t N>
std::string_view name_of(const std::array<Name<T>, N>& names, T value) {
  for (const auto& [known, name] : names) {
    if (known == value) return name;
  }
  return "?";
}

// The error of value_of().
Error unknown_name(std::string_view what, std::string_view text,
                   const std::vector<std::string>& names);

// `what` is what the names stand for ("precision"). ErrorKind::usage, with the name that is
// nearest and all there are, for a text that is none of them.
template <class T, std::size_t N>
Result<T> value_of(const std::array<Name<T>, N>& names, std::string_view what,
                   std::string_view text) {
  std::vector<std::string> all;
  for (const auto& [known, name] : names) {
    if (name == text) return known;
    all.emplace_back(name);
  }
  return unknown_name(what, text, all);
}

}  // namespace batchscope::base

#pragma once

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

// What the standard library has for iterators, for whole ranges.

namespace batchscope::base {

template <class Range, class Value>
bool contains(const Range& range, const Value& value) {
  return std::find(std::begin(range), std::end(range), value) != std::end(range);
}

// At the end, where it is not there yet.
template <class Value>
void add_if_new(std::vector<Value>& values, Value value) {
  if (!contains(values, value)) values.push_back(std::move(value));
}

// function(each), in their order.
template <class Range, class Function>
auto mapped(const Range& range, const Function& function) {
  std::vector<std::decay_t<decltype(function(*std::begin(range)))>> made;
  std::transform(std::begin(range), std::end(range), std::back_inserter(made), function);
  return made;
}

}  // namespace batchscope::base

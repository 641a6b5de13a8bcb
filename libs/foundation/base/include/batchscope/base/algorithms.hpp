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

// Those that it holds for, in their order.
template <class Value, class Predicate>
std::vector<Value> kept(const std::vector<Value>& values, const Predicate& holds) {
  std::vector<Value> some;
  std::copy_if(values.begin(), values.end(), std::back_inserter(some), holds);
  return some;
}

// The largest function(each), or `least` where that is larger or there is none.
template <class Range, class Function, class Value>
Value largest_of(const Range& range, const Function& function, Value least) {
  for (const auto& each : range) least = std::max<Value>(least, function(each));
  return least;
}

}  // namespace batchscope::base

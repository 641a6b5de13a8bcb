#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "shifts.hpp"

namespace batchscope::compare {

// Tests of a series against all orders in which its values might have come. They take for granted
// that values are independent and alike, and nothing of how they are distributed: a run that a
// neighbour hit is one of the values in any order, wherever it lies, and being far off tells no
// more than being the slowest does (normal scores: van der Waerden 1952).
//
// The split, or the stretch between two levels, that stands out most, where one does so as much in
// at most a share `alpha` of these orders; absent else, and where there are too few values. Orders
// are drawn at random, always the same ones, and the one that was seen counts as one of them, so
// that the chance of a false one is at most alpha however many are drawn (Dwass 1957; Phipson and
// Smyth 2010).
std::optional<Episode> shown_split(std::span<const double> values, double alpha);
std::optional<Episode> shown_inner(std::span<const double> values, double alpha);

// Whether two levels of so many values in all, half of them each and without any doubt, would be
// shown: at least two of all orders are as clear.
bool can_show_split(std::size_t values, double alpha);

}  // namespace batchscope::compare

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/findings/finding.hpp"

namespace batchscope::findings {

// What a printed number measures; it sets how many digits make sense.
enum class Quantity {
  amount,  // ms, samples/s: two digits of the interval, else four significant
  ratio,   // efficiency, jump: two decimals, three where the interval is that narrow
};

// A number as it stands in a table: the value, and its interval apart, so that values align.
struct Shown {
  std::string value;
  std::string interval;  // "±0.31" or "[47.9, 52.0]"; empty without one
};

inline constexpr const char* kAbsent = "–";

// `decimals` places, never "-0.00"; kAbsent when not finite.
std::string fixed(double value, int decimals);
// A value without an interval: four significant digits, two decimals where that is more.
std::string plain(double value, Quantity quantity = Quantity::amount);
// Three significant digits, at most four decimals: for what is read beside its share.
std::string brief(double value);
// "p = 0.023", "p < 0.0001".
std::string p_in_words(double p_value);
// "3, 6 and 12".
std::string enumerated(const std::vector<int64_t>& sizes);

// One column of estimates, shown alike: all as ± when every interval is about symmetric, else all
// in brackets. The larger side is what ± prints.
std::vector<Shown> show_column(const std::vector<const Estimate*>& column, Quantity quantity);
Shown show(const Estimate& estimate, Quantity quantity);
// "50.30 ±0.31" in one piece.
std::string inline_estimate(const Estimate& estimate, Quantity quantity);

}  // namespace batchscope::findings

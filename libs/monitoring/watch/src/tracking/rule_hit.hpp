#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kind.hpp"

namespace batchscope::watch {

// What a rule sees at one moment.
struct RuleHit {
  const Kind* kind = nullptr;
  findings::Finding finding;
  std::string place;          // names it among all places: the key of a GPU, "pid 4711", "machine"
  bool at_once = false;       // it is told without having held for a while: it happened
  bool ends_at_once = false;  // it is seen at every reading whether it holds
  // Where the rule knows better than by when it first and last held.
  std::optional<int64_t> since_ns{}, until_ns{};
  // What it is told by in the end is what weighs most; absent: by severity and numbers.
  std::optional<double> weight{};
  // Of what has shares of the window, in the end it is told with their means over all the time that
  // it stood: a bad minute is not what an hour was like.
  std::vector<double> shares{};
  // What does not hold for a moment counts as 0 then, as the time in which a clock is held down
  // does; or as unknown, as how busy a CPU is.
  bool is_level = false;
  std::function<findings::Finding(std::span<const double> shares)> report_with{};

  void tell_with(std::vector<double> now,
                 std::function<findings::Finding(std::span<const double>)> reported) {
    shares = std::move(now);
    report_with = std::move(reported);
    finding = report_with(shares);
  }
  void tell_with_levels(std::vector<double> now,
                        std::function<findings::Finding(std::span<const double>)> reported) {
    is_level = true;
    tell_with(std::move(now), std::move(reported));
  }
};
using RuleHits = std::vector<RuleHit>;

inline constexpr const char* kMachine = "machine";

}  // namespace batchscope::watch

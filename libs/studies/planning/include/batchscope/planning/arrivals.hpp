#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::planning {

// Requests come one by one, independently.
struct PoissonArrivals {};

// A Markov-modulated Poisson process with two states: in a burst requests come at `factor` times
// the mean rate, otherwise at what is left, so that the mean is kept.
struct BurstyArrivals {
  double factor = 4;   // > 1, and factor x share <= 1
  double share = 0.1;  // of the time that is burst, in (0, 1)
  double burst_s = 2;  // mean length of a burst, seconds
};

// What was recorded, repeated from its start where it ends, stretched to the rate asked for.
struct RecordedArrivals {
  std::vector<double> times_s{};  // ascending, at least two
  std::vector<int64_t> tokens{};  // of each, or empty
  double rate_per_s() const;
};

struct ArrivalProcess {
  std::string text = "poisson";  // as typed
  std::variant<PoissonArrivals, BurstyArrivals, RecordedArrivals> law{};
};

// "poisson"; "bursty" or "bursty(FACTOR,SHARE,LENGTH)" as "bursty(4,10%,2s)"; "file:NAME": a line a
// request with its time in seconds and, after white space or a comma, its length in tokens, if it
// has one; what follows # is a comment. Errors: usage; input (of the file).
base::Result<ArrivalProcess> parse_arrivals(std::string_view text);
// The lines of such a file; `name` stands in errors. Errors: input.
base::Result<RecordedArrivals> parse_recorded(std::string_view text, std::string_view name);

struct Arrival {
  double time_s = 0;
  int64_t tokens = 1;
};

// `count` requests from time 0 on at `rate_per_s` on average, the same for the same seed. Lengths
// are drawn from `lengths`, each as likely; recorded ones go first. Neither: 1.
std::vector<Arrival> draw_arrivals(const ArrivalProcess& process, double rate_per_s,
                                   std::size_t count, const std::vector<int64_t>& lengths,
                                   uint64_t seed);

}  // namespace batchscope::planning

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"

namespace batchscope::engine {

// A machine and a model that exist only as a stated law, in virtual time: thousands of whole
// experiments a minute, with the truth known. Every visit (load) draws its own process effect; time
// passes only by running.
//
//   time(b, visit, i) = law(b) * anomaly(b) * exp(process + visit noise + drift(now) + iteration
//   noise) [* spike]
struct SyntheticSpec {
  std::string law = "affine";  // affine, roofline, staircase, table
  std::vector<double> coefficients{
      5e6, 2e6};  // ns: affine a,b; roofline launch,a_mem,b_mem,b_comp; staircase a,b,q
  std::map<int64_t, double> table;      // law "table": batch size -> ns
  std::map<int64_t, double> anomalies;  // batch size -> factor (1.1 = 10 % slower)
  double process_sd = 0.01;             // ln units; one draw a process
  double visit_sd = 0.015;      // ln units; one draw a visit (the machine's minute-to-minute noise)
  double iteration_sd = 0.005;  // ln units; one draw an iteration
  double drift_per_hour = 0;    // ln units of slow-down an hour of virtual time
  double spike_probability = 0;  // of a whole visit
  double spike_factor = 1.3;
  double burst_probability =
      0;  // that a neighbour's burst starts at a visit; it then lasts burst_visits visits
  double burst_factor = 1.2;
  int burst_visits = 5;
  double warmup_excess =
      0.5;               // first iteration is (1 + this) times slower, halving with each iteration
  double load_ns = 5e8;  // virtual time that loading takes
  std::optional<int64_t> oom_above;  // batch sizes above it run out of memory
};

// "affine:5ms,2ms;anomaly=4:1.1;process_sd=0.01;visit_sd=0.015;spike=0.02:1.3;drift=0.05;burst=0.05:1.2:5;oom_above=64"
// Errors: usage.
base::Result<SyntheticSpec> parse_synthetic(std::string_view text);

// `seed` fixes all noise: the same seed and the same sequence of calls give the same numbers. As an
// engine, the model name is the text of a spec, with or without the prefix "synthetic:"; several
// models may differ in their law.
std::unique_ptr<Engine> make_synthetic_engine(uint64_t seed);

}  // namespace batchscope::engine

#pragma once

#include <array>
#include <cstdint>

#include "batchscope/attribution/attribution.hpp"
#include "trace_simulator/families.hpp"
#include "trace_simulator/kineto_text.hpp"
#include "trace_simulator/truth.hpp"

namespace batchscope::attribution {

// How much of a device's idle time has the right cause. A moment does where both say the same, but
// for launching and synchronisation, which the truth tells apart by sums alone: what one has too
// much of and the other too little is wrong.
struct Score {
  int64_t idle_ns = 0;  // in truth
  int64_t right_ns = 0;
  trace_simulator::CauseTimes truth{};
  trace_simulator::CauseTimes found{};

  double share() const;  // that is right
  Score& operator+=(const Score& other);
};

// Whether the steps of a trace are its time in truth: those of several loops lie within each other.
bool has_steps(const trace_simulator::Case& made);

trace_simulator::Cause cause_of(Part idle);

// Gaps of less than two microseconds are left out where the recorder counts whole ones: half of
// them is rounding.
Score score_of(const trace_simulator::DeviceTruth& truth, const DeviceTime& found,
               const trace_simulator::Style& style);

}  // namespace batchscope::attribution

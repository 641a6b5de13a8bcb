#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "simulation.hpp"
#include "uncounted.hpp"

namespace batchscope::trace_simulator {

// Why a device idles.
enum class Cause : uint8_t { loading, host_work, synchronisation, launching, device, unknown };
inline constexpr size_t kCauses = 6;
std::string_view to_string(Cause cause);

using CauseTimes = std::array<int64_t, kCauses>;  // nanoseconds of each

struct IdlePiece {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  Cause cause = Cause::unknown;
  // Of device: what ends the idle time was called before that began.
  bool was_queued = false;
};

// Why one device idled, from the start of the first thing of it that is recorded to the end of the
// last; where steps are recorded from the start of the first, and to the end of the last if that is
// later, without what does not count (uncounted.hpp). Nothing here comes from what is tested, nor
// from what a trace shows.
//
// Each moment is what the thread did then that the device was waiting for. That thread is known:
// the simulation keeps what each start waited for last, and from there it goes back through calls,
// through threads that await others, and through what another device did.
//   loading          making or awaiting samples
//   host_work        anything else that is no launching, however short
//   synchronisation  in a call that blocks: it waits for a device, copies, or allocates
//   launching        between operators and in them, in calls that launch, and until the work starts
//   device           it was launched, and waited for what runs before it, for another device, or
//   for
//                    nothing that is recorded
//   unknown          work may have run whose record was lost: after what its stream did before and
//                    after its call, until what its stream does next; or before the program began
// What a thread does goes before what it did: where it waits for the device and then loads, both
// of which it takes for the device to idle, the time is loading's.
//
// Who waited could have launched ahead instead. How much of the launching is due to that is not
// read off the waits, but found by trying: the program is run again in a world in which no call
// waits, and the idle time that is gone then, beyond that in calls that block, is synchronisation's
// instead of launching's. That is a sum over the device's time, not said of moments.
struct DeviceTruth {
  int device = 0;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  std::vector<IdlePiece> moments;  // in order; of launching too what is due to waits
  CauseTimes ns{};
  std::vector<Uncounted> uncounted;  // in the order of time

  int64_t idle_ns() const;
  int64_t wall_ns() const;  // that counts
  double busy_share() const;
  int64_t operator[](Cause cause) const { return ns[static_cast<size_t>(cause)]; }
};

// Of each device that did anything while it was recorded.
std::vector<DeviceTruth> truth_of(const Program& program, const Timeline& line,
                                  bool has_steps = false);

// Idle time of a device in another world, of the same work.
int64_t idle_ns(const Program& program, const Timeline& line, const World& world, int device);

}  // namespace batchscope::trace_simulator

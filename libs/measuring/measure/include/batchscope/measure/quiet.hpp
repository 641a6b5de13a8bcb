#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/findings/fitness_rules.hpp"
#include "batchscope/host/fitness.hpp"
#include "batchscope/schema/visit.hpp"

namespace batchscope::measure {

class Observer;

// What a look at the machine showed before anything was measured.
struct MachineCheck {
  schema::Fitness fitness{};
  std::vector<findings::Disturbance> disturbances{};  // by fitness_rules(); none: it is quiet
  std::string governor{};                             // of the CPU's clock; empty: not visible
  double waited_s = 0;                                // for the machine to become quiet

  bool is_quiet() const { return disturbances.empty(); }
};

// "quiet", or what disturbs it and how much; with a governor that lets the clock fall.
std::string in_words(const MachineCheck& look);

// What a look is made with; a test passes another machine and time that does not pass.
struct IdleCheck {
  std::function<host::FitnessSnapshot()> take;
  std::function<bool(double seconds)> pause;         // lets time pass; false: the run is to stop
  std::function<void(schema::Fitness&)> add_gpus{};  // those of the run; may be empty
};

// Looks at the machine for half a second; while it is not quiet, again, until `patience_s` have
// passed. The observer (may be null) is told before it waits, and of the last look.
MachineCheck look_at_machine(const IdleCheck& with, double patience_s, Observer* observer);

// What the run file keeps of a machine that is not quiet.
std::optional<schema::Event> event_of(const MachineCheck& look);

}  // namespace batchscope::measure

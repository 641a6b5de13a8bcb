#pragma once

#include "batchscope/host/hardware_counters.hpp"
#include "batchscope/host/thread_times.hpp"
#include "batchscope/schema/diagnosis.hpp"

namespace batchscope::measure {

// Watches this process over the timed iterations of a diagnostic visit, without touching them.
// Made when the warm-up is over, so that all threads that will work are there.
class Observation {
 public:
  // `threads`: with the CPU time of each, which is its work only where waiting threads sleep.
  explicit Observation(bool threads);
  void start();
  void stop();
  schema::Diagnosis seen() const;

 private:
  host::HardwareCounters counters_;
  bool threads_;
  host::ThreadTimes before_, after_;
};

}  // namespace batchscope::measure

#include "observation.hpp"

#include "batchscope/base/system_root.hpp"

namespace batchscope::measure {

Observation::Observation(bool threads) : counters_(base::SystemRoot()), threads_(threads) {}

void Observation::start() {
  before_ = host::read_thread_times(base::SystemRoot());
  counters_.start();
}

void Observation::stop() {
  counters_.stop();
  after_ = host::read_thread_times(base::SystemRoot());
}

schema::Diagnosis Observation::seen() const {
  schema::Diagnosis diagnosis;
  diagnosis.counters = counters_.counts();
  diagnosis.absent = counters_.absent();
  if (threads_) diagnosis.thread_busy_ns = host::busy_between(before_, after_);
  if (const auto pages = host::read_huge_pages(base::SystemRoot())) {
    diagnosis.anonymous_bytes = pages->anonymous_bytes;
    diagnosis.huge_page_bytes = pages->huge_bytes;
  } else {
    diagnosis.absent["huge_pages"] = "cannot read /proc/self/smaps_rollup";
  }
  return diagnosis;
}

}  // namespace batchscope::measure

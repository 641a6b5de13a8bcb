#include "threads_to_use.hpp"

#include <sched.h>

#include <algorithm>

namespace batchscope::trace {

int threads_to_use(int asked_for) {
  if (asked_for > 0) return asked_for;
  constexpr int kMost = 8;
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return std::clamp(CPU_COUNT(&allowed), 1, kMost);
}

}  // namespace batchscope::trace

#pragma once

namespace batchscope::trace {

// As many as were asked for; for 0 the processors that this process may use, at most 8.
int threads_to_use(int asked_for);

}  // namespace batchscope::trace

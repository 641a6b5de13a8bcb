#pragma once

#include <csignal>

namespace batchscope::testing {

// Sent to the thread that runs the cases: it prints its stack and dies of it.
inline constexpr int kShowStack = SIGXCPU;

// Runs the cases of the filter and writes a line into the descriptor for each beginning and end:
// "started NAME", then "passed NAME", "failed NAME" or "skipped NAME"; "ended" after the last. A
// signal that ends the process writes the frames of its stack before, as backtrace_symbols_fd does.
// Returns what main returns.
int run_cases(int reports);

}  // namespace batchscope::testing

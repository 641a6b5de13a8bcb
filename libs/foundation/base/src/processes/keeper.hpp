#pragma once

#include <sys/types.h>

namespace batchscope::base {

// Forks what is to become the program, and stays its parent until it has ended; then ends what it
// left behind, detached or not (it is their subreaper, PR_SET_CHILD_SUBREAPER of prctl(2)), and
// ends itself. SIGTERM, and the end of `parent`, end the program. Returns in the process that is to
// become the program, which ends with its keeper and leads a group of its own. To be called between
// fork and exec, with all signals blocked: async-signal-safe calls only.
//
// The keeper writes numbers of type int to `words`: at once the program's, and at the end how many
// processes outside of its group were ended, and its status as wait(2) has it.
void keep_program(pid_t parent, int words);

}  // namespace batchscope::base

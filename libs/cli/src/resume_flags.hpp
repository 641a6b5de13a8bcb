#pragma once

#include "profile_flags.hpp"

namespace batchscope::cli {

// A resumed run keeps its plan: a flag that was typed and says otherwise is refused. Errors: usage,
// naming the flag, what is recorded and what was typed.
base::Result<void> check_agrees(const ProfileFlags& flags, const study::ProfileRequest& request,
                                const schema::Header& recorded);

}  // namespace batchscope::cli

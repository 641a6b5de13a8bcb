#pragma once

#include <string>
#include <vector>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::privacy {

// Makes the runs fit to be shown to strangers, before they are analysed, so that nothing made of
// them can tell more: host names are left out, user names become "user", paths become file names
// (numbered where two would be the same), values of environment variables that do not tune a known
// library, and addresses of mail, are left out. `names` are what the runs are called, their paths;
// `private_names` are words to take out besides those that the runs give away, such as the name of
// who makes the report.
void redact(std::vector<schema::RunFile>& runs, std::vector<std::string>& names,
            const std::vector<std::string>& private_names = {});

}  // namespace batchscope::privacy

#pragma once

#include <cstdint>
#include <string>

namespace batchscope::truth {

// The search of `tune` beside the quick ones that users have, on the same tables and noise, as a
// section of the page. `profiles`: a folder of tables measured elsewhere, each a row more; may be
// empty or absent.
std::string search_section(int experiments, uint64_t first_seed, const std::string& profiles);

}  // namespace batchscope::truth

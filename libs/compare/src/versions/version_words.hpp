#pragma once

#include <string>

#include "batchscope/compare/versions.hpp"

namespace batchscope::compare {

// The answer, a sentence. The rows and the verdict are there.
std::string answer_words(const findings::VersionComparison& comparison, const VersionSides& sides);

}  // namespace batchscope::compare

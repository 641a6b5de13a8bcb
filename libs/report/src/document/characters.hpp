#pragma once

#include "batchscope/base/characters.hpp"

namespace batchscope::report {

using base::clean;
using base::display_width;
using base::shorten;
using base::to_ascii;

}  // namespace batchscope::report

#pragma once

#include <map>
#include <string>

namespace batchscope::schema {

// Variables that visits are made under, beside those of the program that makes them.
using Environment = std::map<std::string, std::string>;

}  // namespace batchscope::schema

#pragma once

#include <array>

#include "batchscope/base/enum_names.hpp"

namespace batchscope::api {

// Of a result as a text.
enum class Format { text, json, md, csv };

inline constexpr std::array kFormats = {
    base::Name<Format>{Format::text, "text"}, base::Name<Format>{Format::json, "json"},
    base::Name<Format>{Format::md, "md"}, base::Name<Format>{Format::csv, "csv"}};

}  // namespace batchscope::api

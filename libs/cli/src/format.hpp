#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <vector>

#include "batchscope/base/enum_names.hpp"

namespace batchscope::cli {

// Of what a verb prints.
enum class Format { text, json, md, csv };

inline constexpr std::array kFormats = {
    base::Name<Format>{Format::text, "text"}, base::Name<Format>{Format::json, "json"},
    base::Name<Format>{Format::md, "md"}, base::Name<Format>{Format::csv, "csv"}};

// --format, which takes these; `format` outlives the parsing.
inline CLI::Option* add_format(CLI::App& app, Format& format, const std::vector<Format>& taken,
                               const std::string& words) {
  std::vector<std::string> names;
  for (const Format each : taken) names.emplace_back(base::name_of(kFormats, each));
  const auto read = [&format](const std::string& text) {
    format = base::value_of(kFormats, "format", text).value();  // one of `names`
  };
  return app.add_option_function<std::string>("--format", read, words)->check(CLI::IsMember(names));
}

}  // namespace batchscope::cli

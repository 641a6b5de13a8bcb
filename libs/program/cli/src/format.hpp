#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "batchscope/api/format.hpp"

namespace batchscope::cli {

using api::Format;  // of what a verb prints

// --format, which takes these; `format` outlives the parsing.
inline CLI::Option* add_format(CLI::App& app, Format& format, const std::vector<Format>& taken,
                               const std::string& words) {
  std::vector<std::string> names;
  for (const Format each : taken) names.emplace_back(base::name_of(api::kFormats, each));
  const auto read = [&format](const std::string& text) {
    format = base::value_of(api::kFormats, "format", text).value();  // one of `names`
  };
  return app.add_option_function<std::string>("--format", read, words)->check(CLI::IsMember(names));
}

}  // namespace batchscope::cli

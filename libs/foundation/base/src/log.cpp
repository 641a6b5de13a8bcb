#include "batchscope/base/log.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

#include "batchscope/base/strings.hpp"
#include "batchscope/base/terminal.hpp"

namespace batchscope::base {
namespace {

// One write a message, so that lines of several processes do not mix.
void print(std::string_view label, std::string_view colour, std::string_view message) {
  std::string line;
  if (!label.empty() && shows_colour(STDERR_FILENO)) {
    line.append(colour).append(label).append("\033[0m");
  } else {
    line.append(label);
  }
  const std::size_t text = line.size();
  line += visible(message);  // messages hold names from files
  // Which begin no line of their own: CI takes some for commands.
  if (!label.empty())
    std::replace(line.begin() + static_cast<std::ptrdiff_t>(text), line.end(), '\n', ' ');
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

void Log::info(std::string_view message) const {
  if (level_ != LogLevel::quiet) print("", "", message);
}

void Log::warning(std::string_view message) const {
  print("warning: ", "\033[33m", message);
}

void Log::error(std::string_view message) const {
  print("error: ", "\033[31m", message);
}

void Log::error(const Error& error) const {
  print("error: ", "\033[31m", to_string(error));
}

}  // namespace batchscope::base

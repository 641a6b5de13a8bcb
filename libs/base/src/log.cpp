#include "batchscope/base/log.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "batchscope/base/strings.hpp"

namespace batchscope::base {
namespace {

bool use_colour() {
  const char* no_colour = std::getenv("NO_COLOR");  // https://no-color.org
  return isatty(STDERR_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0');
}

// One write a message, so that lines of several processes do not mix.
void print(std::string_view label, std::string_view colour, std::string_view message) {
  std::string line;
  if (!label.empty() && use_colour()) {
    line.append(colour).append(label).append("\033[0m");
  } else {
    line.append(label);
  }
  line += visible(message) + '\n';  // messages hold names from files
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

void Log::info(std::string_view message) const {
  if (level_ != LogLevel::quiet) print("", "", spell(message, spelling_));
}

void Log::warning(std::string_view message) const {
  print("warning: ", "\033[33m", spell(message, spelling_));
}

void Log::error(std::string_view message) const {
  print("error: ", "\033[31m", spell(message, spelling_));
}

void Log::error(const Error& error) const {
  print("error: ", "\033[31m", to_string(error, spelling_));
}

}  // namespace batchscope::base

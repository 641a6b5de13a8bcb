#include "batchscope/base/log.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace batchscope::base {
namespace {

bool use_colour() {
  const char* no_colour = std::getenv("NO_COLOR");  // https://no-color.org
  return isatty(STDERR_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0');
}

// Messages hold names from files: a control character in one must not steer the terminal.
void append_visible(std::string& line, std::string_view message) {
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    line.push_back((byte < 0x20 && c != '\n') || byte == 0x7f ? '?' : c);
  }
}

// One write a message, so that lines of several processes do not mix.
void print(std::string_view label, std::string_view colour, std::string_view message) {
  std::string line;
  if (!label.empty() && use_colour()) {
    line.append(colour).append(label).append("\033[0m");
  } else {
    line.append(label);
  }
  append_visible(line, message);
  line.push_back('\n');
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

void Log::debug(std::string_view message) const {
  if (level_ == LogLevel::verbose) print("debug: ", "\033[2m", message);
}

}  // namespace batchscope::base

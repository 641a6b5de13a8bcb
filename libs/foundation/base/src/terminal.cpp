#include "batchscope/base/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>

namespace batchscope::base {
namespace {

constexpr int kFewestColumns = 40;

// The variable's text; "" where it is not set.
std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

bool shows_utf8() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale(environment(name));
    if (locale.empty()) continue;
    for (char& c : locale) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

bool rewrites_lines(int descriptor) {
  return isatty(descriptor) == 1 && environment("TERM") != "dumb";
}

bool shows_colour(int descriptor) {
  return rewrites_lines(descriptor) && environment("NO_COLOR").empty();
}

int columns_of(int descriptor, int otherwise) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col < kFewestColumns) return otherwise;
  return size.ws_col;
}

}  // namespace batchscope::base

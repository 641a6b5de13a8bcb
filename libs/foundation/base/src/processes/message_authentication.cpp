#include <fmt/format.h>

#include <random>

#include "batchscope/base/line_channel.hpp"

namespace batchscope::base {
namespace {

// Begins no text that people write.
constexpr std::string_view kMark =
    "\x1e"
    "batchscope ";

}  // namespace

std::string new_secret() {
  std::random_device source;
  return fmt::format("{:08x}{:08x}", source(), source());
}

std::string marked(std::string_view line, std::string_view secret) {
  return std::string(kMark).append(secret).append(" ").append(line);
}

std::optional<std::string> unmarked(std::string line, std::string_view secret) {
  const std::string mark = marked("", secret);
  if (!line.starts_with(mark)) return std::nullopt;
  line.erase(0, mark.size());
  return line;
}

}  // namespace batchscope::base

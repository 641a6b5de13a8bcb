#include "batchscope/engine/texts.hpp"

#include <fmt/format.h>

#include "batchscope/base/characters.hpp"
#include "batchscope/base/file.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::engine {

base::Result<std::vector<std::string>> read_texts(const std::filesystem::path& path) {
  auto content = base::read_file(path);
  if (!content) return std::move(content).error();
  std::vector<std::string> texts;
  std::string_view rest = *content;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (const auto at = base::first_not_utf8(line)) {
      return base::Error{base::ErrorKind::input, fmt::format("byte {} is not UTF-8", *at + 1),
                         fmt::format("{}:{}", path.string(), texts.size() + 1),
                         "convert the file: iconv -f LATIN1 -t UTF-8"};
    }
    texts.emplace_back(line);
  }
  if (texts.empty()) {
    return base::Error{base::ErrorKind::input, "contains no text", path.string(),
                       "write one text per line"};
  }
  return texts;
}

}  // namespace batchscope::engine

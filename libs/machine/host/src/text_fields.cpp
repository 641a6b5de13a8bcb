#include "batchscope/host/text_fields.hpp"

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::host {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

}  // namespace

std::vector<std::string_view> split_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const size_t start = line.find_first_not_of(kSpace);
    if (start == std::string_view::npos) return fields;
    line.remove_prefix(start);
    const size_t end = line.find_first_of(kSpace);
    fields.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end);
  }
}

std::optional<int64_t> parse_integer(std::string_view text) {
  return base::parse_number<int64_t>(text);
}

std::optional<std::string_view> find_value(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.starts_with(key) || line.size() == key.size()) continue;
    const std::string_view rest = line.substr(key.size());
    const std::string_view value = base::trim(rest);
    if (value.starts_with(':')) return base::trim(value.substr(1));
    if (rest.front() == ' ' || rest.front() == '\t') return value;
  }
  return std::nullopt;
}

std::optional<int64_t> find_number(std::string_view text, std::string_view key) {
  const auto value = find_value(text, key);
  if (!value) return std::nullopt;
  return parse_integer(value->substr(0, value->find_first_of(kSpace)));
}

}  // namespace batchscope::host

#include "batchscope/base/strings.hpp"

namespace batchscope::base {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  size_t start = 0;
  for (size_t end = text.find(separator); end != std::string_view::npos;
       end = text.find(separator, start)) {
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  parts.push_back(text.substr(start));
  return parts;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text = parts.empty() ? "" : parts.front();
  for (size_t i = 1; i < parts.size(); ++i) text.append(separator).append(parts[i]);
  return text;
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::string capitalised(std::string text) {
  if (text.empty() || text.front() < 'a' || text.front() > 'z') return text;
  text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

std::string uncapitalised(std::string text) {
  text.replace(0, 1, to_lower(text.substr(0, 1)));
  return text;
}

std::string without_period(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace batchscope::base

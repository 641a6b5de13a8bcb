#include "errors/message_text.hpp"

#include <algorithm>
#include <array>

#include "batchscope/base/strings.hpp"

namespace batchscope::base {
namespace {

using std::string_view;

// A program's output may be long; what ended it stands last.
constexpr size_t kMostOfAMessage = size_t{64} << 10;

constexpr std::array<string_view, 20> kMistakes{
    "AttributeError",     "TypeError",           "NameError",         "UnboundLocalError",
    "ImportError",        "ModuleNotFoundError", "SyntaxError",       "IndentationError",
    "KeyError",           "IndexError",          "FileNotFoundError", "FileExistsError",
    "IsADirectoryError",  "NotADirectoryError",  "PermissionError",   "NotImplementedError",
    "UnicodeDecodeError", "ZeroDivisionError",   "JSONDecodeError",   "UnpicklingError"};

constexpr std::array<string_view, 24> kExtensions{
    "py", "pyx", "c",   "cc",   "cpp",  "cxx",  "cu",  "cuh", "h",   "hpp",         "mm",  "rs",
    "go", "pt",  "pth", "onnx", "json", "yaml", "yml", "txt", "log", "safetensors", "bin", "xml"};

bool is_of_path(char c) {
  return c == '_' || c == '-' || c == '.' || c == '/' || c == '\\' || c == '~' || c == '+' ||
         (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool names_mistake(string_view line) {
  string_view name = line.substr(0, line.find(':'));
  if (const size_t dot = name.rfind('.'); dot != name.npos) name.remove_prefix(dot + 1);
  return std::find(kMistakes.begin(), kMistakes.end(), name) != kMistakes.end();
}

bool is_file(string_view path) {
  if (path.starts_with('/') || path.starts_with("./") || path.starts_with("../") ||
      path.starts_with("~/")) {
    return path.size() > 1;
  }
  if (std::count(path.begin(), path.end(), '/') >= 2) return true;
  const size_t dot = path.rfind('.');
  if (dot == path.npos || dot == 0) return false;
  return std::find(kExtensions.begin(), kExtensions.end(), path.substr(dot + 1)) !=
         kExtensions.end();
}

// A word without the files in it: "a/b/c.cc:12:out" becomes ":12:out".
std::string without_files(string_view word) {
  if (word.find("://") != word.npos) return "";
  std::string kept;
  while (!word.empty()) {
    const auto other = std::find_if_not(word.begin(), word.end(), is_of_path);
    const string_view path = word.substr(0, static_cast<size_t>(other - word.begin()));
    if (!is_file(path)) kept += path;
    word.remove_prefix(path.size());
    if (word.empty()) break;
    kept += word.front();
    word.remove_prefix(1);
  }
  return kept;
}

std::string plain_quotes(string_view message) {
  std::string plain(message);
  for (const string_view quote : {"\u2019", "\u2018"}) {
    for (size_t at = plain.find(quote); at != plain.npos; at = plain.find(quote, at)) {
      plain.replace(at, quote.size(), "'");
    }
  }
  return plain;
}

void add_line(string_view line, MessageText& text) {
  if (!text.cased.empty()) text.cased += ' ';
  text.lines.push_back(text.cased.size());
  bool first = true;
  for (const string_view word : split(line, ' ')) {
    const std::string kept = without_files(trim(word));
    if (kept.empty()) continue;
    if (!first) text.cased += ' ';
    text.cased += kept;
    first = false;
  }
}

}  // namespace

string_view MessageText::line_of(size_t place) const {
  const auto next = std::upper_bound(lines.begin(), lines.end(), place);
  const size_t begin = next == lines.begin() ? 0 : *std::prev(next);
  const size_t end = next == lines.end() ? lower.size() : *next;
  return string_view(lower).substr(begin, end - begin);
}

void MessageText::blank(string_view words) {
  for (size_t at = lower.find(words); at != lower.npos; at = lower.find(words, at + 1)) {
    lower.replace(at, words.size(), words.size(), ' ');
    cased.replace(at, words.size(), words.size(), ' ');
  }
}

MessageText message_text(string_view message) {
  if (message.size() > kMostOfAMessage) message.remove_prefix(message.size() - kMostOfAMessage);
  MessageText text;
  bool after_frame = false;
  const std::string plain = plain_quotes(message);
  for (const string_view full : split(plain, '\n')) {
    const string_view line = trim(full);
    const bool is_code = after_frame && full.starts_with("    ");
    after_frame = line.starts_with("File \"");
    if (line.empty() || is_code || after_frame) continue;
    if (line.starts_with("frame #") || names_mistake(line)) continue;
    add_line(line, text);
  }
  text.lower = to_lower(text.cased);
  return text;
}

bool end_of_sentence(string_view text, size_t place) {
  if (place >= text.size()) return true;
  const char c = text[place];
  if (c == ';') return true;
  if (c != '.' && c != ',' && c != ':' && c != '!') return false;
  return place + 1 >= text.size() || text[place + 1] == ' ';
}

std::vector<Name> names_in(const MessageText& text) {
  const auto is_of_name = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  };
  std::vector<Name> names;
  for (size_t at = 0; at < text.lower.size();) {
    size_t end = at;
    while (end < text.lower.size() && is_of_name(text.lower[end])) ++end;
    if (end > at) {
      const string_view name = string_view(text.cased).substr(at, end - at);
      const bool has_small =
          std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
      names.push_back({text.lower.substr(at, end - at), has_small && name.find('_') != name.npos});
    }
    at = end + 1;
  }
  return names;
}

}  // namespace batchscope::base

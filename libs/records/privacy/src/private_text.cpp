#include "private_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>

#include "short_names.hpp"

namespace batchscope::privacy {
namespace {

constexpr std::string_view kPathSlashes = "/\\";
constexpr const char* kAddress = "(address)";

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Where one piece of a text ends and the next may begin.
bool is_separator(char c) {
  return std::string_view(" \t\r\n\"'`=,;()<>|[]{}").find(c) != std::string_view::npos;
}

bool has_drive(std::string_view piece) {
  return piece.size() > 2 && std::isalpha(static_cast<unsigned char>(piece[0])) != 0 &&
         piece[1] == ':' && kPathSlashes.find(piece[2]) != std::string_view::npos;
}

// "samples/s" and "GNU/Linux" are none.
bool is_path_like(std::string_view piece) {
  const auto slashes = std::count_if(piece.begin(), piece.end(), [](char c) {
    return kPathSlashes.find(c) != std::string_view::npos;
  });
  if (slashes == 0) return false;
  if (slashes > 1 || has_drive(piece)) return true;
  if (piece.size() > 1 && std::string_view("/\\~.").find(piece[0]) != std::string_view::npos) {
    return true;
  }
  const std::string_view last = piece.substr(piece.find_last_of(kPathSlashes) + 1);
  return last.find('.') != std::string_view::npos;
}

bool is_address_like(std::string_view piece) {
  const std::size_t at = piece.find('@');
  return at != std::string_view::npos && at > 0 && at + 1 < piece.size() &&
         (is_word(piece[at - 1]) && is_word(piece[at + 1]));
}

// A piece up to a colon may be a path of its own ("x.cpp:12", "a:/b"), but not a drive's letter.
std::string clean_piece(std::string_view piece) {
  if (is_address_like(piece)) return kAddress;
  if (!is_path_like(piece)) return std::string(piece);
  const std::size_t colon = piece.find(':', has_drive(piece) ? 2 : 0);
  if (colon == std::string_view::npos) return file_name(piece);
  return clean_piece(piece.substr(0, colon)) + ":" + clean_piece(piece.substr(colon + 1));
}

std::string with_pieces(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (is_separator(text[at])) {
      out.push_back(text[at++]);
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !is_separator(text[end])) ++end;
    out += clean_piece(text.substr(at, end - at));
    at = end;
  }
  return out;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), by);
    at += by.size();
  }
}

}  // namespace

std::string file_name(std::string_view path) {
  const std::size_t end = path.find_last_not_of(kPathSlashes);
  if (end == std::string_view::npos) return "";
  const std::string_view full = path.substr(0, end + 1);
  const std::size_t slash = full.find_last_of(kPathSlashes);
  if (slash == std::string_view::npos) return full[0] == '~' ? "~" : std::string(full);
  const std::string_view parent = full.substr(0, slash);
  const std::string_view folder = parent.substr(parent.find_last_of(kPathSlashes) + 1);
  if (folder == "home" || folder == "Users") return "~";
  return std::string(full.substr(slash + 1));
}

std::vector<std::string> users_in(std::string_view text) {
  static const std::regex kHome(R"((?:[/\\](?:home|Users)[/\\]|~)([^/\\\s"'`=,;:()<>|]+))");
  std::vector<std::string> users;
  const std::string full(text);
  for (std::sregex_iterator each(full.begin(), full.end(), kHome), end; each != end; ++each) {
    users.push_back((*each)[1]);
  }
  return users;
}

void PrivateText::add_word(const std::string& word, const std::string& instead) {
  if (word.empty()) return;
  if (is_ambiguous_name(word)) {
    short_.emplace(word, instead);
  } else {
    words_.emplace(word, instead);
  }
}

std::string PrivateText::add_path(const std::string& path, const std::string& kind) {
  if (path.empty()) return path;
  const std::string key = kind + '\n' + path;
  if (const auto known = paths_.find(key); known != paths_.end()) return known->second;
  // "~" of somebody's home, before a name is taken out of the path to it.
  const std::string file = file_name(path);
  const std::string name = with_words(short_.count(file) > 0 ? short_.at(file) : file);
  std::string unique = name;
  for (int number = 2; !taken_[kind].insert(unique).second; ++number) {
    unique = fmt::format("{} ({})", name, number);
  }
  paths_[key] = unique;
  return unique;
}

std::string PrivateText::with_known_paths(std::string text) const {
  std::vector<std::pair<std::string, std::string>> known;
  for (const auto& [key, name] : paths_) {
    const std::string path = key.substr(key.find('\n') + 1);
    if (path.find_first_of(kPathSlashes) != std::string::npos) known.emplace_back(path, name);
  }
  std::sort(known.begin(), known.end(),
            [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  for (const auto& [path, name] : known) replace_all(text, path, name);
  return text;
}

std::string PrivateText::with_words(std::string text) const {
  for (const auto& [word, instead] : words_) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
      const std::size_t end = at + word.size();
      const bool full =
          (at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]));
      if (full) text.replace(at, word.size(), instead);
      at += full ? instead.size() : word.size();
    }
  }
  return text;
}

std::string PrivateText::cleaned(std::string_view text) const {
  const std::string known = with_known_paths(std::string(text));
  return with_words(with_pieces(without_short_names(known, short_)));
}

std::string PrivateText::cleaned_argument(std::string_view argument) const {
  const std::size_t equals =
      argument.starts_with('-') ? argument.find('=') : std::string_view::npos;
  if (equals != std::string_view::npos) {
    return std::string(argument.substr(0, equals + 1)) +
           cleaned_argument(argument.substr(equals + 1));
  }
  const std::string known = with_known_paths(std::string(argument));
  // "-oresults/run.jsonl" is a flag with its value.
  if (known == argument && argument.size() > 2 && argument[0] == '-' && argument[1] != '-' &&
      argument.find_first_of(kPathSlashes) != std::string_view::npos) {
    return std::string(argument.substr(0, 2)) + cleaned_argument(argument.substr(2));
  }
  const std::string named = without_short_names(known, short_);
  return with_words(is_path_like(named) && named.find_first_of(",;=") == std::string::npos
                        ? clean_piece(named)
                        : with_pieces(named));
}

}  // namespace batchscope::privacy

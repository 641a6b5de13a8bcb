#include "short_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::privacy {
namespace {

constexpr std::size_t kShortestPlainName = 3;

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_name_character(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}

// What reports are made of: devices, engines, precisions, modes, phases, and plain words.
constexpr std::array<std::string_view, 40> kWords = {
    "cpu",   "gpu",     "cuda",     "torch", "openvino", "batch",  "model",   "forward",
    "train", "infer",   "backward", "sgd",   "adamw",    "fp32",   "fp16",    "bf16",
    "run",   "the",     "and",      "for",   "all",      "one",    "each",    "end",
    "block", "config",  "none",     "test",  "time",     "memory", "threads", "user",
    "host",  "samples", "visit",    "pad",   "pool",     "mlp",    "bert",    "resnet50"};

bool is_word_of_reports(std::string_view name) {
  return base::contains(kWords, base::to_lower(name));
}

constexpr std::array<std::string_view, 10> kArticles = {"a",   "an", "the", "all", "one",
                                                        "any", "it", "no",  "its", "each"};
constexpr std::array<std::string_view, 10> kBehindNames = {"on",  "at", "by", "from", "in",
                                                           "and", "or", "of", "with", "to"};

// "a batch" is an article; "on a" at the end of what is said is a name.
bool is_article(std::string_view name) {
  return base::contains(kArticles, base::to_lower(name));
}

// "a batch" does, "a on host b" does not: behind a name stands no thing.
bool begins_a_thing(std::string_view rest) {
  std::size_t end = 0;
  while (end < rest.size() && is_name_character(rest[end])) ++end;
  return end > 0 && !base::contains(kBehindNames, base::to_lower(rest.substr(0, end)));
}

std::string_view word_before(std::string_view text, std::size_t at) {
  constexpr std::string_view kBetween = " \t=:'\"`";
  std::size_t end = at;
  while (end > 0 && kBetween.find(text[end - 1]) != std::string_view::npos) --end;
  std::size_t begin = end;
  while (begin > 0 && is_name_character(text[begin - 1])) --begin;
  return end == at ? std::string_view() : text.substr(begin, end - begin);
}

// The piece without white space around [at, end) has two slashes, or begins as a path does.
bool in_path(std::string_view text, std::size_t at) {
  constexpr std::string_view kSlashes = "/\\";
  const std::size_t space = text.find_last_of(" \t\n'\"=,;()", at);
  const std::size_t begin = space == std::string_view::npos ? 0 : space + 1;
  const std::size_t stop = std::min(text.find_first_of(" \t\n'\"=,;()", at), text.size());
  const std::string_view piece = text.substr(begin, stop - begin);
  const auto slashes = std::count_if(piece.begin(), piece.end(), [&](char c) {
    return kSlashes.find(c) != std::string_view::npos;
  });
  return slashes > 1 ||
         (slashes == 1 && std::string_view("/\\~.").find(piece[0]) != std::string_view::npos);
}

bool is_name_here(std::string_view text, std::size_t at, std::size_t end) {
  const std::string_view name = text.substr(at, end - at);
  const char before = at > 0 ? text[at - 1] : '\0';
  const char after = end < text.size() ? text[end] : '\0';
  const bool digits = std::all_of(name.begin(), name.end(), is_digit);
  if (at == 0 && end == text.size()) return !digits && !is_word_of_reports(name);
  if (before == '~' || before == '@' || after == '@') return true;
  if ((before == '/' || before == '\\') && in_path(text, at)) {
    return after == '/' || after == '\\' || !is_name_character(after);
  }
  const bool quoted = (before == '\'' || before == '"' || before == '`') && after == before;
  if (quoted && !is_word_of_reports(name)) return true;
  if (before == '-' && at > 1 && is_digit(text[at - 2]) && !digits) return after != '-';
  constexpr std::array<std::string_view, 8> kNamedThings = {
      "user", "host", "hostname", "logname", "username", "node", "login", "machine"};
  constexpr std::array<std::string_view, 5> kPlaces = {"on", "by", "of", "from", "at"};
  const std::string previous = base::to_lower(word_before(text, at));
  if (base::contains(kNamedThings, previous)) return true;
  if (digits || is_word_of_reports(name) || !base::contains(kPlaces, previous)) return false;
  return !(is_article(name) && after == ' ' && begins_a_thing(text.substr(end + 1)));
}

std::string without(std::string_view text, const std::string& name, const std::string& instead) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool full = (at == 0 || !is_name_character(text[at - 1])) &&
                      (end == text.size() || !is_name_character(text[end]));
    if (!full || at < done || !is_name_here(text, at, end)) continue;
    out += text.substr(done, at - done);
    out += instead;
    done = end;
  }
  return out += text.substr(done);
}

}  // namespace

bool is_ambiguous_name(std::string_view name) {
  return name.size() < kShortestPlainName || is_word_of_reports(name);
}

std::string without_short_names(std::string_view text,
                                const std::map<std::string, std::string>& names) {
  std::string out(text);
  for (const auto& [name, instead] : names) out = without(out, name, instead);
  return out;
}

}  // namespace batchscope::privacy

#include "batchscope/document/csv.hpp"

#include <algorithm>
#include <array>

#include "batchscope/base/characters.hpp"

namespace batchscope::document {
namespace {

// RFC 4180, 2.5 to 2.7.
std::string quote(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// A spreadsheet takes a cell that begins so for a formula, quoted or not, after white space and in
// full width too; it hides the apostrophe.
bool is_formula(std::string_view text) {
  constexpr std::array<std::string_view, 8> kSigns = {"=",      "+",      "-",      "@",
                                                      "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
  constexpr std::array<std::string_view, 3> kSpaces = {" ", "\u00A0", "\u3000"};
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view space : kSpaces) {
      if (!text.starts_with(space)) continue;
      text.remove_prefix(space.size());
      more = true;
    }
  }
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return text.starts_with(sign); });
}

std::string as_text(std::string text) {
  if (is_formula(text)) text.insert(0, "'");
  return text;
}

}  // namespace

std::string csv_text(std::string_view text) {
  return quote(as_text(base::clean(text)));
}

}  // namespace batchscope::document

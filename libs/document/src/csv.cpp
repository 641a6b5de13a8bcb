#include "batchscope/document/csv.hpp"

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

// A spreadsheet takes a cell that begins so for a formula, quoted or not; it hides the apostrophe.
std::string as_text(std::string text) {
  constexpr std::string_view kFormulas = "=+-@";
  if (!text.empty() && kFormulas.find(text.front()) != std::string_view::npos) text.insert(0, "'");
  return text;
}

}  // namespace

std::string csv_text(std::string_view text) {
  return quote(as_text(base::clean(text)));
}

}  // namespace batchscope::document
